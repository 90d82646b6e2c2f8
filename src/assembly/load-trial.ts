import { Thread } from '#adapters/threads/thread.ts';
import type { StrategySettings } from '#config/settings.ts';
import type { CompiledModule } from '#core/strategy/compiled-module.ts';
import { compileStrategy, type LoaderOptions } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import { namingEntry } from './assemble.ts';
import { LOAD_MS, notLoaded } from './load-guard.ts';

/** The thread says once that the module's code has ended, whatever came of it. */
export interface LoadTrialThread {
  readonly data: CompiledModule;
  readonly toThread: never;
  readonly fromThread: 'ended';
}

/**
 * Runs modules whose source is none of `known`, by its hash, in a thread, each once: where their code does not end, it would block the process
 * that loads them. The returned function throws a KairosError for one that cannot be loaded.
 */
export function loadTrial(
  entries: readonly Pick<StrategySettings, 'id' | 'use' | 'origin'>[],
  { known, folders }: { readonly known: readonly string[]; readonly folders: LoaderOptions },
): () => Promise<void> {
  const ended = new Set(known);
  return async () => {
    for (const entry of entries)
      await namingEntry(entry, async () => {
        const module = await compileStrategy(entry.use, folders);
        if (!ended.has(module.sourceHash) && !(await endsInThread(module))) throw new KairosError('STRATEGY_INVALID', notLoaded(LOAD_MS));
        ended.add(module.sourceHash);
      });
  };
}

async function endsInThread(data: CompiledModule): Promise<boolean> {
  const entry = new URL('./load-trial-thread-entry.ts', import.meta.url);
  const thread = new Thread<LoadTrialThread>({ entry, name: 'load trial', data, signal: AbortSignal.timeout(LOAD_MS) });
  thread.unref();
  const hasEnded = await thread.next().then(
    () => true,
    () => false,
  );
  await thread.stop();
  return hasEnded;
}
