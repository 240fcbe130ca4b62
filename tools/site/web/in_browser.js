// The calls in the browser itself: a worker holds Python; this file keeps the queue, and shows the loading.
const PYTHON = new URL('../python/', import.meta.url);
const MOVES = ['move', 'plan']; // pass others that wait
const STOP_MS = 300; // how long a call may take to end before its worker is replaced

const queue = [];
let running = null;
let worker = null;
let isReady = false;
let canStop = false;
let failure = null;

const bar = Object.assign(document.createElement('progress'), { id: 'loading' });
bar.setAttribute('aria-label', 'Loading the computer players');

function fail(reason) {
  failure = new Error('The computer players and the analysis could not be loaded.');
  const said = document.createElement('p');
  said.id = 'not-loaded';
  said.setAttribute('role', 'alert');
  said.textContent = `${failure.message.slice(0, -1)}: ${reason}. Two people can still play on this board. Reload the page to try again.`;
  bar.replaceWith(said);
  [running, ...queue.splice(0)].forEach((call) => call?.reject(failure));
}

function sendNext() {
  if (!isReady || running || !queue.length) return;
  const move = queue.findIndex(({ name }) => MOVES.includes(name));
  [running] = queue.splice(Math.max(0, move), 1);
  worker.postMessage({ name: running.name, text: running.text });
}

function hear({ data: { share, failed, text, error, ...news } }) {
  if (failed !== undefined) fail(failed);
  else if (share !== undefined) {
    bar.value = share;
    if (share < 1) return;
    isReady = true;
    canStop = news.canStop;
    bar.remove();
    navigator.serviceWorker?.register(new URL('../service_worker.js', import.meta.url), { updateViaCache: 'none' })
      .catch(() => {}); // private windows refuse; then there is no page without a network
  } else {
    const { resolve, reject } = running;
    running = null;
    if (error === undefined) resolve(JSON.parse(text));
    else {
      reject(new Error(`There is a defect in this page: ${error}.`));
      replaceWorker(); // it may not be able to answer again
    }
  }
  sendNext();
}

function startWorker() {
  isReady = false;
  bar.value = 0.1;
  document.querySelector('header').append(bar);
  worker = new Worker(new URL('worker.js', PYTHON), { type: 'module' });
  worker.onmessage = hear;
  worker.onerror = (event) => fail(event.message || 'a file is missing');
}

function replaceWorker() {
  worker.terminate();
  startWorker();
}

// Ends the call that runs: its worker looks now and then, or is replaced.
function stop(call) {
  if (canStop) worker.postMessage({ stop: true });
  else {
    setTimeout(() => {
      if (running !== call) return;
      running = null;
      replaceWorker();
    }, STOP_MS);
  }
}

// The reply to a call, which is {error, code} if it is refused.
export async function answer(name, query, body, signal) {
  if (name === 'players') return (await fetch(new URL('players.json', PYTHON))).json();
  if (failure) throw failure;
  return new Promise((resolve, reject) => {
    const call = { name, text: JSON.stringify({ query, body }), resolve, reject };
    signal?.addEventListener('abort', () => {
      const place = queue.indexOf(call);
      if (place >= 0) queue.splice(place, 1);
      else if (running === call) stop(call);
      reject(signal.reason);
    }, { once: true });
    signal?.throwIfAborted();
    queue.push(call);
    sendNext();
  });
}

startWorker();
