import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import type { ServiceBooks, ServiceFill } from '#lab/simulator/service/books.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import { type FoldedLot, lotsAfter } from './folded-lots.ts';
import type { Effect } from './holdings.ts';
import type { WireOrder } from './order-watch.ts';

/** A result that is nearer to nothing than this share of what was closed may count as won or lost. */
const CLEAR_SHARE = 1e-5;
/** A fill that closes less than a fiftieth of itself counts as none; the machine knows sizes to some digits only. */
const [NONE, SOME] = [0.019, 0.021];
/** How much sooner a cooldown may end by the daemon's clock, which follows the service's, in milliseconds. */
const SOONER_MS = 15_000;

/** Closes in a row that lost; null after one that may have won or lost, until one has won for certain. */
interface Run {
  readonly losses: number | null;
  /** World times between which nothing opens. */
  readonly since: number;
  readonly until: number;
}

const BEGUN: Run = { losses: 0, since: 0, until: 0 };

/** Counts closes in a row that lost by the service's executions, in the order of the journal: once over a limit, nothing opens (I05). */
export class StreakWatch {
  private readonly parts: { readonly scene: Scene; readonly books: ServiceBooks; readonly violate: Violate };
  private readonly held = new Map<string, readonly FoldedLot[]>();
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
    const { after, lost } = booked(this.held.get(place) ?? [], fill, quote?.baseCcy === fill.feeCcy);
    this.held.set(place, after);
    if (lost === undefined) return;
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

/** What is held after a fill; `lost` where it closed something: null where that is too near to nothing. */
function booked(
  before: readonly FoldedLot[],
  fill: ServiceFill,
  isFeeInBase: boolean,
): { readonly after: readonly FoldedLot[]; readonly lost?: boolean | null } {
  const [size, value, fee] = [Number(fill.size), Number(fill.value), Number(fill.fee)];
  const isBuy = fill.side === 'buy';
  const held = before.reduce((sum, lot) => sum + lot.size, 0);
  const { lots: after, won } = lotsAfter(before, {
    size: (isBuy ? size : -size) - (isFeeInBase ? fee : 0),
    cash: (isBuy ? -value : value) - (isFeeInBase ? 0 : fee),
  });
  const closed = held === 0 || held > 0 === isBuy ? 0 : Math.min(size, Math.abs(held));
  if (closed < size * NONE) return { after };
  const isUnsure = closed < size * SOME || Math.abs(won) < closed * Number(fill.price) * CLEAR_SHARE;
  return { after, lost: isUnsure ? null : won < 0 };
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
