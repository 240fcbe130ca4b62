// The dialog for a new game: a level, two people or two players to watch; everything else is under More.
import { LARGEST_SIDE, PERSON } from './address.js';
import { levelOf, mySeat } from './ladder.js';
import { byId, node, whenPressed } from './page.js';
import { peopleCount, planOf, titleOf } from './seats.js';

const MODES = ['watch', 'computer', 'people']; // by the number of people
const SELECTS = ['player-1', 'player-2'];

const chosenMode = () => /** @type {HTMLInputElement} */ (document.querySelector('input[name="mode"]:checked')).value;

// Chooses a player that the list may lack, such as negamax:depth=4 from the address.
function choose(select, value) {
  if (![...select.options].some((each) => each.value === value)) select.append(node('option', { value, text: titleOf(value) }));
  select.value = value;
}

// `start()` is called when the button is pressed; `read` then returns what was chosen.
export function createNewGame({ start }) {
  const dialog = byId('setup-dialog');

  function refresh() {
    const mode = chosenMode();
    byId('field-1').hidden = mode !== 'watch';
    byId('field-2').hidden = mode === 'people';
    byId('field-2').firstElementChild.textContent = mode === 'watch' ? 'Yellow' : 'Opponent';
    byId('other').parentElement.hidden = mode === 'people';
  }

  byId('setup').addEventListener('change', refresh);
  byId('other').addEventListener('change', () => {
    if (byId('other').value) choose(byId('player-2'), byId('other').value);
  });
  byId('setup').addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
    start();
  });
  whenPressed({ 'setup-cancel': () => dialog.close() });
  for (const id of ['width', 'height']) [byId(id).min, byId(id).max] = [1, LARGEST_SIDE];

  return {
    open(setup) {
      const mode = MODES[peopleCount(setup)];
      /** @type {HTMLInputElement} */ (document.querySelector(`input[name="mode"][value="${mode}"]`)).checked = true;
      const opponent = setup.seats.find((seat) => seat !== PERSON && !planOf(seat)) ?? mySeat();
      choose(byId('player-1'), mode === 'watch' ? setup.seats[0] : mySeat());
      choose(byId('player-2'), mode === 'watch' ? setup.seats[1] : opponent);
      byId('other').value = '';
      byId('begins').value = setup.begins;
      SELECTS.forEach((_, index) => { byId(`name-${index + 1}`).value = setup.names[index]; });
      [byId('width').value, byId('height').value] = [setup.width, setup.height];
      byId('setup-more').open = mode !== 'people' && !levelOf(opponent);
      refresh();
      dialog.showModal();
      byId('start').focus({ preventScroll: true });
    },
    read() {
      const mode = chosenMode();
      const [one, two] = SELECTS.map((id) => byId(id).value);
      return {
        seats: { computer: [PERSON, two], people: [PERSON, PERSON], watch: [one, two] }[mode],
        names: SELECTS.map((_, index) => byId(`name-${index + 1}`).value.trim()),
        begins: byId('begins').value,
        width: byId('width').valueAsNumber,
        height: byId('height').valueAsNumber,
      };
    },
    fill({ players, agents }) {
      const option = (value, text) => node('option', { value, text });
      const options = (found) => found.map(({ name, description }) => option(name, `${titleOf(name)}: ${description}`));
      for (const id of SELECTS) {
        const { value } = byId(id);
        byId(id).replaceChildren(...options(players.filter(({ name }) => levelOf(name))));
        choose(byId(id), value || mySeat());
      }
      const others = options(players.filter(({ name }) => !levelOf(name)));
      byId('other').replaceChildren(option('', 'None'), ...others, ...agents.map((name) => option(name, name)));
    },
  };
}
