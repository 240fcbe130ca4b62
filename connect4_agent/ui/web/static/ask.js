// Requests to the server one at a time, and answers that are kept.
import { isAbort } from './transport.js';

const MAX_KEPT = 300;

// One task at a time: a new one ends the one before.
export function createTask() {
  let current = null; // the controller of the task that runs

  function stop() {
    current?.abort();
    current = null;
  }

  return {
    stop,
    get isOn() { return current !== null; },
    // Does `work(signal)` and returns its result; null if the task has been ended meanwhile.
    async run(work) {
      stop();
      const mine = new AbortController();
      current = mine;
      try {
        const result = await work(mine.signal);
        return current === mine ? result : null;
      } catch (error) {
        if (isAbort(error) || current !== mine) return null;
        throw error;
      } finally {
        if (current === mine) current = null;
      }
    },
  };
}

// Asks with `request(question, signal)`, one question at a time, and keeps the answers. `changed()` is called when an
// answer or an error has come.
export function createAsker(request, changed) {
  const known = new Map(); // question as text -> answer
  const task = createTask();
  let asked = null; // {key, error}: the last question

  async function ask(key, question) {
    const mine = { key, error: null };
    asked = mine;
    try {
      const answer = await task.run((signal) => request(question, signal));
      if (asked !== mine || answer === null) return;
      if (known.size >= MAX_KEPT) known.delete(known.keys().next().value);
      known.set(key, answer);
    } catch (error) {
      mine.error = error;
    }
    changed();
  }

  function stop() {
    task.stop();
    asked = null;
  }

  return {
    // Ends the question, and forgets the error of the last one, which may then be asked again.
    stop,
    // {answer, error} of a question, as far as they are known; asks if nothing is, and ends the question before. If the
    // answer is not wanted now, nothing is asked.
    of(question, isWanted = true) {
      const key = JSON.stringify(question);
      const answer = known.get(key) ?? null;
      if (asked && (asked.key !== key || (task.isOn && !isWanted))) stop();
      if (answer === null && isWanted && !asked) ask(key, question);
      return { answer, error: asked?.error ?? null };
    },
  };
}
