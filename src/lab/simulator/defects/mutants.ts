import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';

/** A one-line change of the code, as the mutation run makes it. */
interface Mutant {
  readonly id: string;
  readonly room: string;
  /** Below `src/`. */
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly text: string;
  readonly replacement: string;
  /** Where the mutated source stands. */
  readonly source: string;
}

/** What became of a mutant. */
export interface MutantResult {
  readonly mutant: Mutant;
  /** Histories that were played. */
  readonly seeds: number;
  readonly isReached: boolean;
  /** The invariant that found it; null for none. */
  readonly found: string | null;
}

interface Trial {
  readonly first: number;
  readonly most: number;
  readonly hours: number;
  readonly patienceMs: number;
}

const SCRIPT = fileURLToPath(new URL('../../../../test/mutation/draw-mutants.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('mutant-preload.ts', import.meta.url));

/** Draws mutants by a seed. Throws where Stryker cannot be had. */
export function drawMutants(count: number, seed: string): readonly Mutant[] {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, String(count), seed], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('no mutants could be drawn');
  return JSON.parse(stdout);
}

/** Plays histories with a mutant until an invariant breaks that holds in the same history without it. */
export async function tryMutant(
  mutant: Mutant,
  sound: Pick<Crew, 'play'>,
  { first, most, hours, patienceMs }: Trial,
): Promise<MutantResult> {
  const env = { SIMULATED_MUTANT: mutant.id, SIMULATED_FILE: mutant.file, SIMULATED_SOURCE: mutant.source };
  const crew = new Crew({ size: 1, patienceMs, preload: [PRELOAD], env });
  let isReached = false;
  try {
    for (let seeds = 1; seeds <= most; seeds += 1) {
      const plan = drawPlan(String(first + seeds - 1), hours);
      const { outcome, reached } = await crew.play(plan);
      isReached ||= reached > 0 || outcome.violation?.invariant === 'process';
      if (outcome.violation === null || (await sound.play(plan)).outcome.violation !== null) continue;
      return { mutant, seeds, isReached, found: outcome.violation.invariant };
    }
    return { mutant, seeds: most, isReached, found: null };
  } finally {
    crew.close();
  }
}

/** A line for people. */
export function triedText({ mutant, seeds, isReached, found }: MutantResult): string {
  const { room, file, line, mutator, text, replacement } = mutant;
  const end = found !== null ? `found by ${found}, seed ${seeds}` : isReached ? `NOT FOUND in ${seeds}` : `not reached in ${seeds}`;
  return `${end.padEnd(26)} ${room}: ${file}:${line} ${mutator}: ${text} -> ${replacement.replace(/\s+/g, ' ')}`;
}

/** How many mutants were found of those that were reached. */
export function scoreText(tried: readonly MutantResult[]): string {
  const found = tried.filter((one) => one.found !== null).length;
  const unreached = tried.filter((one) => one.found === null && !one.isReached).length;
  return `${found} of ${tried.length - unreached} mutants that were reached were found by the invariants alone; ${unreached} of ${tried.length} were never reached`;
}
