import { lanesOf } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { Effect, ServiceHoldings } from './holdings.ts';
import type { JournalEye } from './journal-eye.ts';

/** How long a loss stays over its limit, at every quote, before no opening may pass, in milliseconds: lanes have other prices for a while. */
const OVER_MS = 12_000;
/** A measure that is older counts no more: outcomes were not known since. */
const MEASURED_MS = 15_000;
/** What is unsure of a loss: dollars, and a share of all positions. */
const UNSURE = 1;
const UNSURE_SHARE = 0.003;

interface MeasuredRow {
  readonly dayStart: number | null;
  readonly peak: number | null;
}

/** Reckons the day's loss and the drawdown from the service's executions and quotes: once over its limit, nothing opens (I05). */
export class LossWatch {
  private readonly scene: Scene;
  private readonly holdings: ServiceHoldings;
  private readonly eye: JournalEye;
  private readonly violate: Violate;
  private readonly prices = new Map<string, Pick<SimulatedQuote, 'buy' | 'sell'>>();
  private maxDayLoss = Number.POSITIVE_INFINITY;
  private maxDrawdownPct = Number.POSITIVE_INFINITY;
  private capital = 0;
  /** Products with a lane. What is held of others counts at its entry price, after a restart at another one. */
  private watched: ReadonlySet<string> = new Set();
  private startedAt = 0;
  /** Profit as the day's loss is measured from, and the highest; null: as it is when it is measured next. */
  private dayStart: number | null = 0;
  private peak: number | null = 0;
  private measuredAt = 0;
  private over: { readonly since: number; readonly what: string } | null = null;

  constructor(parts: { readonly scene: Scene; readonly holdings: ServiceHoldings; readonly eye: JournalEye; readonly violate: Violate }) {
    this.scene = parts.scene;
    this.holdings = parts.holdings;
    this.eye = parts.eye;
    this.violate = parts.violate;
  }

  /** A process starts with these limits; after a crash with what the journal has kept. */
  hold(settings: Settings, isAfterCrash: boolean): void {
    const { maxDayLoss, maxDrawdownPct } = settings.risk;
    this.watched = new Set(lanesOf(settings).map(({ product }) => product));
    this.startedAt = this.scene.world.now;
    this.maxDayLoss = maxDayLoss === 'off' ? Number.POSITIVE_INFINITY : Number(maxDayLoss.byCurrency.usd);
    this.maxDrawdownPct = maxDrawdownPct === 'off' ? Number.POSITIVE_INFINITY : maxDrawdownPct;
    this.capital = this.scene.plan.strategies.reduce((sum, { budget = 50_000 }) => sum + budget, 0);
    this.over = null;
    if (!isAfterCrash) return;
    const [kept] = this.eye.rows<MeasuredRow>(
      "SELECT detail ->> '$.byCurrency.usd.dayStart' AS dayStart, detail ->> '$.byCurrency.usd.peak' AS peak FROM decisions WHERE kind = 'measured' ORDER BY seq DESC LIMIT 1",
    );
    this.dayStart = kept?.dayStart ?? null;
    this.peak = kept?.peak ?? null;
  }

  /** A person who goes on has seen what was lost. */
  committed({ kind, detail }: Decision): void {
    if ((kind !== 'armed' && kind !== 'resumed') || !detail.anew) return;
    [this.dayStart, this.peak, this.over] = [null, null, null];
    this.measure();
  }

  /** A quote has reached the machine. */
  delivered({ product, buy, sell, spoiled }: SimulatedQuote): void {
    if (spoiled) return;
    this.prices.set(product, { buy, sell });
    if (Math.min(this.maxDayLoss, this.maxDrawdownPct) < Number.POSITIVE_INFINITY) this.measure();
  }

  /** An order that is being written. */
  wrote({ isOpening, order: { quoteId } }: Effect): void {
    const { over } = this;
    const { now } = this.scene.world;
    if (!isOpening || !over || now - this.measuredAt > MEASURED_MS || now - over.since < OVER_MS) return;
    this.violate('I05', `an opening on quote ${quoteId} was written ${now - over.since} ms after ${over.what}`);
  }

  private measure(): void {
    const { holdings } = this;
    const { now } = this.scene.world;
    if (holdings.isOpen()) return;
    let present = 0;
    let unsure = UNSURE;
    for (const { product, size, cash, average, openedAt } of holdings.ofBooks()) {
      present += cash;
      if (size === 0) continue;
      const atEntry = openedAt > this.startedAt ? average : undefined;
      const price = this.watched.has(product) ? this.prices.get(product)?.[size > 0 ? 'sell' : 'buy'].price : atEntry;
      if (price === undefined) return;
      present += size * price;
      unsure += Math.abs(size) * price * UNSURE_SHARE;
    }
    this.dayStart ??= present;
    this.peak = Math.max(this.peak ?? present, present);
    this.measuredAt = now;
    const lost = this.dayStart - present - unsure;
    const fallen = this.peak - present - unsure;
    const pct = (fallen / (this.capital + this.peak)) * 100;
    const what =
      lost > this.maxDayLoss
        ? `${lost.toFixed(2)} usd were lost, and ${this.maxDayLoss} are allowed a day`
        : pct > this.maxDrawdownPct
          ? `the account fell by ${pct.toFixed(3)} %, and ${this.maxDrawdownPct} are allowed`
          : null;
    this.over = what === null ? null : { since: this.over?.since ?? now, what };
  }
}
