// The games of a run's report: a list to choose from, and a replay of the chosen one.
// Everything that comes from agents is set as text, never as markup.
'use strict';

(() => {
  const PAGE = 25;
  const games = JSON.parse(document.getElementById('games-data').textContent).sort((a, b) => a.game - b.game);
  const byId = (id) => document.getElementById(id);
  const board = Connect4Board.create(byId('replay-board'));
  const narrow = matchMedia('(max-width: 62rem)'); // the replay is then above the list
  const anyJudged = games.some((each) => each.judged);
  let listed = games;
  let page = 0;
  let game = null;
  let ply = 0;

  function node(name, { text, ...attributes } = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  }

  function winnerName(each) {
    return each.winner ? each.agents[each.winner - 1] : 'nobody';
  }

  // The solver's judgement of a move: the mover's result after it, the mistake if it was one, and a mark.
  function judgementOf(each, index) {
    if (!each.judged) return null;
    const { values, mistakes, losing_ply: losing } = each.judged;
    if (values[index] === null) return null; // not proven
    const mistake = mistakes[index];
    const kind = !mistake ? '' : index === losing ? 'losing' : mistake.changes_result ? 'error' : 'slip';
    return { now: values[index], mistake, kind, mark: { losing: '??', error: '?', slip: '?!' }[kind] ?? '' };
  }

  function judgementText(each, index) {
    const judgement = judgementOf(each, index);
    if (!judgement) return '';
    const { now, kind, mistake } = judgement;
    if (!mistake) return ` Exact value for ${each.agents[Connect4Board.moverOf(each, index) - 1]}: ${now}.`;
    const title = { losing: `First losing move, ${mistake.kind}`, error: `Error, ${mistake.kind}` }[kind]
      ?? mistake.kind[0].toUpperCase() + mistake.kind.slice(1); // a slower win or a sooner loss
    return ` ${title}: ${mistake.before} before, ${now} now.`;
  }

  // A button that opens the game at the loser's first losing move, if there is one.
  function losingButton(each, wordsOf) {
    const ply = each.judged?.losing_ply ?? null;
    if (ply === null) return [];
    const loser = each.agents[Connect4Board.moverOf(each, ply) - 1];
    const button = node('button', { type: 'button', ...wordsOf(ply + 1, loser) });
    button.addEventListener('click', () => openGame(each, ply + 1, true));
    return [button];
  }

  // How many errors each player made, and a button that leads to the first losing move.
  function showJudgement() {
    const line = byId('replay-judged');
    line.hidden = !anyJudged;
    byId('replay-marks').hidden = !game.judged;
    byId('replay').classList.toggle('judged', Boolean(game.judged));
    if (!game.judged) {
      line.replaceChildren('This game is not judged.');
      return;
    }
    const errors = [0, 0];
    game.columns.forEach((_, index) => {
      if (['losing', 'error'].includes(judgementOf(game, index)?.kind)) errors[Connect4Board.moverOf(game, index) - 1] += 1;
    });
    const counts = errors.map((count, seat) => `${game.agents[seat]}: ${count} error${count === 1 ? '' : 's'}`);
    line.replaceChildren(
      `Judged. ${counts.join('; ')}. `,
      ...losingButton(game, (number, loser) => ({ text: `First losing move: ${number}, ${loser}` })),
    );
    const unproven = game.judged.values.lastIndexOf(null) + 1;
    if (unproven) line.append(`The solver could not prove the moves up to ${unproven}. `);
    if (game.winner && game.judged.losing_ply === null && game.judged.opening_score !== null) {
      const toMove = Connect4Board.moverOf(game, game.opening);
      const score = game.judged.opening_score * (toMove === game.winner ? 1 : -1);
      line.append(score > 0 ? 'The loser was already lost after the opening.' : 'The position was not lost before the fault.');
    }
  }

  // The evidence of a fault and the overruns, folded up.
  function evidence(each) {
    const { fault, overruns } = each;
    if (!fault && !overruns.length) return [];
    const parts = [];
    if (fault) {
      const exit = fault.exit_status === null ? 'still running' : `exit status ${fault.exit_status}`;
      parts.push(node('p', { text: `${each.agents[fault.player - 1]} (player ${fault.player}): ${fault.detail}; ${exit}` }));
      if (fault.reply !== null) parts.push(node('div', { text: 'reply' }), node('pre', { text: fault.reply }));
      if (fault.stderr_tail) {
        parts.push(node('div', { text: 'end of standard error' }), node('pre', { text: fault.stderr_tail }));
      }
    }
    for (const overrun of overruns) {
      const who = each.agents[overrun.player - 1];
      parts.push(node('p', {
        text: `move ${overrun.ply + 1}: ${who} took ${overrun.elapsed_ms.toFixed(1)} ms of ${overrun.limit_ms} ms`,
      }));
    }
    return [node('details', { class: 'evidence' }, node('summary', { text: fault ? 'evidence' : 'overruns' }), ...parts)];
  }

  function listGames() {
    const rows = listed.slice(page * PAGE, (page + 1) * PAGE).map((each) => {
      const button = node('button', { type: 'button', text: String(each.game), 'aria-label': `replay game ${each.game}` });
      button.addEventListener('click', () => openGame(each, each.columns.length, true));
      const ending = node('span', { text: each.ending });
      if (each.fault) ending.className = 'fault';
      const row = node(
        'tr', { 'data-game': each.game },
        node('td', {}, button),
        ...each.agents.map((name, seat) => node('td', {
          class: 'words', text: seat + 1 === each.first ? `${name} (began)` : name,
        })),
        node('td', { class: 'words', text: winnerName(each) }),
        node('td', { class: 'words' }, ending, ...evidence(each)),
        node('td', { text: String(each.columns.length) }),
        ...(anyJudged ? [node('td', { class: 'words' }, ...losingButton(each, (number, loser) => ({
          text: `move ${number}`, 'aria-label': `game ${each.game}, first losing move: move ${number}, ${loser}`,
        })))] : []),
      );
      if (each === game) row.setAttribute('aria-current', 'true');
      return row;
    });
    byId('game-list').tBodies[0].replaceChildren(...rows);
    const from = listed.length ? page * PAGE + 1 : 0;
    byId('list-place').textContent = `${from} to ${Math.min((page + 1) * PAGE, listed.length)} of ${listed.length}`;
    byId('list-back').disabled = page === 0;
    byId('list-on').disabled = (page + 1) * PAGE >= listed.length;
  }

  function filterGames() {
    const [agent, ending] = [byId('filter-agent').value, byId('filter-ending').value];
    listed = games.filter((each) => (!agent || each.agents.includes(agent)) && (!ending || each.ending === ending));
    page = 0;
    listGames();
  }

  function moveButton(column, index) {
    const player = Connect4Board.moverOf(game, index);
    const time = game.times_ms[index - game.opening];
    const judgement = judgementOf(game, index);
    const spoken = [`move ${index + 1}, ${game.agents[player - 1]}, column ${column + 1}`];
    if (index < game.opening) spoken.push('opening');
    if (time !== undefined) spoken.push(`${time} ms`);
    if (judgement?.mistake) spoken.push(judgementText(game, index).trim());
    const button = node(
      'button', { type: 'button', 'aria-label': spoken.join(', '), title: spoken.join(', ') },
      node('span', { class: 'number', text: String(index + 1) }), Connect4Board.sign(player),
      `${column + 1}${judgement?.mark ? ` ${judgement.mark}` : ''}`,
    );
    button.addEventListener('click', () => showPly(index + 1));
    const classes = [index < game.opening ? 'opening' : '', judgement?.kind].filter(Boolean).join(' ');
    return node('li', classes ? { class: classes } : {}, button);
  }

  function openGame(each, atPly, focus) {
    game = each;
    byId('replay-title').textContent = `Replay of game ${game.game}`;
    const parts = [1, 2].map((player) => node(
      'span', {}, Connect4Board.sign(player),
      `${game.agents[player - 1]}, player ${player}${player === game.first ? ', began' : ''}`,
    ));
    byId('replay-players').replaceChildren(...parts);
    byId('replay-moves').replaceChildren(...game.columns.map(moveButton));
    showJudgement();
    byId('replay-evidence').replaceChildren(...evidence(game));
    for (const row of byId('game-list').tBodies[0].rows) {
      if (row.dataset.game === String(game.game)) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    showPly(atPly);
    if (focus) {
      history.replaceState(null, '', `#game-${game.game}`);
      byId('replay').focus({ preventScroll: true });
      byId('replay').scrollIntoView({ block: narrow.matches ? 'start' : 'nearest' });
    }
  }

  function showPly(wanted) {
    if (!game) return;
    ply = Math.max(0, Math.min(wanted, game.columns.length));
    board.show(game, ply);
    let text = Connect4Board.describe(game, ply, game.agents);
    if (ply > 0) text += judgementText(game, ply - 1);
    if (ply === game.columns.length) text += ` The game ended: ${game.ending}, won by ${winnerName(game)}.`;
    byId('replay-status').textContent = text;
    byId('replay-start').disabled = byId('replay-back').disabled = ply === 0;
    byId('replay-on').disabled = byId('replay-end').disabled = ply === game.columns.length;
    byId('replay-moves').querySelectorAll('button').forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  const steps = {
    'replay-start': () => 0,
    'replay-back': () => ply - 1,
    'replay-on': () => ply + 1,
    'replay-end': () => game.columns.length,
  };
  const keys = { Home: 'replay-start', ArrowLeft: 'replay-back', ArrowRight: 'replay-on', End: 'replay-end' };
  for (const [id, step] of Object.entries(steps)) byId(id).addEventListener('click', () => game && showPly(step()));
  byId('replay').addEventListener('keydown', (event) => {
    if (!game || !(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    showPly(steps[keys[event.key]]());
    // A button that just became disabled would lose the focus, and with it the keys.
    if (document.activeElement?.disabled || document.activeElement === document.body) byId('replay').focus();
  });

  function fillSelect(id, values) {
    byId(id).append(...[...new Set(values)].sort().map((value) => node('option', { value, text: value })));
    byId(id).addEventListener('change', filterGames);
  }

  fillSelect('filter-agent', games.flatMap((each) => each.agents));
  fillSelect('filter-ending', games.map((each) => each.ending));
  byId('list-back').addEventListener('click', () => { page -= 1; listGames(); });
  byId('list-on').addEventListener('click', () => { page += 1; listGames(); });
  document.querySelector('.filters').addEventListener('submit', (event) => event.preventDefault());
  byId('list-losing').hidden = !anyJudged;
  listGames();
  const asked = games.find((each) => `#game-${each.game}` === location.hash);
  if (asked) openGame(asked, asked.columns.length, true);
  else if (games.length) openGame(games[0], games[0].columns.length, false);
})();
