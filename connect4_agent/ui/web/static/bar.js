// The evaluation bar beside the board: the more of it a player's colour fills, the sooner that player wins.
import { node } from './page.js';

export function createBar(host) {
  const fill = node('div', { class: 'fill' });
  host.replaceChildren(fill, node('div', { class: 'middle' }));
  return {
    // `standing` is null if nothing is known; `viewer` is the player at the bottom.
    show(standing, viewer, words) {
      const share = standing === null ? 0.5 : (1 + standing.advantage * (viewer === 1 ? 1 : -1)) / 2;
      fill.style.setProperty('--share', share.toFixed(4));
      host.className = `bar below-${viewer}${standing === null ? ' unknown' : ''}`;
      host.setAttribute('aria-label', `Evaluation: ${words || 'not known'}`);
    },
  };
}
