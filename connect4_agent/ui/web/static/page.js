// Small things that every page needs: elements, messages with a button, and settings that persist.
import './board.js';
import { isHere, plainText } from './transport.js';

export const byId = (id) => document.getElementById(id);

export { plainText };

export const sign = (player) => globalThis.Connect4Board.sign(player);

// An element; `text` is its text, other keys are attributes. Everything from outside is set as text.
export function node(name, { text, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

export function button(attributes, onClick, ...children) {
  const made = node('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}

// Text for screen readers only.
export const unseen = (text) => node('span', { class: 'unseen', text });

// A message with a button that does something about it; null removes it. A mild message is not a warning.
export function showMessage(text, action = null, isMild = false) {
  const box = byId('message');
  box.hidden = text === null;
  box.classList.toggle('mild', isMild);
  box.replaceChildren();
  if (text === null) return;
  box.append(node('p', { text }));
  if (action) box.append(button({ text: action.label, class: 'strong' }, action.run));
}

// Whether there is a pointer that a disc can follow, and space for it; fingers have none.
export const canHover = matchMedia('(hover: hover) and (min-width: 40rem) and (min-height: 36rem)').matches;

// Tells the style sheet how many columns and rows the board has to fit.
export function fitBoard({ width, height }) {
  const { style } = document.body;
  style.setProperty('--columns', width);
  style.setProperty('--rows', height);
  style.setProperty('--peek', canHover ? globalThis.Connect4Board.PEEK : 0);
}

// Says something to screen readers; the same words twice are said twice.
export function announce(text) {
  byId('live').replaceChildren(node('p', { text }));
}

// Copies a text, also where browsers allow no clipboard: on pages of a home network, which are not encrypted.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = node('textarea', { readonly: '', class: 'unseen' });
    field.value = text;
    document.body.append(field);
    const { activeElement } = document;
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    activeElement?.focus({ preventScroll: true });
    return isCopied;
  }
}

// A button that copies the page's address; `said(text)` reports how that went.
export function createCopyLink(said) {
  return button({ id: 'copy-link', text: 'Copy link' }, async () => {
    if (!await copy(location.href)) said('The link could not be copied; copy it from the address bar.');
    else said(isHere() ? 'Link copied. It works on this computer only.' : 'Link to this position copied.');
  });
}

// Settings in the browser's storage, which may be forbidden, full or hold something else.
const PREFIX = 'connect4-agent.';

export function recall(name, fallback) {
  try {
    const stored = localStorage.getItem(PREFIX + name);
    return stored === null ? fallback : JSON.parse(stored);
  } catch {
    return fallback;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The setting then lasts as long as the page.
  }
}
