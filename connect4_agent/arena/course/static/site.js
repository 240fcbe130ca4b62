// The index of a course's site: a cell of the results says whose it is, and leads to its games.
'use strict';

(() => {
  // The link to the page of a cell's agent, and that of its opponent.
  function linksOf(event) {
    const cell = event.target.closest('.matrix td');
    if (!cell || !cell.className) return null;
    const rows = cell.closest('tbody').rows;
    return { cell, links: [cell.parentElement, rows[cell.cellIndex - 1]].map((row) => row.querySelector('a')) };
  }

  document.addEventListener('pointerover', (event) => {
    const found = linksOf(event);
    if (!found) return;
    const [agent, against] = found.links.map((link) => link.textContent);
    const text = found.cell.textContent;
    found.cell.title = `${agent} against ${against}: ${text.includes('/') ? `${text} points` : `${text} %`}`;
  });
  document.addEventListener('click', (event) => {
    const found = linksOf(event);
    if (found) location.href = `${found.links[0].href}#against=${encodeURIComponent(found.links[1].textContent)}`;
  });
  Connect4Live(['overview-head', 'overview']);
})();
