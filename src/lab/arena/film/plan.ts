import { KairosError, messageOf } from '#domain/errors.ts';
import { readSeed } from '#lab/simulator/campaign/kept-seed.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';

/** The plan of a seed or a file. Throws USAGE for a file without a plan. */
export function planNamed(named: { readonly seed: string; readonly hours: number } | { readonly kept: string }): SimulationPlan {
  if ('seed' in named) return drawPlan(named.seed, named.hours);
  try {
    const { plan } = readSeed(named.kept);
    if (typeof plan?.seed === 'string' && Array.isArray(plan.troubles)) return plan;
  } catch (error) {
    throw new KairosError('USAGE', `--kept: ${named.kept} cannot be read: ${messageOf(error)}`);
  }
  throw new KairosError('USAGE', `--kept: ${named.kept} keeps no seed; those that were kept are in test/seeds`);
}
