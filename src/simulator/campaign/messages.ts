import type { Plan } from '#simulator/plan/plan.ts';
import type { Outcome } from '#simulator/simulation.ts';

/** To a process that plays plans. `words`: it says each line of the history as it happens; `trace`: a file for every byte of it. */
export interface Order {
  readonly plan: Plan;
  readonly words: boolean;
  readonly trace: string | null;
}

/** From it: that it is ready, a line of a history, or what came of a plan. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'over'; readonly outcome: Outcome; readonly cpuMs: number };
