// Plain JS that any Node >= 14.8 can parse.
import { existsSync } from 'node:fs';
import module from 'node:module';

/** Where modules of Kairos lie: in a checkout, or built. */
const [place, ending] = existsSync(new URL('../src', import.meta.url)) ? ['../src/', '.ts'] : ['../lib/', '.js'];
const folder = new URL(place, import.meta.url).href;

// They are where their names say. Node would ask package.json and the disk for each, a sixth of what a command takes.
module.registerHooks?.({
  resolve(name, context, next) {
    if (!context.parentURL?.startsWith(folder)) return next(name, context);
    if (name.startsWith('#')) return { url: folder + name.slice(1).replace(/\.ts$/, ending), shortCircuit: true };
    return name.startsWith('.') ? { url: new URL(name, context.parentURL).href, shortCircuit: true } : next(name, context);
  },
});
