// Runs a Python file in Pyodide under node: node in_pyodide.mjs PYODIDE SHARED FILE ARG...; SHARED appears as /shared.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, shared, file, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(resolve(folder), 'pyodide.mjs')));
const python = await loadPyodide({ indexURL: `${resolve(folder)}/` });
python.mountNodeFS('/shared', resolve(shared));
python.FS.writeFile('/main.py', readFileSync(file));
python.globals.set('words', python.toPy(['/main.py', ...words]));
try {
  python.runPython("import runpy, sys; sys.argv = list(words); runpy.run_path('/main.py', run_name='__main__')");
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
