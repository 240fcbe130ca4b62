// Small things that every view needs: elements, words for screen readers, and settings that persist.
import './board.js';
import { isHere } from './transport.js';

/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

export const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// What the players' discs are called: red has a cross, yellow a ring.
export const COLOURS = ['Red', 'Yellow'];

export const { node, sign } = globalThis.Connect4Board;

export function button(attributes, onClick, ...children) {
  const made = node('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}

const MAX_SAID = 4; // sentences

// Text for screen readers only.
export const unseen = (text) => node('span', { class: 'unseen', text });

// Lets buttons do something, by their ids.
export function whenPressed(actions) {
  for (const [id, run] of Object.entries(actions)) byId(id).addEventListener('click', () => run());
}

// Shows or hides parts, by their ids.
export function showParts(parts) {
  for (const [id, isShown] of Object.entries(parts)) byId(id).hidden = !isShown;
}

// Says something to screen readers, after what is still being said; the same words twice are said twice.
export function announce(text) {
  byId('live').append(node('p', { text }));
  if (byId('live').children.length > MAX_SAID) byId('live').firstChild.remove();
}

// A button that copies the page's address; `said(text)` reports how that went.
export function createCopyLink(said) {
  return button({ class: 'copy-link', text: 'Copy link' }, async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said(isHere() ? 'Link copied. It works on this computer only.' : 'Link to this position copied.');
    } catch { // browsers allow no clipboard on pages that are not encrypted
      said('The link could not be copied; copy it from the address bar.');
    }
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
