import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import type { ServiceBooks } from '#lab/simulator/service/books.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import { DueExitWatch } from './exit-watch.ts';
import type { Violate } from './finding.ts';
import { ServiceHoldings } from './holdings.ts';
import type { JournalEye } from './journal-eye.ts';
import type { JournalLatches } from './latch-watch.ts';
import { LimitWatch } from './limit-watch.ts';
import { LossWatch } from './loss-watch.ts';
import type { WireOrder } from './order-watch.ts';
import { PositionWatch } from './position-watch.ts';
import { SizeWatch } from './size-watch.ts';
import { StreakWatch } from './streak-watch.ts';

interface BooksParts {
  readonly scene: Scene;
  readonly books: ServiceBooks;
  readonly eye: JournalEye;
  readonly orders: ReadonlyMap<string, WireOrder>;
  readonly latches: () => JournalLatches;
  readonly violate: Violate;
}

/** Everything that is reckoned from the service's own executions: positions, limits, losses, due exits and sizes. */
export class BooksWatch {
  readonly limits: LimitWatch;
  private readonly parts: BooksParts;
  private readonly holdings: ServiceHoldings;
  private readonly positions: PositionWatch;
  private readonly losses: LossWatch;
  private readonly streaks: StreakWatch;
  private readonly exits: DueExitWatch;
  private readonly sizes: SizeWatch;

  constructor(parts: BooksParts) {
    const { scene, books, latches, violate } = parts;
    const holdings = new ServiceHoldings(books, () => scene.world.now);
    this.parts = parts;
    this.holdings = holdings;
    this.positions = new PositionWatch(latches, violate);
    this.limits = new LimitWatch(scene.plan, holdings, violate);
    this.losses = new LossWatch({ ...parts, holdings });
    this.streaks = new StreakWatch(parts);
    this.exits = new DueExitWatch({ scene, holdings, violate, mayExit: () => latches().disarmed === null && !latches().halted });
    this.sizes = new SizeWatch({ ...parts, holdings });
  }

  /** A process starts with these settings. */
  starting(settings: Settings, isAfterCrash: boolean): void {
    this.positions.hold(new Set(settings.account.allowShort));
    this.limits.hold(settings.risk);
    this.losses.hold(settings, isAfterCrash);
    this.streaks.hold(settings.risk);
    this.exits.starting();
    // A commit whose sync failed may be on the disk: the next process reads it.
    for (const order of this.parts.orders.values()) {
      if (order.isSettled) continue;
      const [left] = this.parts.eye.rows<{ kind: string; as: string | null }>(
        "SELECT kind, detail ->> '$.as' AS \"as\" FROM decisions WHERE quote_id = ? AND kind IN ('accepted', 'rejected', 'resolved')",
        order.quoteId,
      );
      if (left) this.settled(order, (left.as ?? left.kind) === 'accepted');
    }
  }

  /** A person who goes on has seen what was lost. */
  begunAnew(): void {
    this.streaks.begin();
  }

  delivered(quote: SimulatedQuote): void {
    this.losses.delivered(quote);
    this.exits.delivered(quote);
  }

  /** A subscription as received by the service. */
  subscribed(query: string): void {
    this.sizes.subscribed(query);
  }

  /** An order that is being written. */
  wrote(order: WireOrder): void {
    const effect = this.holdings.wrote(order);
    if (!effect) return;
    this.positions.wrote(effect);
    this.limits.wrote(effect);
    this.losses.wrote(effect);
    this.streaks.wrote(effect);
    this.exits.wrote(effect);
  }

  committed(decision: Decision): void {
    this.losses.committed(decision);
    this.streaks.committed(decision);
    this.exits.committed(decision);
    const { kind, quoteId, detail } = decision;
    const order = this.parts.orders.get(quoteId ?? '');
    if (!order || (kind !== 'accepted' && kind !== 'rejected' && kind !== 'resolved')) return;
    this.settled(order, kind === 'accepted' || (kind === 'resolved' && detail.as === 'accepted'));
  }

  /** Once: a row that went with the power is written again. */
  private settled(order: WireOrder, isExecuted: boolean): void {
    if (order.isSettled) return;
    order.isSettled = true;
    if (isExecuted) {
      order.executedAt ??= this.parts.scene.world.now;
      this.streaks.filled(order);
    } else {
      const since = this.parts.scene.world.now;
      this.limits.rejected(
        { product: order.quote?.product ?? '', value: order.quote?.[order.side].value ?? 0, at: Date.parse(order.row?.intent_at ?? '') },
        { since, until: since + order.waitMs },
      );
    }
  }
}
