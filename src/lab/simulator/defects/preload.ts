import { type LoadHookSync, registerHooks } from 'node:module';
import { plantedNamed, withDefect } from './planted.ts';

/** Preloaded by a process with a defect, which `SIMULATED_DEFECT` names. */
const planted = plantedNamed(process.env.SIMULATED_DEFECT ?? '');
let isThere = false;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(`/src/${planted.file}`)) return loaded;
    isThere = true;
    return { ...loaded, source: withDefect(textOf(loaded.source), planted) };
  },
});

function textOf(source: ReturnType<LoadHookSync>['source']): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined);
}

// A history without the defect would prove nothing.
process.prependListener('message', () => {
  if (!isThere) throw new Error(`defect ${planted.name} was not loaded: nothing imports src/${planted.file}`);
});
