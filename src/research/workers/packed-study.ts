import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { blobHash } from '#adapters/shared-jobs/blob-server.ts';
import { configOfText, configText } from '#config/config-text.ts';
import type { CompiledModule } from '#core/strategy/compiled-module.ts';
import { KairosError } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { BacktestData } from '#research/backtest/data.ts';
import type { StrategyModules } from '#research/backtest/modules.ts';
import type { SharedData } from '#research/backtest/shared-data.ts';
import type { TrialBase } from '#research/sweep/sweep-trial.ts';

/** What all trials of a sweep have in common besides the quotes, as one blob; the strategies' bundles are blobs of their own. */
interface PackedStudy {
  readonly config: string;
  readonly data: Omit<BacktestData, 'columns'>;
  readonly rest: Omit<SharedData, 'data' | 'modules'>;
  readonly bundles: readonly (readonly [use: string, hash: string])[];
}

/** What a strategy may import that every worker has: Kairos, rxjs, Node, and files of its own. */
const COMMON = /^(kairos\/strategy|rxjs(\/operators)?|node:.+|\.{1,2}(\/.*)?|\/.*|file:.*)$/;

/**
 * Packs a study; each part is handed to `add`, which names it. Returns the name of the whole. Throws USAGE for what a worker elsewhere
 * would play otherwise or not at all.
 */
export function packStudy({ config, shared }: TrialBase, add: (bytes: Uint8Array) => string): string {
  const { data, modules, ...rest } = shared;
  const bundles = [...modules].map(([use, module]): [string, string] => [use, add(serialize(sendable(use, module)))]);
  const { columns: _quotes, ...others } = data;
  const study: PackedStudy = { config: configText(config), data: others, rest, bundles };
  return add(serialize(study));
}

function sendable(use: string, module: CompiledModule): CompiledModule {
  for (const imports of module.imports.values()) {
    const other = imports.find(({ from }) => !COMMON.test(from));
    if (other)
      throw new KairosError('USAGE', `--queue: the strategy ${use} imports ${other.from}, which workers may lack; sweep on one machine`);
  }
  return module;
}

/** A study as a worker plays it: with quotes that it has, its bundles laid in `dir` by hash. */
export async function unpackStudy(
  hash: string,
  {
    columns,
    blobOf,
    dir,
  }: { readonly columns: readonly QuoteColumns[]; readonly blobOf: (hash: string) => Promise<Uint8Array>; readonly dir: string },
): Promise<TrialBase> {
  const { config, data, rest, bundles }: PackedStudy = deserialize(await blobOf(hash));
  const modules = new Map<string, CompiledModule>();
  for (const [use, name] of bundles) modules.set(use, laid(deserialize(await blobOf(name)), path.join(dir, 'bundles', name)));
  return {
    config: configOfText(config),
    shared: { ...rest, data: { ...data, columns }, modules: modules satisfies StrategyModules },
  };
}

/** A module whose files lie below `dir`, as they lay on the coordinator: what they import from each other is looked for there. */
function laid(module: CompiledModule, dir: string): CompiledModule {
  const root = path.resolve(dir);
  const at = (file: string): string => path.join(root, file);
  const moved = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map([...map].map(([file, value]) => [at(file), value]));
  for (const [file, code] of module.code) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), code);
  }
  const names = new Map([...module.names, ...moved(module.names)]);
  return {
    ...module,
    file: at(module.file),
    imports: moved(module.imports),
    code: moved(module.code),
    names: firstIs(names, at(module.file)),
  };
}

/** "The module itself first." */
const firstIs = <Value>(map: ReadonlyMap<string, Value>, first: string): ReadonlyMap<string, Value> =>
  new Map([...map].sort(([a], [b]) => Number(b === first) - Number(a === first)));

/** Names a sweep by what all its trials have in common, so that it is the same after its coordinator has crashed. */
export const sweepName = (study: string): string => blobHash(Buffer.from(study)).slice(0, 12);
