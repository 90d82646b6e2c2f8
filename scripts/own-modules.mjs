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

/** What Kairos uses of packages that would load all they have, by the files in which it lies: a fifth of a daemon's modules are spared. */
const PARTS = new Map(
  Object.entries({
    undici: `import every from 'lib/dispatcher/dispatcher.js'; import api from 'lib/api/index.js';
export { default as Agent } from 'lib/dispatcher/agent.js'; export { default as Client } from 'lib/dispatcher/client.js';
export { default as buildConnector } from 'lib/core/connect.js';
export { default as errors } from 'lib/core/errors.js';
Object.assign(every.prototype, api);
export const request = (url, { dispatcher, ...how }) => {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ ...how, method: how.method ?? 'GET', origin, path: pathname + search });
};`,
    'prom-client': `export { default as Counter } from 'lib/counter.js'; export { default as Gauge } from 'lib/gauge.js';
export { default as Histogram } from 'lib/histogram.js'; export { default as Registry } from 'lib/registry.js';`,
  }),
);

/**
 * A module of those parts of a package.
 * @param {string} name
 * @param {string} parts
 */
function partsOf(name, parts) {
  const main = pathToFileURL(module.createRequire(import.meta.url).resolve(name));
  return `data:text/javascript,${encodeURIComponent(parts.replaceAll("'lib/", `'${new URL('lib/', main)}`))}`;
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
    const parts = PARTS.get(name);
    if (parts !== undefined) return { url: partsOf(name, parts), shortCircuit: true };
    return name.startsWith('.') ? own(new URL(name, context.parentURL).href) : next(name, context);
  },
});
