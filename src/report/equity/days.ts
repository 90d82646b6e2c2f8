import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';

/** A day at its end, a part of one at the begin, at the end or beside a hole in the data, or such a hole. */
export interface DayEquity {
  /** Midnight (UTC) at its end, the run's end, or when a hole begins or ends. */
  readonly at: Millis;
  /** Initial capital, flows and net profit so far, at the rates of that moment: without revaluation. */
  readonly equity: number;
  /** Time-weighted, flows taken out. */
  readonly return: number;
  /** From midnight to midnight. */
  readonly whole: boolean;
  /** True for a hole: its return is what a position made from its last quotes before to the first ones after, and of no day. */
  readonly hole?: true;
}

/** A value, and how often it has multiplied since the begin. */
export interface GrownValue {
  readonly equity: number;
  readonly growth: number;
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
  passEmpty(at: Millis, value: GrownValue): void {
    const days = this.all.length;
    this.end(at, value);
    const hole = this.all[days];
    if (hole) this.all[days] = { ...hole, whole: false, hole: true };
  }

  /** The first quote of a lane after the last empty time has changed the value: so much was made over that time, not on this day. */
  comeBack(before: GrownValue, { equity, growth }: GrownValue): void {
    const place = this.all.findLastIndex(({ hole }) => hole === true);
    const hole = this.all[place];
    if (!hole || !(before.growth > 0)) return;
    const by = growth / before.growth;
    const isLast = place === this.all.length - 1;
    this.all[place] = { ...hole, equity: isLast ? equity : hole.equity, return: (1 + hole.return) * by - 1 };
    this.growth *= by;
    if (!isLast) this.growthBefore *= by;
  }

  /** What came since the last day ended, such as orders of its last bar, is of that day. */
  amend({ equity, growth }: GrownValue): void {
    const last = this.all.pop();
    if (last) this.all.push({ ...last, equity, return: growth / this.growthBefore - 1 });
    this.growth = growth;
  }

  /** A day ends, with a value that has grown to so much since the begin. */
  end(at: Millis, { equity, growth }: GrownValue): void {
    const whole = this.from % DAY_MS === 0 && at - this.from === DAY_MS;
    if (this.growth > 0) this.all.push({ at, equity, return: growth / this.growth - 1, whole });
    this.growthBefore = this.growth;
    this.growth = growth;
    this.from = at;
  }
}
