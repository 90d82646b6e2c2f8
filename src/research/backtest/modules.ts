import { boundStrategy, type LoadedStrategy, namingEntry } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import { type CompiledModule, importStrategy } from '#core/strategy/compiled-module.ts';
import { compileStrategy, type LoaderOptions } from '#core/strategy/loader.ts';

/** The modules of the configured strategies by `use`: compiled once for many backtests. */
export type StrategyModules = ReadonlyMap<string, CompiledModule>;

/** Finds, checks and compiles them, each as it stands now. Throws a KairosError naming the entry at fault. */
export async function compiledModules({ strategies }: Settings, folders: LoaderOptions): Promise<StrategyModules> {
  const modules = new Map<string, CompiledModule>();
  for (const entry of strategies) {
    if (!modules.has(entry.use)) modules.set(entry.use, await namingEntry(entry, () => compileStrategy(entry.use, folders)));
  }
  return modules;
}

/**
 * The configured strategies, each from a fresh copy of its module, which shares no state with an earlier backtest.
 * Throws a KairosError naming the entry at fault.
 */
export async function strategiesFrom({ strategies, trading }: Settings, modules: StrategyModules): Promise<readonly LoadedStrategy[]> {
  const loaded: LoadedStrategy[] = [];
  for (const entry of strategies) {
    const compiled = modules.get(entry.use);
    if (!compiled) throw new RangeError(`the module of ${entry.id} was not compiled`);
    const module = await namingEntry(entry, () => importStrategy(compiled));
    loaded.push({ strategy: boundStrategy(entry, module, trading.seed), sourceHash: module.sourceHash });
  }
  return loaded;
}
