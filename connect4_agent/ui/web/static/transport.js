// The one way to the calls: whatever answers them, a server or a worker in the page, is behind `call`.

// Whether only this computer can open the page's address.
export const isHere = () => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

// Text without the marks that reverse its direction, which could make one name look like another.
export const plainText = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

export const isAbort = (error) => error.name === 'AbortError';

function unreachable() {
  const error = new Error(isHere() ? 'The server is not answering. Is connect4-agent web still running?'
    : 'The server is not answering. Are you online?');
  return Object.assign(error, { isUnreachable: true });
}

// On a static host a worker in the page answers: its page says so, and has this module.
const inBrowser = document.querySelector('meta[name="connect4-host"]') && import('./in_browser.js');

// What answers says in JSON, and the seconds to wait if it has too much to do.
async function ask(name, query, body, signal) {
  if (inBrowser) return { answer: await (await inBrowser).answer(name, query, body, signal) };
  const sent = body === null ? {}
    : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const words = new URLSearchParams(query).toString();
  let response;
  try {
    response = await fetch(`api/${name}${words && `?${words}`}`, { cache: 'no-store', signal, ...sent });
  } catch (error) {
    throw isAbort(error) ? error : unreachable();
  }
  let answer;
  try {
    answer = JSON.parse(plainText(await response.text()));
  } catch (error) {
    if (isAbort(error)) throw error;
  }
  if (!answer || (!response.ok && answer.error === undefined)) answer = { error: `status ${response.status}` };
  return { answer, retrySeconds: Number(response.headers.get('Retry-After')) || 1 };
}

// The answer to a call by its name, such as move or puzzle/day. `body` is what is sent as JSON, null for nothing; `query`
// holds what the address says. Throws an Error that people can read, with the call's own words in `said` and their
// `code`; with `isUnreachable` if nothing answers, and with `retrySeconds` while there is too much to do.
export async function call(name, body = null, { query = {}, signal = undefined } = {}) {
  const wanted = Object.fromEntries(Object.entries(query).filter(([, value]) => ![null, undefined, ''].includes(value)));
  const { answer, retrySeconds } = await ask(name, wanted, body, signal);
  const { error: said, code } = answer;
  if (said === undefined) return answer;
  const words = inBrowser ? `This cannot be answered: ${said}.` : `The server says: ${said}.`;
  const error = Object.assign(new Error(words.replace(/\.\.$/, '.')), { said, code });
  if (code === 'too_busy') Object.assign(error, { retrySeconds });
  throw error;
}
