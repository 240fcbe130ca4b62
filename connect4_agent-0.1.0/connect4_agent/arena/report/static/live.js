// A page from the web server follows its run: when the server says that the run has changed, the parts with these ids are
// taken from a new copy of the page, which `then` is given. The address of the server's events is in the page.
'use strict';

globalThis.Connect4Live = (ids, then) => {
  const { events } = document.documentElement.dataset;
  if (!events) return;

  async function refresh() {
    const answer = await fetch(location.pathname, { cache: 'no-cache' });
    if (!answer.ok) return;
    const copy = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of ids.map((id) => document.getElementById(id))) {
      const changed = copy.getElementById(part.id);
      for (const old of part.querySelectorAll('details[id]')) {
        const again = copy.getElementById(old.id);
        if (again) again.open = old.open;
      }
      part.replaceChildren(...changed.childNodes);
    }
    then(copy);
  }

  let busy = Promise.resolve();
  new EventSource(events).addEventListener('change', () => { busy = busy.then(refresh).catch(() => {}); });
};
