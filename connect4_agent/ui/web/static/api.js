// The calls by name: what each one asks for.
import { requestOf } from './game.js';
import { call } from './transport.js';

export const askPlayers = () => call('players');

export const askMove = (request, { player, seed }, signal) => call('move', request, { query: { player, seed }, signal });

export const askAnalysis = (request, signal) => call('analyze', request, { signal });

// The same, with best play to the end.
export const askLine = (request, signal) => call('analyze', request, { query: { explain: 'true' }, signal });

// Why a column is worth what it is; null for the position itself.
export const askReason = (request, column, signal) => call('explain', request, { query: { column }, signal });

export const askHint = (request, signal) => call('hint', request, { signal });

// What each column overlooks.
export const askRisks = (request, signal) => call('risks', request, { signal });

// A game for the server, from the empty board or from a position that was set up.
function bodyOf(game) {
  const { columns, width, height, first, start } = game;
  return { columns, width, height, first, ...(start ? { grid: requestOf(game, 0).grid } : {}) };
}

// A plan's reply to the last of a game's moves.
export const askPlan = (game, plan, signal) => call('plan', { ...bodyOf(game), plan }, { signal });

export const askJudgement = (game, signal) => call('judge', bodyOf(game), { signal });

export const askPuzzle = (query, signal) => call('puzzle', null, { query, signal });

export const askPuzzleOfTheDay = (date, signal) => call('puzzle/day', null, { query: { date }, signal });

export const askPuzzlesOf = (game, signal) => call('puzzles', bodyOf(game), { signal });
