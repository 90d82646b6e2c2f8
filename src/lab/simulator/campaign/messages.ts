import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';

/** A message to a playing process. `words`: it reports each line of the history as it happens; `trace`: a file for every byte. */
export interface PlayRequest {
  readonly plan: SimulationPlan;
  readonly words: boolean;
  readonly trace: string | null;
}

/** A message from it: that it is ready, a line of a history, or the outcome of a plan. */
export type PlayReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'line'; readonly line: string }
  | {
      readonly kind: 'over';
      readonly outcome: SimulationOutcome;
      readonly cpuMs: number;
      readonly reached: Readonly<Record<string, number>>;
    };
