// The views of the page and their addresses: ./?view=puzzles&date=2027-01-31; without a view, it is Play.
//
// A view is {name, open, show, hide, ...}: `open(query, state)` shows what an address asks for, `show()` what was left
// when another view was chosen, and `hide()` ends what it was waiting for. stage.js names what else it can have.
import { byId } from './page.js';
import { useView } from './stage.js';

const views = new Map();
const left = new Map(); // by name: {address, state} of a view, as it was last shown
let shown = null;

export function addressOf(name, query = '') {
  const all = [name === 'play' ? '' : `view=${name}`, query].filter(Boolean).join('&');
  return all ? `./?${all}` : './';
}

// {name, query} of an address, also of one such as /learn#5 or /analyse?moves=44.
function read({ pathname, search, hash }) {
  const query = new URLSearchParams(search);
  const wanted = query.get('view') ?? pathname.split('/').at(-1);
  const name = views.has(wanted) ? wanted : 'play';
  query.delete('view');
  if (name === 'learn' && hash) query.set('card', hash.slice(1));
  return { name, query: query.toString() };
}

function enter(name) {
  if (shown?.name === name) return;
  shown?.hide();
  shown = views.get(name);
  document.body.dataset.view = name;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-view]:not(body)'))) each.hidden = each.dataset.view !== name;
  for (const link of byId('pages').children) {
    if (read(link).name === name && link.id !== 'run-link') link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  useView(shown);
}

function arrive(state) {
  const { name, query } = read(location);
  enter(name);
  scrollTo(0, 0); // to the board
  shown.open(query, state ?? {});
}

export const isShown = (view) => shown === view;

// Shows another address of the page. A view alone, without anything asked of it, is shown as it was left.
export function go(address) {
  const { name, query } = read(new URL(address, document.baseURI));
  const known = left.get(name);
  if (!query && known) {
    if (shown.name === name) return;
    history.pushState(known.state, '', known.address);
    enter(name);
    scrollTo(0, 0);
    shown.show();
  } else {
    history.pushState(null, '', addressOf(name, query));
    arrive(null);
  }
}

// Puts what a view shows into the address: as a new entry of the history, or in place of the last one.
export function remember(view, query, state, isNew = false) {
  const address = addressOf(view.name, query);
  left.set(view.name, { address, state });
  if (shown === view) history[isNew ? 'pushState' : 'replaceState'](state, '', address);
}

export function startViews(all) {
  for (const view of all) views.set(view.name, view);
  window.addEventListener('popstate', (event) => arrive(event.state));
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const isOther = event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!(link instanceof HTMLAnchorElement) || isOther || new URL('./', link.href).href !== new URL('./', document.baseURI).href) return;
    if (link.id === 'run-link') return;
    event.preventDefault();
    document.querySelectorAll('dialog[open]').forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
    go(link.href);
  });
  arrive(history.state);
}
