#!/usr/bin/env node
// The check comes first and alone: better-sqlite3 crashes without a word on a Node that is too old.
import '../scripts/ensure-node.mjs';
import { existsSync } from 'node:fs';
import module from 'node:module';

/** Where modules of Kairos lie: in a checkout, or built. */
const [own, ending] = existsSync(new URL('../src', import.meta.url)) ? ['../src/', '.ts'] : ['../lib/', '.js'];
const folder = new URL(own, import.meta.url).href;
// They are where their names say. Node would ask package.json and the disk for each, a sixth of what a command takes.
module.registerHooks?.({
  resolve(name, context, next) {
    if (!context.parentURL?.startsWith(folder)) return next(name, context);
    if (name.startsWith('#')) return { url: folder + name.slice(1).replace(/\.ts$/, ending), shortCircuit: true };
    return name.startsWith('.') ? { url: new URL(name, context.parentURL).href, shortCircuit: true } : next(name, context);
  },
});
// Keeps the compiled source between starts: the second start takes half the time of the first.
module.enableCompileCache?.();
try {
  await import('#cli/main.ts');
} catch (error) {
  // A package is missing that the command line needs before it can say so itself.
  (await import('#cli/uninstalled.ts')).endUninstalled(error);
  throw error;
}
