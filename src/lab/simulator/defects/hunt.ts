import { fileURLToPath } from 'node:url';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { PlantedDefect } from './planted.ts';

/** What found a planted defect, and after how many seeds; null for none. */
interface HuntResult {
  readonly defect: PlantedDefect;
  readonly seeds: number;
  readonly found: { readonly seed: string; readonly invariant: string; readonly what: string } | null;
}

interface HuntOptions {
  readonly first: number;
  readonly most: number;
  readonly hours: number;
  readonly cores: number;
}

const PRELOAD = fileURLToPath(new URL('preload.ts', import.meta.url));

/** Plays seeds with a planted defect until an invariant breaks that holds in the same history without it. */
export async function hunt(defect: PlantedDefect, { first, most, hours, cores }: HuntOptions): Promise<HuntResult> {
  const crew = new Crew({ size: cores, preload: [PRELOAD], env: { SIMULATED_DEFECT: defect.name } });
  const sound = new Crew({ size: 1 });
  let seeds = 0;
  try {
    for (let from = first; from < first + most; from += cores) {
      const plans = Array.from({ length: cores }, (_, index) => drawPlan(String(from + index), hours));
      const played = await Promise.all(plans.map((plan) => crew.play(plan)));
      for (const { outcome } of played) {
        seeds += 1;
        const { violation, seed } = outcome;
        if (violation === null) continue;
        if (violation.invariant === 'process') throw new Error(violation.what);
        if ((await sound.play(drawPlan(seed, hours))).outcome.violation !== null) continue;
        return { defect, seeds, found: { seed, invariant: violation.invariant, what: violation.what } };
      }
    }
    return { defect, seeds, found: null };
  } finally {
    crew.close();
    sound.close();
  }
}

/** A line for people. */
export function huntedText({ defect, seeds, found }: HuntResult): string {
  const head = `${defect.name.padEnd(26)} ${defect.what}`;
  if (found === null) return `${head}\n  NOT FOUND in ${seeds} seeds`;
  return `${head}\n  found after ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, by ${found.invariant}: ${found.what.slice(0, 160)}`;
}
