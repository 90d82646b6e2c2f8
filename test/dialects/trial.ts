import { meetingOf, readDialect } from '#adapters/service-client/dialect/dialect.ts';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';
import { judge, NOT_STARTED, type Verdict } from './judge.ts';
import { isNamed, stoppersIn } from './naming.ts';
import { probes } from './probes.ts';
import { runInDialect, type Seen } from './world.ts';

/**
 * What the client was worth in a dialect. `trades`: as it comes. `set`: with the settings that name the dialect, and one line named one of
 * them before. `stands`: it stood still and one line named the cause. Short of that: `vague` (it stood still and no line named the cause),
 * `idle` (it stood still where it should trade, and said so), `silent` (it stood still without a line). `unsafe` is the worst.
 */
export const GRADES = ['trades', 'set', 'stands', 'vague', 'idle', 'silent', 'unsafe'] as const;
export type Grade = (typeof GRADES)[number];

export interface Trial {
  readonly seed: string;
  readonly names: readonly string[];
  readonly grade: Grade;
  /** Orders that the service executed, over all runs. */
  readonly executions: number;
  /** What broke, what fell short, or the line that said why. */
  readonly why: string;
}

interface Run {
  readonly verdict: Verdict;
  readonly executions: number;
}

/** Plays a drawn dialect: as it comes, then with the settings that name it. */
export async function trial(seed: string): Promise<Trial> {
  const names = readDialect([`seed:${seed}`]);
  if (typeof names === 'string') throw new Error(names);
  return { seed, ...(await trialOf(names)) };
}

export async function trialOf(names: readonly string[]): Promise<Omit<Trial, 'seed'>> {
  // On loopback the time of the machine is the service's; a real service's is looked for.
  const asIs = names.includes('undated-answers') ? ['clock.source=date'] : [];
  const { set } = meetingOf(names);
  const given = Object.entries(set).map(([key, value]) => `${key}=${value}`);
  const first = await run(names, asIs);
  const probed = await probes(names);
  const firstGrade = grade(first.verdict, names);
  const needs = firstGrade !== 'trades' && given.length > 0;
  const second = needs ? await run(names, given) : undefined;
  const runs = second ? [first, second] : [first];
  const unsafe = [...runs.flatMap(({ verdict }) => verdict.unsafe), ...probed.unsafe];
  const executions = runs.reduce((sum, one) => sum + one.executions, 0);
  if (unsafe.length > 0) return { names, grade: 'unsafe', executions, why: unsafe.slice(0, 3).join('; ') };
  if (probed.short.length > 0) return { names, grade: 'idle', executions, why: probed.short.join('; ') };
  const last = second ?? first;
  const lastGrade = grade(last.verdict, names);
  if (second === undefined) return { names, grade: firstGrade, executions, why: whyOf(firstGrade, first.verdict) };
  if (firstGrade === 'silent' || firstGrade === 'vague')
    return { names, grade: firstGrade, executions, why: whyOf(firstGrade, first.verdict) };
  return { names, grade: lastGrade === 'trades' ? 'set' : lastGrade, executions, why: whyOf(lastGrade, last.verdict) };
}

/** What a run in a dialect was worth. */
export function grade({ short, lines }: Verdict, names: readonly string[]): Grade {
  if (short.length === 0) return 'trades';
  if (lines.length === 0) return 'silent';
  const stoppers = stoppersIn(names);
  if (stoppers.length === 0) return 'idle';
  if (isNamed(stoppers, lines)) return 'stands';
  return short.includes(NOT_STARTED) ? 'idle' : 'vague';
}

function whyOf(graded: Grade, { short, lines }: Verdict): string {
  if (graded === 'trades') return '';
  return graded === 'silent' ? short.join('; ') : `${short[0] ?? ''}: ${lines.slice(0, 2).join(' / ')}`;
}

async function run(names: readonly string[], set: readonly string[]): Promise<Run> {
  const unpadded = names.includes('unpadded-secret') ? { apiSecret: BROKER_SECRET.replace(/=+$/, '') } : {};
  const look = (seen: Seen): Run => ({ verdict: judge(seen), executions: seen.executions.length });
  return runInDialect({ dialect: names, set, deposits: names.some((name) => name.startsWith('notified-')), ...unpadded }, look);
}
