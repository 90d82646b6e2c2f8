import { Latches } from '#adapters/journal/latches.ts';
import { isBesideLast } from '#adapters/journal/named-rows.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { StrategyTracker } from '#assembly/strategy-tracker.ts';
import type { Settings } from '#config/settings.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Decision } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime, type Millis, type RunId } from '#domain/names.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import { type Silence, type StrategyRows, silencesOf } from '#report/silence.ts';

interface PresentOptions {
  readonly run: RunId;
  readonly settings: Settings;
  readonly strategies: readonly LoadedStrategy[];
  /** What earlier runs left latched. */
  readonly latches: readonly Latch[];
}

/**
 * Keeps of a run what tells why there is no order now, so that nothing is read or played again to answer: of each strategy its last
 * decisions, of each lane its last change and quote. What it keeps does not grow with the run, and no decision depends on it.
 */
export class PresentSilences {
  private readonly options: PresentOptions;
  private readonly seen: StrategyTracker;
  private readonly latches: Latches;
  private readonly told = new Map<string, StrategyRows>();

  constructor(options: PresentOptions) {
    this.options = options;
    this.seen = new StrategyTracker(options.settings, options.strategies);
    this.latches = new Latches(options.latches);
  }

  /** The log, whose events are noted once they are kept. */
  hearing(log: InboxLog): InboxLog {
    const { lanes } = this.seen;
    return {
      append(event) {
        log.append(event);
        lanes.add(event);
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
      this.latches.apply(decision);
      if (decision.strategy === null) continue;
      const { last, thrown } = this.told.get(decision.strategy) ?? { last: undefined, thrown: null };
      this.told.set(decision.strategy, {
        last: isBesideLast(decision) ? last : decision,
        thrown:
          decision.kind === 'threw' ? { times: (thrown?.times ?? 0) + 1, at: isoTime(decision.at), error: decision.detail.error } : thrown,
      });
    }
  }

  /** Of each strategy, all that is known of it now. */
  at(now: Millis, engine: Engine): readonly Silence[] {
    const { run, strategies, settings } = this.options;
    const orders = engine.inspect(({ books }) => [...books.openOrders()]);
    return silencesOf(
      strategies.map(({ strategy }) => strategy),
      {
        at: now,
        run,
        latches: this.latches.standing,
        rearmAfterMs: settings.trading.arming.rearmAfterMs,
        open: (wanted) =>
          orders
            .filter(({ product }) => product === wanted)
            .map(({ id, product, strategy, state, intentAt }) => ({
              order_id: id,
              product,
              strategy,
              state,
              intent_at: isoTime(intentAt),
            })),
        rowsOf: (id) => this.told.get(id) ?? { last: undefined, thrown: null },
        seen: (strategy) => this.seen.of(strategy, { engine, now, sameSource: true }),
      },
    );
  }
}
