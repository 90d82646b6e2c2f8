import type { Decision, DecisionRow } from '../domain/decision.ts';
import type { StrategyId } from '../domain/names.ts';
import type { DecisionLog } from './decision-log.ts';

interface Streak {
  readonly key: string;
  readonly last: DecisionRow<'refused'> | DecisionRow<'hold'>;
  readonly count: number;
}

/**
 * Keeps the journal small and honest about silence: a refusal or a hold that repeats itself is one row at its start and
 * one at its end, the latter with the last figures and the count.
 */
export class Streaks {
  private readonly running = new Map<StrategyId, Streak>();
  private readonly log: DecisionLog;

  constructor(log: DecisionLog) {
    this.log = log;
  }

  /** Notes that a strategy was refused, or held, once more. */
  note(strategy: StrategyId, row: DecisionRow<'refused'> | DecisionRow<'hold'>): void {
    const key = keyOf(row);
    const streak = this.running.get(strategy);
    if (streak?.key === key) {
      this.running.set(strategy, { key, last: row, count: streak.count + 1 });
      return;
    }
    this.end(strategy);
    this.running.set(strategy, { key, last: row, count: 1 });
    this.log.defer(row);
  }

  /** Ends the strategy's streak because something else happened. */
  end(strategy: StrategyId): void {
    const streak = this.running.get(strategy);
    if (!streak) return;
    this.running.delete(strategy);
    if (streak.count > 1) this.log.defer(closing(streak));
  }

  endAll(): void {
    for (const strategy of [...this.running.keys()]) this.end(strategy);
  }
}

function keyOf(row: DecisionRow<'refused'> | DecisionRow<'hold'>): string {
  const what = row.kind === 'refused' ? row.detail.intent.side : row.detail.why;
  return `${row.kind} ${row.reason} ${row.product} ${what}`;
}

function closing({ last, count }: Streak): Decision {
  return last.kind === 'refused'
    ? { ...last, detail: { ...last.detail, repeated: count } }
    : { ...last, detail: { ...last.detail, repeated: count } };
}
