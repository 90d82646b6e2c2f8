import { Latches } from '#adapters/journal/latches.ts';
import { isBesideLast } from '#adapters/journal/named-rows.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { StrategiesSeen } from '#assembly/strategies-seen.ts';
import type { Settings } from '#config/settings.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Decision } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { withEnds } from '#domain/latch-ends.ts';
import { isoTime, type Millis, type RunId, type StrategyId } from '#domain/names.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import type { Silence } from '#report/why-not.ts';

interface PresentOptions {
  readonly run: RunId;
  readonly settings: Settings;
  readonly strategies: readonly LoadedStrategy[];
  /** What earlier runs left latched. */
  readonly latches: readonly Latch[];
}

/** What the run has decided about one strategy. */
interface Decided {
  last: Decision | undefined;
  thrown: NonNullable<Silence['thrown']> | null;
}

/**
 * Keeps of a run what tells why there is no order now, so that nothing is read or played again to answer: of each strategy its last
 * decisions, of each lane its last change and quote. What it keeps does not grow with the run, and no decision depends on it.
 */
export class PresentSilences {
  private readonly options: PresentOptions;
  private readonly seen: StrategiesSeen;
  private readonly latches: Latches;
  private readonly decided: ReadonlyMap<StrategyId, Decided>;

  constructor(options: PresentOptions) {
    const { settings, strategies, latches } = options;
    this.options = options;
    this.seen = new StrategiesSeen(settings, strategies);
    this.latches = new Latches(latches);
    this.decided = new Map(strategies.map(({ strategy: { id } }) => [id, { last: undefined, thrown: null }]));
  }

  /** The log, whose events are noted once they are kept. */
  hearing(log: InboxLog): InboxLog {
    const { lanes } = this.seen;
    return {
      append(event) {
        log.append(event);
        lanes.take(event);
      },
      conflated(at, quote) {
        log.conflated(at, quote);
        lanes.quote(quote, at);
      },
      flush: () => log.flush(),
    };
  }

  /** Notes decisions that were handed to the journal. */
  journaled(decisions: readonly Decision[]): void {
    for (const decision of decisions) {
      this.latches.take(decision);
      const of = decision.strategy === null ? undefined : this.decided.get(decision.strategy);
      if (of === undefined) continue;
      if (!isBesideLast(decision)) of.last = decision;
      if (decision.kind === 'threw')
        of.thrown = { times: (of.thrown?.times ?? 0) + 1, at: isoTime(decision.at), error: decision.detail.error };
    }
  }

  /** Of each strategy, all that is known of it now. */
  at(now: Millis, engine: Engine): readonly Silence[] {
    const { run, strategies, settings } = this.options;
    const latches = withEnds(this.latches.standing, settings.trading.arming.rearmAfterMs);
    const orders = engine.inspect(({ books }) => [...books.openOrders()]);
    return strategies.map(({ strategy }): Silence => {
      const { id, product } = strategy;
      return {
        at: now,
        strategy: id,
        run,
        latches: latches.filter((latch) => latch.strategy === null || latch.strategy === id),
        open: orders
          .filter((order) => order.product === product)
          .map(({ id: order_id, strategy, state, intentAt }) => ({ order_id, product, strategy, state, intent_at: isoTime(intentAt) })),
        last: undefined,
        ...this.decided.get(id),
        seen: this.seen.of(strategy, { engine, now, sameSource: true }),
      };
    });
  }
}
