import type { CheckResult, Decision, DecisionRow } from '#domain/decision.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import { dayEnd } from '#domain/utc-day.ts';
import type { DecisionLog } from './decision-log.ts';

type Row = DecisionRow<'refused'> | DecisionRow<'hold'>;

interface Streak {
  last: Row;
  count: number;
  readonly since: Millis;
}

/** The same refusal again and again. */
interface Refusals {
  readonly reason: Reason;
  readonly since: Millis;
  /** When its cause ends by itself; null if that is unknown. */
  readonly until: Millis | null;
}

/** So long after a refusal its cause is taken to stand, unless it is known when it ends. */
const STANDS_MS = 10_000;

/** What is used up for the day (UTC): it stands until midnight, whatever the strategy asks for meanwhile. */
const OF_DAY: Reason = 'MAX_DAY_VALUE';

/**
 * Keeps the journal small and honest about silence: a refusal or a hold that repeats itself is one row at its start and
 * one at its end, the latter with the last figures and the count.
 */
export class RepeatedRefusals {
  private readonly running = new Map<StrategyId, Streak>();
  /** Refusals by what is used up for the day, since the last opening that passed. */
  private readonly ofDay = new Map<StrategyId, { readonly since: Millis; readonly until: Millis; count: number }>();
  private readonly log: DecisionLog;

  constructor(log: DecisionLog) {
    this.log = log;
  }

  /** Notes that a strategy was refused, or held, once more. True where that is the first of a row. */
  note(strategy: StrategyId, row: Row): boolean {
    if (row.kind === 'refused' && row.reason === OF_DAY) this.noteOfDay(strategy, row.at);
    const streak = this.running.get(strategy);
    if (streak && repeats(streak.last, row)) {
      streak.last = row;
      streak.count += 1;
      return false;
    }
    this.end(strategy);
    this.running.set(strategy, { last: row, count: 1, since: row.at });
    this.log.defer(row);
    return true;
  }

  /** Ends the strategy's streak because something else happened. */
  end(strategy: StrategyId): void {
    const streak = this.running.get(strategy);
    if (!streak) return;
    this.running.delete(strategy);
    if (streak.count > 1) this.log.defer(closing(streak));
  }

  /** An order of the strategy has passed these checks. */
  passed(strategy: StrategyId, checks: readonly CheckResult[]): void {
    this.end(strategy);
    if (checks.some(({ check }) => check === OF_DAY)) this.ofDay.delete(strategy);
  }

  /** What a strategy is refused again and again; undefined where there is no such thing, or where its cause may be over. */
  of(strategy: StrategyId, now: Millis): Refusals | undefined {
    const day = this.ofDay.get(strategy);
    if (day && day.count > 1 && now < day.until) return { reason: OF_DAY, since: day.since, until: day.until };
    const streak = this.running.get(strategy);
    const reason = streak?.last.reason ?? null;
    if (streak?.last.kind !== 'refused' || reason === null || reason === OF_DAY) return undefined;
    if (streak.count < 2 || now - streak.last.at > STANDS_MS) return undefined;
    return { reason, since: streak.since, until: null };
  }

  private noteOfDay(strategy: StrategyId, at: Millis): void {
    const before = this.ofDay.get(strategy);
    if (before && at < before.until) before.count += 1;
    else this.ofDay.set(strategy, { since: at, until: dayEnd(at), count: 1 });
  }

  endAll(): void {
    for (const strategy of [...this.running.keys()]) this.end(strategy);
  }
}

function repeats(last: Row, row: Row): boolean {
  // Only its row says at which commit another program held the journal: a run that is played again needs each.
  if (row.reason === 'JOURNAL_BUSY') return false;
  if (last.reason !== row.reason || last.product !== row.product) return false;
  if (last.kind === 'refused') return row.kind === 'refused' && last.detail.intent.side === row.detail.intent.side;
  return row.kind === 'hold' && last.detail.why === row.detail.why;
}

function closing({ last, count }: Streak): Decision {
  return last.kind === 'refused'
    ? { ...last, detail: { ...last.detail, repeated: count } }
    : { ...last, detail: { ...last.detail, repeated: count } };
}
