// Plain JS that any Node >= 14.8 can parse.
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where modules of Kairos lie, and what they are: in a checkout, or built. */
const [place, ending, format] = existsSync(new URL('../src', import.meta.url))
  ? ['../src/', '.ts', 'module-typescript']
  : ['../lib/', '.js', 'module'];
const folder = new URL(place, import.meta.url).href;

/** What the one file of rxjs has besides what `rxjs` exports: its other modules. */
const BESIDE = new Set(['operators', 'ajax', 'fetch', 'testing', 'webSocket']);

/**
 * A module that exports what `rxjs` or `rxjs/operators` does, out of its one file: 230 files take ten times as long.
 * @param {string} name
 */
function rxjs(name) {
  const require = module.createRequire(import.meta.url);
  const file = path.join(path.dirname(require.resolve('rxjs')), '../bundles/rxjs.umd.js');
  const part = name === 'rxjs' ? 'whole' : 'whole.operators';
  const whole = require(file);
  const names = Object.keys(name === 'rxjs' ? whole : whole.operators).filter((one) => !BESIDE.has(one));
  const text = `import whole from ${JSON.stringify(pathToFileURL(file))}; export const { ${names} } = ${part}; export default { ${names} };`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/**
 * Where a module of Kairos is, and what it is, so that Node asks neither the disk nor package.json.
 * @param {string} url
 */
const own = (url) => ({ url, ...(url.endsWith(ending) && { format }), shortCircuit: true });

// They are where their names say. Node would ask for each, a fifth of what a command takes.
module.registerHooks?.({
  resolve(name, context, next) {
    if (!context.parentURL?.startsWith(folder)) return next(name, context);
    if (name.startsWith('#')) return own(folder + name.slice(1).replace(/\.ts$/, ending));
    if (name === 'rxjs' || name === 'rxjs/operators') return { url: rxjs(name), shortCircuit: true };
    return name.startsWith('.') ? own(new URL(name, context.parentURL).href) : next(name, context);
  },
});
