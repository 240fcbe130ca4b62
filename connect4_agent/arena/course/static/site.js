// The index of a course's site: a cell of the results says whose it is, and leads to its games.
'use strict';

(() => {
  let over = null; // the head of the column that the pointer is over

  // A cell of the results, and the links to the pages of its agent and of the opponent.
  function cellAt(target) {
    const cell = target.closest('.matrix td[class]');
    if (!cell) return null;
    const rows = [cell.parentElement, cell.closest('tbody').rows[cell.cellIndex - 1]];
    return { cell, links: rows.map((row) => row.querySelector('a')) };
  }

  document.addEventListener('pointerover', ({ target }) => {
    over?.classList.remove('over');
    over = null;
    const found = cellAt(target);
    if (!found) return;
    const { cell, links: [agent, against] } = found;
    const points = cell.textContent.includes('/') ? `${cell.textContent} points` : `${cell.textContent} % of the points`;
    cell.title = `${agent.textContent} against ${against.textContent}: ${points}`;
    over = cell.closest('table').tHead.rows[0].cells[cell.cellIndex];
    over.classList.add('over');
  });
  document.addEventListener('click', ({ target }) => {
    const found = cellAt(target);
    if (found) location.href = `${found.links[0].href}#against=${encodeURIComponent(found.links[1].textContent)}`;
  });
  Connect4Live(['overview-head', 'overview']);
})();
