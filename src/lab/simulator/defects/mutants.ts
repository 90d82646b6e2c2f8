import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';

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
}

/** Mutants, and the folder with the sources in which they stand. */
interface DrawnMutants {
  readonly sources: string;
  readonly mutants: readonly Mutant[];
}

/** A history on the code without an active mutant: what it came to, and how often each mutant that it came by would have made a difference. */
interface SoundHistory {
  readonly plan: SimulationPlan;
  readonly hash: string;
  readonly differed: Readonly<Record<string, number>>;
}

/** What became of a mutant. */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly isReached: boolean;
  /** Histories that were played: those in which it makes a difference. */
  readonly seeds: number;
  /** How many of them went otherwise than without it. */
  readonly unlike: number;
  /** What found it, and in which history; null for none. */
  readonly found: { readonly invariant: string; readonly seed: string } | null;
}

interface Trial {
  readonly sources: string;
  readonly cores: number;
  readonly patienceMs: number;
}

/** Histories that are played with a mutant that has changed one of them, until an invariant breaks: they say which judge sees it. */
const JUDGED = 5;
/** Those that are played with one that changes none: where it makes most differences. It is given up then, and counts as not found. */
const MOST = 100;

const SCRIPT = fileURLToPath(new URL('../../../../test/mutation/draw-mutants.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('mutant-preload.ts', import.meta.url));

/** Draws mutants by a seed. Throws where Stryker cannot be had. */
export function drawMutants(count: number, seed: string): DrawnMutants {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, String(count), seed], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('no mutants could be drawn');
  return JSON.parse(stdout);
}

/** Plays histories without an active mutant. Those that fail are left out. */
export async function soundHistories(seeds: readonly string[], hours: number, trial: Trial): Promise<readonly SoundHistory[]> {
  const crew = crewWith('', trial);
  const played = await Promise.all(
    seeds.map(async (seed) => {
      const plan = drawPlan(seed, hours);
      const { outcome, reached } = await crew.play(plan);
      return { plan, hash: outcome.hash, differed: reached, isSound: outcome.violation === null };
    }),
  );
  crew.close();
  return played.filter(({ isSound }) => isSound);
}

/**
 * Plays the histories in which a mutant makes a difference with it, the most first, until an invariant breaks. One that has changed a history is
 * found, so that a few are enough to say which judge sees it.
 */
export async function tryMutant(mutant: Mutant, histories: readonly SoundHistory[], trial: Omit<Trial, 'cores'>): Promise<MutantResult> {
  const crew = crewWith(mutant.id, { ...trial, cores: 1 });
  const often = ({ differed }: SoundHistory): number => differed[mutant.id] ?? 0;
  const order = histories.filter((one) => often(one) > 0).sort((a, b) => often(b) - often(a));
  const isReached = histories.some(({ differed }) => mutant.id in differed);
  let [seeds, unlike] = [0, 0];
  try {
    for (const { plan, hash } of order) {
      if (seeds >= (unlike > 0 ? JUDGED : MOST)) break;
      const { outcome } = await crew.play(plan);
      seeds += 1;
      if (outcome.hash !== hash) unlike += 1;
      if (outcome.violation !== null) {
        return { mutant, isReached, seeds, unlike, found: { invariant: outcome.violation.invariant, seed: plan.seed } };
      }
    }
    return { mutant, isReached, seeds, unlike, found: null };
  } finally {
    crew.close();
  }
}

function crewWith(id: string, { sources, cores, patienceMs }: Trial): Crew {
  return new Crew({ size: cores, patienceMs, preload: [PRELOAD], env: { SIMULATED_MUTANT: id, SIMULATED_SOURCES: sources } });
}

/** A line for people. */
export function triedText({ mutant, isReached, seeds, unlike, found }: MutantResult): string {
  const { room, file, line, mutator, text, replacement } = mutant;
  const end =
    found !== null
      ? `found by ${found.invariant}, seed ${found.seed}`
      : unlike > 0
        ? `found: ${unlike} of ${seeds} histories change`
        : seeds > 0
          ? `NOT FOUND in ${seeds}`
          : isReached
            ? 'NOT FOUND: never makes a difference'
            : 'not reached';
  return `${end.padEnd(40)} ${room}: ${file}:${line} ${mutator}: ${text} -> ${replacement.replace(/\s+/g, ' ')}`;
}

/** How many mutants were found of those that were reached, by what. */
export function scoreText(tried: readonly MutantResult[]): string {
  const reached = tried.filter((one) => one.isReached);
  const broke = reached.filter((one) => one.found !== null).length;
  const changed = reached.filter((one) => one.found === null && one.unlike > 0).length;
  const share = Math.floor((1000 * (broke + changed)) / Math.max(1, reached.length)) / 10;
  return (
    `of ${reached.length} mutants that were reached ${broke + changed} were found, ${share} %: ${broke} broke an invariant, ${changed} others ` +
    `changed a history; ${tried.length - reached.length} of ${tried.length} were never reached`
  );
}
