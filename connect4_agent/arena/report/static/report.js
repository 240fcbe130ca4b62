// The games of a run's page: a list to choose from, and a replay of the chosen one. The part of the address behind #
// holds what is shown: agent, against, result, ending, game. A page from the web server follows its run.
// Everything that comes from agents is set as text, never as markup.
'use strict';

(() => {
  const PAGE = 25;
  const FILTERS = ['agent', 'against', 'result', 'ending'];
  const byId = (id) => document.getElementById(id);
  const board = Connect4Board.create(byId('replay-board'));
  const narrow = matchMedia('(max-width: 62rem)'); // the replay is then below the list
  const { moverOf, node } = Connect4Board;
  let run = readRun(document);
  let listed = [];
  let page = 0;
  let game = null;
  let ply = 0;
  let curve = null; // of a judged game

  // The games in a page: lists of values in the order in which html.py writes them.
  function readRun(source) {
    const { endings, names, games, sentences } = JSON.parse(source.getElementById('games-data').textContent);
    const read = ([number, one, two, width, height, first, opening, moves, ending, winner, more]) => ({
      game: number, agents: [names[one], names[two]], width, height, first, opening,
      columns: typeof moves === 'string' ? Array.from(moves, (sign) => parseInt(sign, 36) - 1) : moves,
      ending: endings[ending], winner: winner || null, times_ms: [], fault: null, overruns: [], scores: null, ...more,
      words: (more.words ?? []).map((index) => sentences[index]),
    });
    const found = games.map(read).sort((a, b) => a.game - b.game);
    return { names, games: found, anyJudged: found.some((each) => each.scores) };
  }

  function winnerName(each) {
    return each.winner ? each.agents[each.winner - 1] : '\u2013';
  }

  // A button that opens the game at the loser's first losing move, if there is one.
  function losingButton(each, wordsOf) {
    const index = each.losing ?? null;
    if (index === null) return [];
    const button = node('button', { type: 'button', ...wordsOf(index + 1, each.agents[moverOf(each, index) - 1]) });
    button.addEventListener('click', () => { visit(each); showPly(index + 1); });
    return [button];
  }

  // How well each player played, and a button that leads to the first losing move.
  function showJudgement() {
    const line = byId('replay-judged');
    line.hidden = !run.anyJudged;
    byId('replay-marks').hidden = !game.scores;
    byId('replay').classList.toggle('judged', Boolean(game.scores));
    curve = game.scores && Connect4Curve.draw(game, game.scores, {
      label: `Who was winning after each move: ${game.agents[0]} above, ${game.agents[1]} below`,
      words: game.agents.map((name) => `${name} wins`),
      jump: showPly,
    });
    byId('replay-curve').replaceChildren(...(curve ? [curve.svg] : []));
    if (!game.scores) {
      line.replaceChildren('This game is not judged.');
      return;
    }
    line.replaceChildren(
      ...game.judgement.map((text) => node('span', { text })),
      ...losingButton(game, (number, loser) => ({ text: `First losing move: ${number}, ${loser}` })),
    );
  }

  // The evidence of a fault and the overruns.
  function evidence(each) {
    const { fault, overruns } = each;
    const parts = [];
    if (fault?.detail) {
      const exit = fault.exit_status === null ? 'still running' : `exit status ${fault.exit_status}`;
      parts.push(node('p', { text: `${each.agents[fault.player - 1]}: ${fault.detail}; ${exit}` }));
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
    if (!parts.length) return [];
    return [node('details', { class: 'evidence' }, node('summary', { text: fault ? 'evidence' : 'overruns' }), ...parts)];
  }

  // What an ending says in the list: a fault with the last line of standard error.
  function endingWords(each) {
    const lines = (each.fault?.stderr_tail ?? '').split('\n').map((line) => line.trim()).filter(Boolean);
    return lines.length ? `${each.ending}: ${lines.at(-1).slice(0, 80)}` : each.ending;
  }

  function listGames() {
    const rows = listed.slice(page * PAGE, (page + 1) * PAGE).map((each) => {
      const button = node('button', { type: 'button', text: String(each.game), 'aria-label': `replay game ${each.game}` });
      button.addEventListener('click', () => visit(each));
      const row = node(
        'tr', { 'data-game': each.game },
        node('td', {}, button),
        ...each.agents.map((name, seat) => node('td', {
          class: 'words', text: seat + 1 === each.first ? `${name} (began)` : name,
        })),
        node('td', { class: 'words', text: winnerName(each) }),
        node('td', { class: each.fault ? 'words fault' : 'words ending', text: endingWords(each) }),
        node('td', { text: String(each.columns.length) }),
        ...(run.anyJudged ? [node('td', { class: 'words' }, ...losingButton(each, (number, loser) => ({
          text: `move ${number}`, 'aria-label': `game ${each.game}, first losing move: move ${number}, ${loser}`,
        })))] : []),
      );
      row.addEventListener('click', (event) => { if (!event.target.closest('button')) visit(each); });
      if (each === game) row.setAttribute('aria-current', 'true');
      return row;
    });
    byId('list-losing').hidden = !run.anyJudged;
    byId('game-list').tBodies[0].replaceChildren(...rows);
    const from = listed.length ? page * PAGE + 1 : 0;
    byId('list-place').textContent = `${from} to ${Math.min((page + 1) * PAGE, listed.length)} of ${listed.length}`;
    byId('list-back').disabled = page === 0;
    byId('list-on').disabled = (page + 1) * PAGE >= listed.length;
    const place = listed.indexOf(game);
    byId('game-back').disabled = place < 1;
    byId('game-on').disabled = place < 0 || place + 1 >= listed.length;
  }

  function isAsked(each) {
    const [agent, against, result, ending] = FILTERS.map((name) => byId(`filter-${name}`).value);
    if ((agent && !each.agents.includes(agent)) || (against && !each.agents.includes(against))) return false;
    if (ending && each.ending !== ending) return false;
    if (result === 'fault') return each.fault !== null && (!agent || each.agents[each.fault.player - 1] === agent);
    if (result === 'drawn') return each.winner === null;
    if (result === 'won') return each.winner !== null && (!agent || winnerName(each) === agent);
    if (result === 'lost') return each.winner !== null && (!agent || winnerName(each) !== agent);
    return true;
  }

  function moveButton(column, index) {
    const player = moverOf(game, index);
    const time = game.times_ms[index - game.opening];
    const [grade, mark] = game.marks?.[index] || [];
    const more = [];
    if (index < game.opening) more.push('opening');
    if (time !== undefined) more.push(`${time} ms`);
    if (mark) more.push(game.words[index]);
    const unseen = (text) => node('span', { class: 'unseen', text });
    const button = node(
      'button', { type: 'button', title: [game.agents[player - 1], ...more].join(', ') },
      unseen('move '), node('span', { class: 'number', text: String(index + 1) }), Connect4Board.sign(player),
      unseen(`, ${game.agents[player - 1]}, column `), `${column + 1}${mark ? ` ${mark}` : ''}`,
    );
    button.addEventListener('click', () => showPly(index + 1));
    const classes = [index < game.opening ? 'opening' : '', grade].filter(Boolean).join(' ');
    return node('li', classes ? { class: classes } : {}, button);
  }

  function showGame(each, atPly) {
    game = each;
    byId('replay-title').textContent = `Game ${game.game}: ${game.winner ? `${winnerName(game)} wins` : 'no winner'}, ${game.ending}`;
    const parts = [1, 2].map((player) => node(
      'span', {}, Connect4Board.sign(player),
      `${game.agents[player - 1]}${player === game.first ? ', began' : ''}`,
    ));
    byId('replay-players').replaceChildren(...parts);
    byId('replay-moves').replaceChildren(...game.columns.map(moveButton));
    showJudgement();
    byId('replay-evidence').replaceChildren(...evidence(game));
    byId('replay-evidence').querySelector('details')?.setAttribute('open', '');
    showPly(atPly);
  }

  // Shows a game that somebody chose.
  function visit(each) {
    go({ game: String(each.game) });
    byId('replay').focus({ preventScroll: true });
    byId('replay').scrollIntoView({ block: narrow.matches ? 'start' : 'nearest' });
  }

  function showPly(wanted) {
    if (!game) return;
    ply = Math.max(0, Math.min(wanted, game.columns.length));
    board.show(game, ply);
    let text = Connect4Board.describe(game, ply, game.agents);
    if (game.words[ply - 1]) text += ` ${game.words[ply - 1]}`;
    const wonBy = game.winner ? `, won by ${winnerName(game)}` : '';
    if (ply === game.columns.length) text += ` The game ended: ${game.ending}${wonBy}.`;
    byId('replay-status').textContent = text;
    byId('replay-start').disabled = byId('replay-back').disabled = ply === 0;
    byId('replay-on').disabled = byId('replay-end').disabled = ply === game.columns.length;
    curve?.at(ply);
    const { first, width, height } = game;
    const signs = game.columns.map((column) => (column + 1).toString(36)).join('');
    const people = { one: 'person', two: 'person', first, width, height };
    byId('play-on')?.setAttribute('href', `/?${new URLSearchParams({ moves: signs.slice(0, ply), ...people })}`);
    byId('analyse')?.setAttribute('href', `/analyse?${new URLSearchParams({ moves: signs, at: ply, first, width, height })}`);
    byId('replay-moves').querySelectorAll('button').forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  // The ply after the next or last mistake, from the present one.
  function mistakePly(direction) {
    for (let at = ply + direction; at > 0 && at <= game.columns.length; at += direction) {
      if (game.marks?.[at - 1]) return at;
    }
    return ply;
  }

  const steps = {
    'replay-start': () => 0,
    'replay-back': () => ply - 1,
    'replay-on': () => ply + 1,
    'replay-end': () => game.columns.length,
  };
  const keys = {
    Home: steps['replay-start'], ArrowLeft: steps['replay-back'], ArrowRight: steps['replay-on'], End: steps['replay-end'],
    ',': () => mistakePly(-1), '.': () => mistakePly(1),
  };
  for (const [id, step] of Object.entries(steps)) byId(id).addEventListener('click', () => game && showPly(step()));
  byId('replay').addEventListener('keydown', (event) => {
    if (!game || !(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    showPly(keys[event.key]());
    // A button that just became disabled would lose the focus, and with it the keys.
    if (document.activeElement?.disabled || document.activeElement === document.body) byId('replay').focus();
  });
  byId('game-back').addEventListener('click', () => visit(listed[listed.indexOf(game) - 1]));
  byId('game-on').addEventListener('click', () => visit(listed[listed.indexOf(game) + 1]));
  byId('list-back').addEventListener('click', () => { page -= 1; listGames(); });
  byId('list-on').addEventListener('click', () => { page += 1; listGames(); });

  function fillSelect(name, values) {
    const select = byId(`filter-${name}`);
    const kept = select.value;
    while (select.options.length > 1) select.remove(1);
    select.append(...[...new Set(values)].sort().map((value) => node('option', { value, text: value })));
    select.value = kept;
  }

  function fillFilters() {
    fillSelect('agent', run.names);
    fillSelect('against', run.names);
    fillSelect('ending', run.games.map((each) => each.ending));
    byId('replay').hidden = !run.games.length;
  }

  // Writes what is to be shown into the address, and shows it.
  function go(changes) {
    const wanted = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    for (const [name, value] of Object.entries(changes)) {
      if (value) wanted.set(name, value);
      else wanted.delete(name);
    }
    history.pushState(null, '', `#${wanted.toString() || 'games'}`);
    follow();
  }

  // Shows what the address asks for; an anchor of the page asks for nothing.
  function follow() {
    const anchor = location.hash && !location.hash.includes('=');
    if (!anchor || !listed.length) {
      const wanted = new URLSearchParams(location.hash.slice(1));
      for (const name of FILTERS) {
        const select = byId(`filter-${name}`);
        select.value = wanted.get(name) ?? '';
        if (select.selectedIndex < 0) select.value = '';
      }
      listed = run.games.filter(isAsked);
      const asked = wanted.get('game');
      const found = run.games.find((each) => String(each.game) === asked);
      byId('message').hidden = asked === null || Boolean(found);
      byId('message').textContent = `There is no game ${asked} in this run.`;
      const shown = found ?? listed[0] ?? null;
      page = Math.max(0, Math.floor(listed.indexOf(shown) / PAGE));
      if (shown && shown !== game) showGame(shown, shown.columns.length);
      listGames();
      return Boolean(found);
    }
    return false;
  }

  function followVisibly() {
    const isGame = follow();
    const isFiltered = FILTERS.some((name) => byId(`filter-${name}`).value);
    if (isGame) byId('replay').focus({ preventScroll: true });
    if (location.hash.includes('=') && (isGame || isFiltered)) byId(isGame && narrow.matches ? 'replay' : 'games').scrollIntoView();
  }

  // A cell of the crosstable lists its games; the keyboard has the filters for that.
  byId('overview').addEventListener('click', ({ target }) => {
    const cell = target.closest('.matrix td[class]');
    if (!cell) return;
    const rows = [cell.parentElement, cell.closest('tbody').rows[cell.cellIndex - 1]];
    const [agent, against] = rows.map((row) => new URLSearchParams(row.querySelector('a').hash.slice(1)).get('agent'));
    go({ agent, against, result: '', ending: '', game: '' });
    byId('games').scrollIntoView();
  });
  for (const name of FILTERS) {
    byId(`filter-${name}`).addEventListener('change', (event) => go({ [name]: event.target.value, game: '' }));
  }
  document.querySelector('.filters').addEventListener('submit', (event) => event.preventDefault());
  addEventListener('hashchange', followVisibly);
  addEventListener('popstate', follow);
  document.querySelector('.games').hidden = false;
  fillFilters();
  followVisibly();

  Connect4Live(['overview-head', 'overview', 'details'], (copy) => {
    run = readRun(copy);
    const [number, at, isAtEnd] = [game?.game, ply, game && ply === game.columns.length];
    const [again, kept] = [run.games.find((each) => each.game === number), page];
    fillFilters();
    listed = run.games.filter(isAsked);
    page = Math.min(kept, Math.max(0, Math.ceil(listed.length / PAGE) - 1));
    if (again) showGame(again, isAtEnd ? again.columns.length : at);
    else follow();
    listGames();
  });
})();
