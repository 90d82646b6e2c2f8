import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import { FAULT_NAMES } from '#lab/simulator/plan/faults.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import type { Crew } from './crew.ts';

/** Interval of seeds that are played twice: both histories must have the same hash (I25). */
const TWICE_EVERY = 25;

interface CampaignOptions {
  readonly first: number;
  readonly seeds: number;
  readonly hours: number;
  readonly crew: Pick<Crew, 'play' | 'size'>;
  /** The hash that the history of a seed is known to have. */
  readonly kept?: ReadonlyMap<string, string>;
  /** Called after each seed. */
  readonly onOver: (over: PlayedSeed) => void;
  /** Called before each seed; false ends the campaign. */
  readonly goOn?: () => boolean;
}

/** A plan and its outcome. */
export interface PlayedSeed {
  readonly plan: SimulationPlan;
  readonly outcome: SimulationOutcome;
}

interface CampaignResult {
  readonly played: number;
  readonly orders: number;
  readonly quotes: number;
  readonly lives: number;
  readonly cpuMs: number;
  readonly seen: ReadonlyMap<SimulatedFault, number>;
  readonly failed: readonly PlayedSeed[];
  /** Seeds whose history is not the kept one. */
  readonly changed: readonly string[];
}

/** Plays the plans of many seeds, one at a time in each process of the crew. */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const { first, seeds, hours, crew, kept, onOver, goOn = () => true } = options;
  const seen = new Map<SimulatedFault, number>(FAULT_NAMES.map((name) => [name, 0]));
  const failed: PlayedSeed[] = [];
  const changed: string[] = [];
  const sums = { played: 0, orders: 0, quotes: 0, lives: 0, cpuMs: 0 };
  const play = async (index: number): Promise<void> => {
    const plan = drawPlan(String(first + index), hours);
    const once = await crew.play(plan);
    const again = index % TWICE_EVERY === 0 && once.outcome.violation === null ? await crew.play(plan) : once;
    const outcome = again.outcome.hash === once.outcome.hash ? once.outcome : unlike(once.outcome, again.outcome);
    sums.played += 1;
    sums.orders += outcome.orders;
    sums.quotes += outcome.quotes;
    sums.lives += outcome.lives;
    sums.cpuMs += once.cpuMs;
    for (const name of FAULT_NAMES) seen.set(name, (seen.get(name) ?? 0) + (outcome.seen[name] ?? 0));
    if (outcome.violation !== null) failed.push({ plan, outcome });
    if (outcome.hash !== (kept?.get(plan.seed) ?? outcome.hash)) changed.push(plan.seed);
    onOver({ plan, outcome });
  };
  let next = 0;
  const playOn = async (): Promise<void> => {
    while (next < seeds && goOn()) {
      next += 1;
      await play(next - 1);
    }
  };
  await Promise.all(Array.from({ length: crew.size }, playOn));
  return { ...sums, seen, failed, changed };
}

function unlike(once: SimulationOutcome, again: SimulationOutcome): SimulationOutcome {
  const what = `played twice, it has two different hashes, ${once.hash.slice(0, 12)} and ${again.hash.slice(0, 12)}`;
  return { ...once, violation: { invariant: 'I25', what, at: 0 }, last: again.last };
}
