// The browser's history: Back and Forward follow the person's actions, with one entry for each.
//
// An action is a move with its reply, a new game, a deleted variation, or a walk through the moves of any length.

// `state` is restored with an entry; `kind` is 'act', 'walk', or 'same' to keep the current entry.
export function createTravel({ arrive }) {
  let last = null;

  window.addEventListener('popstate', (event) => {
    last = null;
    arrive(event.state);
  });

  return {
    remember(address, state, kind) {
      const isNew = kind === 'act' || (kind === 'walk' && last !== 'walk');
      // An entry remembers whether there is a game to go back to.
      const comesAfter = isNew || history.state?.comesAfter === true;
      history[isNew ? 'pushState' : 'replaceState']({ ...state, comesAfter }, '', address);
      if (kind !== 'same') last = kind;
    },
    get canGoBack() { return history.state?.comesAfter === true; },
    back() { history.back(); },
  };
}
