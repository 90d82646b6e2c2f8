import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';

/** A day at its end, or a partial day at the beginning or the end. */
export interface DayEquity {
  /** Midnight (UTC) at its end, or the run's end. */
  readonly at: Millis;
  /** Initial capital, flows and net profit so far, at the rates of that moment: without revaluation. */
  readonly equity: number;
  /** Time-weighted, flows taken out. */
  readonly return: number;
  /** From midnight to midnight. */
  readonly whole: boolean;
}

/** Days of a value from its begin on. */
export class Days {
  readonly all: DayEquity[] = [];
  private from: Millis;
  private growth = 1;
  private growthBefore = 1;

  constructor(from: Millis) {
    this.from = from;
  }

  /** True where some of a day has passed by then. */
  isBegunAt(at: Millis): boolean {
    return at > this.from;
  }

  /** True where a day has ended less than a bar before: no bar tells of what came since. */
  isMidnightWithin(barMs: Millis, at: Millis): boolean {
    return this.all.at(-1)?.at === this.from && at - this.from < barMs;
  }

  /** An empty time has passed: what comes is of the day in which it ended. */
  goOnAt(at: Millis): void {
    this.from = Math.max(this.from, at);
  }

  /** What came since the last day ended, such as orders of its last bar, is of that day. */
  amend({ equity, growth }: { readonly equity: number; readonly growth: number }): void {
    const last = this.all.pop();
    if (last) this.all.push({ ...last, equity, return: growth / this.growthBefore - 1 });
    this.growth = growth;
  }

  /** A day ends, with a value that has grown to so much since the begin. */
  end(at: Millis, { equity, growth }: { readonly equity: number; readonly growth: number }): void {
    const whole = this.from % DAY_MS === 0 && at - this.from === DAY_MS;
    if (this.growth > 0) this.all.push({ at, equity, return: growth / this.growth - 1, whole });
    this.growthBefore = this.growth;
    this.growth = growth;
    this.from = at;
  }
}
