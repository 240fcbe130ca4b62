// The one way to the calls: whatever answers them, a server or a worker in the page, is behind `call`.

// Whether only this computer can open the page's address.
export const isHere = () => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

// Text without the marks that reverse its direction, which could make one name look like another.
export const plainText = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

export function isAbort(error) {
  return error.name === 'AbortError';
}

function addressOf(name, query) {
  const wanted = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return `api/${name}${wanted.length ? `?${new URLSearchParams(wanted)}` : ''}`;
}

function unreachable() {
  const error = new Error(isHere() ? 'The server is not answering. Is connect4-agent web still running?'
    : 'The server is not answering. Are you online?');
  return Object.assign(error, { isUnreachable: true });
}

// The answer to a call by its name, such as move or puzzle/day. `body` is what is sent as JSON, null for nothing; `query`
// holds what the address says. Throws an Error that people can read, with the call's own words in `said` and their
// `code`; with `isUnreachable` if nothing answers, and with `retrySeconds` while there is too much to do.
export async function call(name, body = null, { query = {}, signal = undefined } = {}) {
  const sent = body === null ? {}
    : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(addressOf(name, query), { cache: 'no-store', signal, ...sent });
  } catch (error) {
    throw isAbort(error) ? error : unreachable();
  }
  let answer = null;
  try {
    answer = JSON.parse(plainText(await response.text()));
  } catch (error) {
    if (isAbort(error)) throw error;
  }
  if (response.ok && answer !== null && answer.error === undefined) return answer;
  const said = answer?.error ?? `status ${response.status}`;
  const error = Object.assign(new Error(`The server says: ${said}.`.replace(/\.\.$/, '.')), { said, code: answer?.code });
  if (error.code === 'too_busy') Object.assign(error, { retrySeconds: Number(response.headers.get('Retry-After')) || 1 });
  throw error;
}
