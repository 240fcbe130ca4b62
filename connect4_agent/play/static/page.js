// Small things that both pages need: elements, messages with a way out, and settings that stay.
import './board.js';

export const byId = (id) => document.getElementById(id);

export const sign = (player) => globalThis.Connect4Board.sign(player);

// An element; `text` is its text, other keys are attributes. Whatever comes from outside is set as text.
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

// A message with a button that does something about it; null takes it away.
export function showMessage(text, action = null) {
  const box = byId('message');
  box.hidden = text === null;
  box.replaceChildren();
  if (text === null) return;
  box.append(node('p', { text }));
  if (action) box.append(button({ text: action.label, class: 'strong' }, action.run));
}

// Says something to screen readers; the same words twice are said twice.
export function announce(text) {
  byId('live').replaceChildren(node('p', { text }));
}

// A button that copies the page's address; `said(text)` tells how that went.
export function createCopyLink(said) {
  return button({ id: 'copy-link', text: 'Copy link' }, async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said('The link to this position is copied.');
    } catch {
      said('The link could not be copied; it is in the address line.');
    }
  });
}

// Settings in the browser's store, which may be forbidden, full or filled by something else.
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
    // Then it lasts as long as the page.
  }
}
