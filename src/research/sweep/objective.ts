import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { TrialResult } from '#research/replay/trial.ts';

/** A figure of the user's own from those of a trial, by their ids; the more the better. */
export interface Objective {
  (figures: TrialResult['figures']): unknown;
  /** The text of its file, which tells it from others. */
  readonly source: string;
}

/** Reads the function that a file exports as default. Throws USAGE for anything else. */
export async function objectiveIn(file: string): Promise<Objective> {
  const fault = (why: string): KairosError =>
    new KairosError('USAGE', `--objective ${file}: ${why}; export default (figures) => figures.netProfit - 2 * figures.maxDrawdownMoney`);
  let module: { readonly default?: unknown };
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
    module = await import(pathToFileURL(path.resolve(file)).href);
  } catch (error) {
    throw fault(`cannot be read: ${messageOf(error).split('\n')[0]}`);
  }
  const { default: objective } = module;
  if (typeof objective !== 'function') throw fault('exports no function');
  const called = (figures: TrialResult['figures']): unknown => {
    try {
      return objective(Object.freeze({ ...figures }));
    } catch (error) {
      throw fault(`throws ${messageOf(error)}`);
    }
  };
  return Object.assign(called, { source });
}

/** What it comes to; null where that is no number. */
export function objectiveValue(objective: Objective, figures: TrialResult['figures']): number | null {
  const value = objective(figures);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
