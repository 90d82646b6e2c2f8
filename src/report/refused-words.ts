import type { CheckResult } from '#domain/check-result.ts';
import { checkWords } from '#domain/check-words.ts';
import type { DecisionOf } from '#domain/decision.ts';
import { LIMIT_REASONS } from '#domain/limits.ts';
import { refusalMend } from '#domain/no-order-words.ts';
import { REASONS } from '#domain/reasons.ts';

/** Reasons of refusals that are named. */
const NAMED = 3;

/** The run that refusals are of. */
export interface RefusedRun {
  /** True in a backtest, which can be played without limits. */
  readonly isPlayed: boolean;
  /** True where the amount is beyond what was recorded, which another headline says. */
  readonly isBeyond: boolean;
}

/** Refusals by reason: how many, and what the checks found at the first of each. */
export class RefusalsByReason {
  readonly counts = new Map<string, number>();
  private readonly firstChecks = new Map<string, readonly CheckResult[]>();

  add({ reason, detail: { checks, repeated } }: DecisionOf<'refused'>): void {
    const key = reason ?? '-';
    if (!this.counts.has(key)) this.firstChecks.set(key, checks);
    addTo(this.counts, key, timesOf(repeated));
  }

  clear(): void {
    this.counts.clear();
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, one) => sum + one, 0);
  }

  /** What the most frequent reason means, the figures of its first refusal, and what lets orders pass where a limit kept them back. */
  topWords({ isPlayed, isBeyond }: RefusedRun): string {
    const [[reason] = ['']] = ranked(this.counts);
    const means = MEANINGS[reason];
    const failed = this.firstChecks.get(reason)?.filter(({ check, passed }) => check === reason && !passed) ?? [];
    const said = failed.map(checkWords).filter((one) => one !== means);
    const words = [...(means === undefined ? [] : [means]), ...said.map((one) => `at first ${one}`)];
    if (words.length === 0) return '';
    const raise = isPlayed && (reason === 'BUDGET' || isOfLimit(reason)) ? `; ${refusalMend(reason, true)}` : '';
    const mend = isBeyond && OF_PRICES.has(reason) ? '; the model of an amount beyond the recorded one makes it so: fix that first' : raise;
    return ` (${words.join(': ')}${mend})`;
  }
}

/** A row that ends a streak stands for all in between; the first had a row of its own. */
export const timesOf = (repeated: number | undefined): number => (repeated === undefined ? 1 : repeated - 1);

export function addTo(counts: Map<string, number>, key: string, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Limits of how far a price is from the middle, which gets worse with a modelled amount. */
const OF_PRICES: ReadonlySet<string> = new Set(['MAX_SPREAD', 'MAX_SLIPPAGE']);

/** True for a refusal by a limit that a setting raises. */
export const isOfLimit = (reason: string): boolean => Object.hasOwn(LIMIT_REASONS, reason) && reason.startsWith('MAX_');

/** `30131 LANE_STALE, 2 TIME_LEFT`: the most frequent first. */
export function topReasons(counts: ReadonlyMap<string, number>): string {
  const all = ranked(counts);
  const left = all.slice(NAMED).reduce((sum, [, count]) => sum + count, 0);
  const named = all.slice(0, NAMED).map(([reason, count]) => `${count} ${reason}`);
  return [...named, ...(left === 0 ? [] : [`${left} for other reasons`])].join(', ');
}

/** Counts with their names, the most first. */
export const ranked = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));

const MEANINGS: Readonly<Record<string, string>> = REASONS;
