// The crosstable: a cell says whose it is, and leads to its games, also with the arrow keys.
'use strict';

(() => {
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  let over = null; // the head of the column that the pointer is over

  // An agent's name; its link shows it without what cannot be printed.
  const nameOf = (link) => new URLSearchParams(link.hash.slice(1)).get('agent');

  // A cell of the results with its meaning in words, and the address of its games.
  function cellAt(target) {
    const cell = target.closest('.matrix td[class]');
    if (!cell) return null;
    const rows = [cell.parentElement, cell.closest('tbody').rows[cell.cellIndex - 1]];
    const [agent, against] = rows.map((row) => row.querySelector('th a'));
    const points = cell.textContent.includes('/') ? `${cell.textContent} points` : `${cell.textContent} % of the points`;
    return {
      cell,
      words: `${agent.textContent} against ${against.textContent}: ${points}`,
      address: `${agent.href}&against=${encodeURIComponent(nameOf(against))}`,
    };
  }

  // One cell at a time is a link, which the arrow keys move: with Tab, the whole table is one step.
  function link({ cell, words, address }) {
    const made = document.createElement('a');
    made.href = address;
    made.ariaLabel = words;
    made.append(...cell.childNodes);
    cell.append(made);
    return made;
  }

  // Called again when the table has been replaced.
  globalThis.Connect4Matrix = () => {
    const first = document.querySelector('.matrix td[class]');
    if (first) link(cellAt(first));
  };

  document.addEventListener('pointerover', ({ target }) => {
    over?.classList.remove('over');
    over = null;
    const found = cellAt(target);
    if (!found) return;
    found.cell.title = found.words;
    over = found.cell.closest('table').tHead.rows[0].cells[found.cell.cellIndex];
    over.classList.add('over');
  });
  document.addEventListener('click', ({ target }) => {
    const found = target.closest('a') ? null : cellAt(target);
    if (found) location.href = found.address;
  });
  document.addEventListener('keydown', (event) => {
    const [old, step] = [event.target.closest('.matrix td a'), STEPS[event.key]];
    if (!old || !step) return;
    event.preventDefault();
    let cell = old.parentElement;
    do cell = cell.closest('tbody').rows[cell.parentElement.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
    while (cell && !cell.matches('td[class]'));
    if (!cell) return;
    old.replaceWith(...old.childNodes);
    link(cellAt(cell)).focus();
  });
  Connect4Matrix();
})();
