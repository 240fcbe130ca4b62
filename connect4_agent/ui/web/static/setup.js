// The form for a new game: who plays, who begins, how large the board is. It opens as a dialog.
import { LARGEST_SIDE, PERSON, defaults } from './address.js';
import { COLOURS } from './colours.js';
import { byId, node } from './page.js';
import { inWords, planOf, titleOf } from './seats.js';

const SELECTS = ['opponent', 'watch-1', 'watch-2'];
const MODE_FIELDS = { computer: 'fields-computer', people: 'fields-people', watch: 'fields-watch' };
const SMALLEST_SIDE = 1;

function modeOf(setup) {
  const people = setup.seats.filter((seat) => seat === PERSON).length;
  return ['watch', 'computer', 'people'][people];
}

function chosen(name) {
  return document.querySelector(`input[name="${name}"]:checked`).value;
}

function choose(name, value) {
  document.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`).checked = true;
}

function fillSelect(select, { players, agents }) {
  const option = ({ name, description }) => node('option', {
    value: name, text: titleOf(name), 'data-description': inWords(name, description),
  });
  const group = (label, entries) => (entries.length ? [node('optgroup', { label }, ...entries.map(option))] : []);
  select.replaceChildren(
    ...group('Levels', players.filter((each) => each.is_level)),
    ...group('Other players', players.filter((each) => !each.is_level)),
    ...group('Programs', agents.map((name) => ({ name, description: 'a program that this server was started with' }))),
  );
}

// Chooses a player that the list may lack, such as negamax:depth=4 from the address.
function select(id, value) {
  const field = byId(id);
  if (![...field.options].some((each) => each.value === value)) {
    field.append(node('option', { value, text: titleOf(value) }));
  }
  field.value = value;
}

// `start()` is called when the button is pressed; `read` then returns what was chosen.
export function createSetup({ start }) {
  const dialog = byId('setup-dialog');

  function refresh() {
    const mode = chosen('mode');
    for (const [name, id] of Object.entries(MODE_FIELDS)) byId(id).hidden = name !== mode;
    const words = mode === 'computer' ? ['Me', 'Opponent'] : COLOURS;
    words.forEach((word, index) => { byId(`begins-${index + 1}`).textContent = word; });
    for (const id of SELECTS) {
      const { selectedOptions: [option] } = byId(id);
      const description = option?.dataset.description;
      byId(`${id}-about`).textContent = description ? `${option.textContent}: ${description}` : '';
    }
  }

  function read() {
    const mode = chosen('mode');
    const seats = {
      computer: [PERSON, byId('opponent').value],
      people: [PERSON, PERSON],
      watch: [byId('watch-1').value, byId('watch-2').value],
    }[mode];
    const names = {
      computer: [byId('my-name').value.trim(), ''],
      people: [byId('name-1').value.trim(), byId('name-2').value.trim()],
      watch: ['', ''],
    }[mode];
    const [width, height] = ['width', 'height'].map((id) => byId(id).valueAsNumber);
    return { seats, names, begins: chosen('begins'), width, height };
  }

  byId('setup').addEventListener('change', refresh);
  byId('setup').addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
    start();
  });
  byId('setup-cancel').addEventListener('click', () => dialog.close());
  // A click outside the dialog closes it.
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  for (const id of ['width', 'height']) {
    byId(id).min = SMALLEST_SIDE;
    byId(id).max = LARGEST_SIDE;
  }

  return {
    open() {
      dialog.showModal();
      byId('start').focus({ preventScroll: true });
    },
    read,
    fill: (listing) => SELECTS.forEach((id) => fillSelect(byId(id), listing)),
    write(setup) {
      const usual = defaults();
      const mode = modeOf(setup);
      choose('mode', mode);
      choose('begins', setup.begins);
      const opponent = setup.seats.find((seat) => seat !== PERSON && !planOf(seat)) ?? usual.seats[1];
      select('opponent', opponent);
      select('watch-1', mode === 'watch' ? setup.seats[0] : 'easy');
      select('watch-2', mode === 'watch' ? setup.seats[1] : opponent);
      byId('my-name').value = mode === 'computer' ? setup.names[setup.seats.indexOf(PERSON)] : '';
      [1, 2].forEach((player) => { byId(`name-${player}`).value = mode === 'people' ? setup.names[player - 1] : ''; });
      byId('width').value = setup.width;
      byId('height').value = setup.height;
      refresh();
    },
  };
}
