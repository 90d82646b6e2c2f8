import { FAULT_NAMES, FAULTS, type SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { SimulationPlan, Trouble } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import { clockText } from '#lab/simulator/world/history.ts';
import type { PlayedSeed } from './campaign.ts';

/** A failure for people: the invariant, the last events, the active faults, and the command that plays it again. */
export function failureText(plan: SimulationPlan, { violation, last }: SimulationOutcome, again: string): string {
  if (violation === null) return '';
  return [
    `seed ${plan.seed}: ${violation.invariant} does not hold at ${clockText(violation.at)}`,
    `  ${violation.what}`,
    '  what happened last:',
    ...last.slice(-25).map((line) => `    ${line}`),
    '  faults of this plan:',
    ...(plan.troubles.length === 0 ? ['    none'] : plan.troubles.map((trouble) => `    ${troubleText(trouble)}`)),
    `  again: ${again}`,
  ].join('\n');
}

/** The failed seeds, one line each. */
export function failedText(failed: readonly PlayedSeed[]): string {
  return failed
    .map(({ plan, outcome: { violation } }) => `seed ${plan.seed}: ${violation?.invariant}: ${violation?.what.slice(0, 160)}`)
    .join('\n');
}

/** The seeds whose history changed, and what to do. */
export function changedText(seeds: readonly string[]): string {
  return [
    `not the history of test/kept/histories.txt: ${seeds.join(', ')}`,
    '  compare: npm run simulate -- --seed N --trace FILE, before the change and after it',
    '  keep what is meant: npm run golden',
  ].join('\n');
}

function troubleText({ fault, from, to, share }: Trouble): string {
  const until = to - from <= 1 ? '' : ` to ${clockText(to)}`;
  return `${fault} ${clockText(from)}${until}${share === 1 ? '' : `, ${Math.round(share * 100)} %`}: ${FAULTS[fault].what}`;
}

/** How often each fault struck, and the names of those that never did. */
export function seenText(seen: ReadonlyMap<SimulatedFault, number>): string {
  const counts = FAULT_NAMES.map((name) => `${name} ${seen.get(name) ?? 0}`);
  const rows = Array.from({ length: Math.ceil(counts.length / 10) }, (_, row) => `  ${counts.slice(row * 10, row * 10 + 10).join('  ')}`);
  return ['how often each fault struck:', ...rows].join('\n');
}

export const neverSeen = (seen: ReadonlyMap<SimulatedFault, number>): readonly SimulatedFault[] =>
  FAULT_NAMES.filter((name) => (seen.get(name) ?? 0) === 0);
