// Keeps the files of one version of the site, all or none: the next visit has the new ones, also without a network.
const FILES = {}; // filled in: the SHA-256 of every file by its path
const VERSION = ''; // filled in: the SHA-256 of those
const CACHE = `connect4-agent ${registration.scope} `;

async function keep(cache, [path, hash]) {
  const response = await fetch(path, { cache: 'no-cache' });
  const bytes = await response.clone().arrayBuffer();
  const found = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))];
  // While a host changes versions, it may have files of both.
  if (found.map((byte) => byte.toString(16).padStart(2, '0')).join('') !== hash) throw new Error(`${path} is of another version`);
  await cache.put(path, response);
}

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE + VERSION).then((cache) => Promise.all(Object.entries(FILES).map((file) => keep(cache, file)))));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith(CACHE) && name !== CACHE + VERSION).map((name) => caches.delete(name)),
  )));
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const path = decodeURI(url).slice(registration.scope.length).split(/[?#]/)[0] || 'index.html';
  if (method !== 'GET' || !url.startsWith(registration.scope) || !(path in FILES)) return;
  event.respondWith(caches.open(CACHE + VERSION).then(async (cache) => await cache.match(path) ?? fetch(event.request)));
});
