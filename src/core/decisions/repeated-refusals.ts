import type { Decision, DecisionRow } from '#domain/decision.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
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
  readonly count: number;
  readonly since: Millis;
  readonly lastAt: Millis;
}

/**
 * Keeps the journal small and honest about silence: a refusal or a hold that repeats itself is one row at its start and
 * one at its end, the latter with the last figures and the count.
 */
export class RepeatedRefusals {
  private readonly running = new Map<StrategyId, Streak>();
  private readonly log: DecisionLog;

  constructor(log: DecisionLog) {
    this.log = log;
  }

  /** Notes that a strategy was refused, or held, once more. True where that is the first of a row. */
  note(strategy: StrategyId, row: Row): boolean {
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

  /** What a strategy was refused again and again, and nothing else since; undefined where there is no such thing. */
  of(strategy: StrategyId): Refusals | undefined {
    const streak = this.running.get(strategy);
    const reason = streak?.last.reason ?? null;
    if (streak?.last.kind !== 'refused' || reason === null) return undefined;
    return { reason, count: streak.count, since: streak.since, lastAt: streak.last.at };
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
