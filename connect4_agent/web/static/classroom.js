// The classroom: the board and one sentence, large enough for the back row, until c or Escape is pressed in this tab.
import { announce, byId } from './page.js';

const NAME = 'connect4-agent.classroom';

function isKept() {
  try {
    return sessionStorage.getItem(NAME) === 'on';
  } catch {
    return false; // storage may be forbidden: the mode then lasts as long as the page
  }
}

function keepIt(isOn) {
  try {
    if (isOn) sessionStorage.setItem(NAME, 'on');
    else sessionStorage.removeItem(NAME);
  } catch {
    // As above.
  }
}

export function createClassroom() {
  let isOn = false;

  function turn(wanted) {
    isOn = wanted;
    document.body.classList.toggle('is-classroom', isOn);
    byId('leave-classroom').hidden = byId('sentence').hidden = !isOn;
    keepIt(isOn);
  }

  function toggle() {
    turn(!isOn);
    announce(isOn ? 'Classroom view: the board and one sentence. Press Escape to leave.' : 'Back to the whole page.');
    if (!isOn) byId('classroom').focus({ preventScroll: true });
  }

  byId('classroom').addEventListener('click', toggle);
  byId('leave-classroom').addEventListener('click', toggle);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOn || event.target.closest('dialog')) return;
    event.stopImmediatePropagation(); // it leaves one thing at a time
    toggle();
  });
  turn(isKept());
  return { toggle, say: (...parts) => byId('sentence').replaceChildren(...parts) };
}
