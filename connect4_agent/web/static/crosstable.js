// The crosstable of a run: each agent's points against every other, with buttons that list those games.
import { button, node } from './page.js';

function shownPoints(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return `${whole || ''}\u00bd`;
}

// {points, games} of one agent against another; null if they did not meet.
function met(report, row, column) {
  for (const { a, b, games, points } of report.pairings) {
    if (a === row && b === column) return { points, games };
    if (a === column && b === row) return { points: games - points, games };
  }
  return null;
}

function cell(report, row, column, choose) {
  if (row === column) return node('td', { class: 'self', text: '\u2013' });
  const found = met(report, row, column);
  if (!found?.games) return node('td', { class: 'self', text: 'none' });
  const words = `${row} against ${column}: ${found.points} of ${found.games} points; list these games`;
  return node('td', {}, button({ 'aria-label': words, title: words }, () => choose(row, column),
    `${shownPoints(found.points)} `, node('span', { class: 'of', text: `of ${found.games}` })));
}

// `choose(agent, against)` is called for a click on a cell.
export function drawCrosstable(table, report, choose) {
  const names = report.agents.map((agent) => agent.name);
  table.tHead.replaceChildren(node('tr', {},
    ...['Agent', 'Points', ...names].map((text) => node('th', { scope: 'col', text }))));
  table.tBodies[0].replaceChildren(...report.agents.map((agent) => node('tr', {},
    node('th', { scope: 'row', text: agent.name }),
    node('td', { text: `${shownPoints(agent.points)} of ${agent.games}` }),
    ...names.map((other) => cell(report, agent.name, other, choose)))));
}
