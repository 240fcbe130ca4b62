// Requests to the server, and its errors as readable sentences.
import { requestOf } from './game.js';
import { isHere, plainText } from './page.js';

async function answerOf(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const silent = new Error(isHere() ? 'The server is not answering. Is connect4-agent web still running?'
      : 'The server is not answering. Are you online?');
    silent.isUnreachable = true;
    throw silent;
  }
  let body = null;
  try {
    body = JSON.parse(plainText(await response.text()));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
  }
  if (!response.ok || body === null || body.error !== undefined) {
    const said = body?.error ?? `status ${response.status}`;
    const error = new Error(`The server says: ${said}.`.replace(/\.\.$/, '.'));
    [error.said, error.code] = [said, body?.code];
    if (error.code === 'too_busy') error.retrySeconds = Number(response.headers.get('Retry-After')) || 1;
    throw error;
  }
  return body;
}

export function isAbort(error) {
  return error.name === 'AbortError';
}

function post(path, body, signal) {
  return answerOf(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
  });
}

function withQuery(path, values) {
  const wanted = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  return wanted.length ? `${path}?${new URLSearchParams(wanted)}` : path;
}

export function askPlayers() {
  return answerOf('/api/players');
}

export function askMove(request, { player, seed }, signal) {
  return post(withQuery('/api/move', { player, seed }), request, signal);
}

export function askAnalysis(request, signal) {
  return post('/api/analyze', request, signal);
}

// The same, with best play to the end.
export function askLine(request, signal) {
  return post(withQuery('/api/analyze', { explain: 'true' }), request, signal);
}

// Why a column is worth what it is; null for the position itself.
export function askReason(request, column, signal) {
  return post(withQuery('/api/explain', { column: column === null ? '' : String(column) }), request, signal);
}

// A game for the server, from the empty board or from a position that was set up.
function bodyOf(game) {
  const { columns, width, height, first, start } = game;
  return { columns, width, height, first, ...(start ? { grid: requestOf(game, 0).grid } : {}) };
}

// A plan's reply to the last of a game's moves.
export function askPlan(game, plan, signal) {
  return post('/api/plan', { ...bodyOf(game), plan }, signal);
}

export function askJudgement(game, signal) {
  return post('/api/judge', bodyOf(game), signal);
}

export function askPuzzle(values, signal) {
  return answerOf(withQuery('/api/puzzle', values), { signal });
}

export function askPuzzleOfTheDay(date, signal) {
  return answerOf(withQuery('/api/puzzle/day', { date }), { signal });
}

export function askPuzzlesOf(game, signal) {
  return post('/api/puzzles', bodyOf(game), signal);
}
