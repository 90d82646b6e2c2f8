import path from 'node:path';
import type { StrategySettings } from '#config/settings.ts';
import { loadStrategy, strategyNames } from '#core/strategy/loader.ts';
import type { ParamSpec } from '#core/strategy/params.ts';
import { KairosError } from '#domain/errors.ts';

/** A strategy module that can be used. */
interface ListedStrategy {
  /** What `use` takes. */
  readonly use: string;
  readonly from: 'shipped' | 'yours';
  readonly file: string | null;
  readonly params: readonly ListedParam[];
  readonly inputs: readonly string[];
  /** Ids of the configured strategies that use it. */
  readonly usedBy: readonly string[];
  /** Why it cannot be loaded. */
  readonly wrong: string | null;
}

interface ListedParam {
  readonly name: string;
  readonly kind: ParamSpec['kind'];
  readonly initial: number | boolean | string;
  /** Its allowed values, in words; null for any value of its kind. */
  readonly allowed: string | null;
}

/** The modules of the package, those in `strategies/` of `cwd`, and those that the configuration names by path. */
export async function listStrategies(
  configured: readonly StrategySettings[],
  folders: { readonly cwd: string; readonly packaged: string },
): Promise<readonly ListedStrategy[]> {
  const names = new Set([...strategyNames(folders), ...configured.map(({ use }) => use)]);
  return Promise.all(
    [...names].map(async (use): Promise<ListedStrategy> => {
      const usedBy = configured.filter((entry) => entry.use === use).map(({ id }) => id);
      try {
        const { definition, file } = await loadStrategy(use, folders);
        const shipped = path.dirname(file) === path.resolve(folders.packaged);
        const params = Object.entries(definition.params ?? {}).map(([name, spec]) => listed(name, spec));
        const inputs = Object.keys(definition.inputs ?? {});
        return { use, from: shipped ? 'shipped' : 'yours', file, params, inputs, usedBy, wrong: null };
      } catch (error) {
        if (!(error instanceof KairosError)) throw error;
        return { use, from: 'yours', file: null, params: [], inputs: [], usedBy, wrong: error.message };
      }
    }),
  );
}

function listed(name: string, spec: ParamSpec): ListedParam {
  return { name, kind: spec.kind, initial: spec.initial, allowed: allowedOf(spec) };
}

function allowedOf(spec: ParamSpec): string | null {
  if (spec.kind === 'choice') return spec.of.join(', ');
  if (spec.kind === 'bool' || spec.kind === 'text') return null;
  return [boundsOf(spec), ...(spec.log ? ['searched by ratio'] : [])].filter((part) => part !== null).join(', ') || null;
}

function boundsOf({ min, max }: { readonly min?: number; readonly max?: number }): string | null {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? null : `at most ${max}`;
}
