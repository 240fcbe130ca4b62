// Holds Python and answers one call at a time: {name, text} is answered by {text}, or by {error} for a defect.
// {stop: true} ends the call that runs, where WebAssembly can wait for a promise.
const HOME = '/package';
const LATE = '7x6.layer';
const canStop = Boolean(globalThis.WebAssembly?.Suspending);
let isUnwanted = false;

const urlOf = (name) => new URL(name, import.meta.url);

async function read(name) {
  const response = await fetch(urlOf(name));
  if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  return response.arrayBuffer();
}

// A file that is fetched when Python opens it, which cannot wait: only there is a call that blocks.
function addLateFile(FS, folder, name) {
  FS.writeFile(`${folder}/${name}`, '');
  const { node } = FS.lookupPath(`${folder}/${name}`);
  const { open } = node.stream_ops;
  let isThere = false;
  node.stream_ops = { ...node.stream_ops,
    open(stream) {
      if (!isThere) {
        const request = new XMLHttpRequest();
        request.open('GET', urlOf(name), false);
        request.responseType = 'arraybuffer';
        request.send();
        if (request.status !== 200) throw new FS.ErrnoError(29); // EIO
        node.contents = new Uint8Array(request.response);
        node.usedBytes = node.contents.length;
        isThere = true;
      }
      open?.(stream);
    } };
}

async function start() {
  if (!globalThis.WebAssembly) throw new Error('this browser has no WebAssembly');
  const pack = read('package.zip');
  const { loadPyodide } = await import('./pyodide.mjs');
  const python = await loadPyodide({ indexURL: urlOf('./').href });
  postMessage({ share: 0.7 });
  python.unpackArchive(await pack, 'zip', { extractDir: HOME });
  addLateFile(python.FS, `${HOME}/connect4_agent/engine/book`, LATE);
  python.pyimport('sys').path.append(HOME);
  const { answer } = python.pyimport('connect4_agent.ui.web.browser');
  postMessage({ share: 1, canStop });
  return answer;
}

const started = start();
started.catch((error) => postMessage({ failed: error.message }));

// Other messages arrive while this waits.
const look = () => new Promise((resolve) => { setTimeout(() => resolve(isUnwanted)); });

onmessage = async ({ data: { name, text, stop } }) => {
  if (stop) {
    isUnwanted = true;
    return;
  }
  const answer = await started;
  isUnwanted = false;
  try {
    postMessage({ text: await (canStop ? answer.callPromising(name, text, look) : answer(name, text, look)) });
  } catch (error) {
    postMessage({ error: String(error.message).trim().split('\n').at(-1) });
  }
};
