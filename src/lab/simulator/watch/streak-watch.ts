import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import type { ServiceBooks, ServiceFill } from '#lab/simulator/service/books.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import { closesAfter } from './folded-lots.ts';
import type { Effect } from './holdings.ts';
import type { WireOrder } from './order-watch.ts';

/** A result that is nearer to nothing than this share of what was closed may count as won or lost. */
const CLEAR_SHARE = 1e-5;
/** How much sooner a cooldown may end by the daemon's clock, which follows the service's, in milliseconds. */
const SOONER_MS = 15_000;

/** Closes in a row that lost; null after one that may have won or lost, until one has won for certain. */
interface Run {
  readonly losses: number | null;
  /** World times between which nothing opens. */
  readonly since: number;
  readonly until: number;
}

type BookLots = ReturnType<typeof closesAfter>;

const BEGUN: Run = { losses: 0, since: 0, until: 0 };

/** Counts closes in a row that lost by the service's executions, in the order of the journal: once over a limit, nothing opens (I05). */
export class StreakWatch {
  private readonly parts: { readonly scene: Scene; readonly books: ServiceBooks; readonly violate: Violate };
  private readonly held = new Map<string, BookLots>();
  private readonly runs = new Map<string, Run>();
  private ofAll = BEGUN;
  private max = Number.POSITIVE_INFINITY;
  private maxOfAll = Number.POSITIVE_INFINITY;
  private cooldownMs = 0;

  constructor(parts: StreakWatch['parts']) {
    this.parts = parts;
  }

  /** A process starts with these limits. */
  hold({ maxLossStreak, maxLossStreakOfAll, lossCooldown }: Settings['risk']): void {
    this.max = maxLossStreak === 'off' ? Number.POSITIVE_INFINITY : maxLossStreak;
    this.maxOfAll = maxLossStreakOfAll === 'off' ? Number.POSITIVE_INFINITY : maxLossStreakOfAll;
    this.cooldownMs = lossCooldown;
  }

  /** A person who goes on has seen what was lost. */
  begin(): void {
    this.runs.clear();
    this.ofAll = BEGUN;
  }

  committed({ kind, detail }: Decision): void {
    if ((kind === 'armed' || kind === 'resumed') && detail.anew) this.begin();
    // With `trading.arm: auto` a start ends REDUCING.
    if (kind === 'armed') this.ofAll = { ...this.ofAll, since: 0, until: 0 };
    // A correction changes what was paid for a position.
    if (kind === 'booked' && detail.entries.some((one) => one.kind === 'correction')) {
      for (const [book, run] of this.runs) this.runs.set(book, { ...run, losses: null });
      this.ofAll = { ...this.ofAll, losses: null };
    }
  }

  /** The journal has an order as executed. */
  filled({ row, quoteId, quote }: WireOrder): void {
    const { scene, books } = this.parts;
    const fill = books.executed.get(quoteId);
    if (!row || !fill) return;
    const place = `${row.product} ${row.strategy}`;
    const held = executed(this.held.get(place) ?? { lots: [] }, fill, quote?.baseCcy === fill.feeCcy);
    this.held.set(place, held);
    if (!held.ended) return;
    const lost = held.isUnsure || Math.abs(held.ended.won) < held.ended.worth * CLEAR_SHARE ? null : held.ended.won < 0;
    const { now: since } = scene.world;
    const { runs, max, maxOfAll } = this;
    runs.set(row.strategy, next(runs.get(row.strategy) ?? BEGUN, lost, { max, since, until: since + this.cooldownMs - SOONER_MS }));
    this.ofAll = next(this.ofAll, lost, { max: maxOfAll, since, until: Number.POSITIVE_INFINITY });
  }

  /** An order that is being written. */
  wrote({ isOpening, book, order: { quoteId, decidedAt } }: Effect): void {
    if (!isOpening) return;
    for (const [whose, run] of [
      [`the last closes of ${book}`, this.runs.get(book)],
      ['the last closes', this.ofAll],
    ] as const)
      if (run && decidedAt > run.since && decidedAt < run.until)
        this.parts.violate('I05', `an opening of ${book} on quote ${quoteId} was written though ${whose} lost`);
  }
}

/** What is held after an execution. */
function executed(before: BookLots, fill: ServiceFill, isFeeInBase: boolean): BookLots {
  const [size, value, fee] = [Number(fill.size), Number(fill.value), Number(fill.fee)];
  const isBuy = fill.side === 'buy';
  const moved = { size: (isBuy ? size : -size) - (isFeeInBase ? fee : 0), cash: (isBuy ? -value : value) - (isFeeInBase ? 0 : fee) };
  return closesAfter(before, { moved, size, price: Number(fill.price) });
}

/** A run after a close. Over `max` it begins again, and nothing opens for a time. */
function next(
  { losses, since, until }: Run,
  lost: boolean | null,
  over: { readonly max: number; readonly since: number; readonly until: number },
): Run {
  if (lost === false) return { losses: 0, since, until };
  if (lost === null || losses === null) return { losses: null, since, until };
  return losses + 1 < over.max ? { losses: losses + 1, since, until } : { losses: 0, since: over.since, until: over.until };
}
