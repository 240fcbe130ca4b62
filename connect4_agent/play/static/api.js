// Questions to the server, and its errors as sentences for people.

export class ServerError extends Error {
  constructor(message, { code = '', status = 0 } = {}) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function answerOf(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServerError('The server does not answer. Is connect4-agent web still running?', { code: 'unreachable' });
  }
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
  }
  if (!response.ok || body === null || body.error !== undefined) {
    const said = body?.error?.message ?? body?.error ?? `status ${response.status}`;
    throw new ServerError(`The server says: ${said}.`.replace(/\.\.$/, '.'), {
      code: body?.error?.code ?? body?.code ?? '', status: response.status,
    });
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

export function askJudgement({ columns, width, height, first }, signal) {
  return post('/api/judge', { columns, width, height, first }, signal);
}

export function askRun() {
  return answerOf('/api/run');
}

export function askGames(values, signal) {
  return answerOf(withQuery('/api/run/games', values), { signal });
}

export function askGame(number, signal) {
  return answerOf(`/api/run/games/${number}`, { signal });
}
