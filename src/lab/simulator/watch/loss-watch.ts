import { lanesOf } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import { dayOf } from '#domain/utc-day.ts';
import { currenciesOf } from '#lab/simulator/daemon/configuration.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import { PRODUCTS, quotedIn } from '#lab/simulator/service/products.ts';
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

/** How long what was lost lately may have tripped a limit, in milliseconds. */
const LATELY_MS = 20_000;

interface MeasuredRow {
  readonly at: string;
  readonly dayStart: number | null;
  readonly peak: number | null;
}

/** What a currency's books have earned, and how much of it is unsure. */
interface Worth {
  readonly present: number;
  readonly unsure: number;
}

/** What was lost in a currency, and from where it is measured; null: that is not known, and nothing is judged before trading goes on anew. */
interface Standing {
  maxDayLoss: number;
  maxDrawdownPct: number;
  capital: number;
  dayStart: number | null;
  /** The UTC day that began there, by the service's clock. */
  day: number;
  peak: number | null;
  /** How much of both is unsure since trading went on: the daemon may have had prices of other lanes. */
  unsure: number;
  measuredAt: number;
  over: { readonly since: number; readonly what: string } | null;
  /** The most that may have been lost, and fallen in percent, at the last measures. */
  lately: readonly { readonly at: number; readonly lost: number; readonly pct: number }[];
}

/** Reckons the day's loss and the drawdown from the service's executions and quotes: once over its limit, nothing opens (I05). */
export class LossWatch {
  private readonly scene: Scene;
  private readonly holdings: ServiceHoldings;
  private readonly eye: JournalEye;
  private readonly violate: Violate;
  private readonly prices = new Map<string, Pick<SimulatedQuote, 'buy' | 'sell'>>();
  private readonly standings: ReadonlyMap<string, Standing>;
  /** Products with a lane. What is held of others counts at its entry price, after a restart at another one. */
  private watched: ReadonlySet<string> = new Set();
  private startedAt = 0;
  /** What rolls of positions and corrections of a person brought, below zero what they cost, by currency. */
  private booked: ReadonlyMap<string, number> = new Map();

  constructor(parts: { readonly scene: Scene; readonly holdings: ServiceHoldings; readonly eye: JournalEye; readonly violate: Violate }) {
    this.scene = parts.scene;
    this.holdings = parts.holdings;
    this.eye = parts.eye;
    this.violate = parts.violate;
    const strategies = parts.scene.plan.strategies.filter(({ enabled = true }) => enabled);
    const capitalIn = (currency: string): number =>
      strategies.reduce((sum, one) => sum + (currenciesOf([one]).includes(currency) ? (one.budget ?? 50_000) : 0), 0);
    const unlimited = { maxDayLoss: Number.POSITIVE_INFINITY, maxDrawdownPct: Number.POSITIVE_INFINITY };
    const begun = {
      ...unlimited,
      dayStart: 0,
      day: dayOf(parts.scene.world.startsAt),
      peak: 0,
      unsure: 0,
      measuredAt: 0,
      over: null,
      lately: [],
    };
    const all = new Set(PRODUCTS.map(({ quoteCcy }) => quoteCcy));
    this.standings = new Map([...all].map((currency) => [currency, { ...begun, capital: capitalIn(currency) }]));
  }

  /** A process starts with these limits; after a crash with what the journal has kept. */
  hold(settings: Pick<Settings, 'risk' | 'strategies' | 'account' | 'lanes'>, isAfterCrash: boolean): void {
    const { maxDayLoss, maxDrawdownPct } = settings.risk;
    this.watched = new Set(lanesOf(settings).map(({ product }) => product));
    this.startedAt = this.scene.world.now;
    this.readBooked();
    // What several currencies have fallen by is added up at rates.
    const isOfOne = currenciesOf(this.scene.plan.strategies).length === 1;
    for (const [currency, standing] of this.standings) {
      standing.maxDayLoss =
        maxDayLoss === 'off' ? Number.POSITIVE_INFINITY : Number(maxDayLoss.byCurrency[currency] ?? Number.POSITIVE_INFINITY);
      // An order by hand where no strategy has capital: a share of next to nothing says nothing.
      const isMeasured = maxDrawdownPct !== 'off' && isOfOne && standing.capital > 0;
      standing.maxDrawdownPct = isMeasured ? maxDrawdownPct : Number.POSITIVE_INFINITY;
      standing.over = null;
      standing.lately = [];
      if (!isAfterCrash) continue;
      const of = `'$.byCurrency.${currency}.`;
      // A person who went on after the last measure has begun another, of which no row tells.
      const [kept] = this.eye.rows<MeasuredRow>(
        `SELECT at, detail ->> ${of}dayStart' AS dayStart, detail ->> ${of}peak' AS peak FROM decisions
         WHERE kind = 'measured' OR (kind IN ('armed', 'resumed') AND detail ->> '$.anew') ORDER BY seq DESC LIMIT 1`,
      );
      standing.dayStart = kept?.dayStart ?? null;
      if (kept) standing.day = dayOf(Date.parse(kept.at));
      standing.peak = kept?.peak ?? null;
      standing.unsure = 0;
    }
  }

  /** A person who goes on has seen what was lost. */
  committed({ kind, reason, detail }: Decision): void {
    if (kind === 'booked') this.readBooked();
    if (kind === 'reducing' && (reason === 'MAX_DAY_LOSS' || reason === 'MAX_DRAWDOWN')) this.tripped(reason, detail.why);
    if ((kind !== 'armed' && kind !== 'resumed') || !detail.anew) return;
    for (const [currency, standing] of this.standings) {
      // An order without an outcome leaves open what is held as trading goes on.
      const begin = this.holdings.isOpen() ? undefined : this.worth(currency);
      const present = begin?.present ?? null;
      Object.assign(standing, { dayStart: present, peak: present, unsure: begin?.unsure ?? 0, over: null, lately: [] });
    }
  }

  /** A quote has reached the machine. */
  delivered({ product, buy, sell, spoiled }: SimulatedQuote): void {
    if (spoiled) return;
    this.prices.set(product, { buy, sell });
    const currency = quotedIn(product);
    if (this.isLimited(currency)) this.measure(currency);
  }

  /** An order that is being written. */
  wrote({ isOpening, order: { quoteId } }: Effect): void {
    const { now } = this.scene.world;
    for (const { over, measuredAt } of this.standings.values()) {
      if (!isOpening || !over || now - measuredAt > MEASURED_MS || now - over.since < OVER_MS) continue;
      this.violate('I05', `an opening on quote ${quoteId} was written ${now - over.since} ms after ${over.what}`);
    }
  }

  /** A limit of loss has stopped openings: something near it was lost in that currency. */
  private tripped(reason: string, why: string): void {
    const isDay = reason === 'MAX_DAY_LOSS';
    // A fill that trips a limit has no row yet; a price that no market has may be anywhere.
    if (this.holdings.unsettledOrders > 1 || (this.scene.troubles.seen.get('F33') ?? 0) > 0) return;
    const [, currency = ''] = (isDay ? / ([a-z]+) since /.exec(why) : / ([a-z]+) below /.exec(why)) ?? [];
    this.measure(currency, false);
    const { lately = [], maxDayLoss = 0, maxDrawdownPct = 0 } = this.standings.get(currency) ?? {};
    const limit = isDay ? maxDayLoss : maxDrawdownPct;
    const since = this.scene.world.now - LATELY_MS;
    const seen = lately.filter(({ at }) => at > since).map(({ lost, pct }) => (isDay ? lost : pct));
    if (limit === Number.POSITIVE_INFINITY || seen.length === 0) return;
    if (Math.max(...seen) < limit) this.violate('I05', `trading is REDUCING: ${why}; reckoned are ${Math.max(...seen).toFixed(3)} at most`);
  }

  private isLimited(currency: string): boolean {
    const { maxDayLoss = 0, maxDrawdownPct = 0 } = this.standings.get(currency) ?? {};
    return Math.min(maxDayLoss, maxDrawdownPct) < Number.POSITIVE_INFINITY;
  }

  private readBooked(): void {
    const rows = this.eye.rows<{ currency: string; amount: number }>(
      `SELECT currency, sum(amount) AS amount FROM ledger AS one WHERE kind = 'financing' OR (kind = 'correction' AND EXISTS
         (SELECT 1 FROM ledger WHERE kind = 'fill' AND book = one.book AND product = one.product AND entry_id < one.entry_id))
       GROUP BY currency`,
    );
    this.booked = new Map(rows.map(({ currency, amount }) => [currency, amount]));
  }

  /** Undefined without the price of something that is held. */
  private worth(currency: string): Worth | undefined {
    let present = this.booked.get(currency) ?? 0;
    let unsure = UNSURE;
    for (const { product, size, cash, average, openedAt } of this.holdings.ofBooks()) {
      if (quotedIn(product) !== currency) continue;
      present += cash;
      if (size === 0) continue;
      const atEntry = openedAt > this.startedAt ? average : undefined;
      const price = this.watched.has(product) ? this.prices.get(product)?.[size > 0 ? 'sell' : 'buy'].price : atEntry;
      if (price === undefined) return undefined;
      present += size * price;
      unsure += Math.abs(size) * price * UNSURE_SHARE;
    }
    return { present, unsure };
  }

  /** A new day: its loss is measured from here on. */
  private turnDay(currency: string, standing: Standing, day: number): void {
    const begin = this.holdings.isOpen() ? undefined : this.worth(currency);
    const unsure = Math.max(standing.unsure, begin?.unsure ?? 0);
    Object.assign(standing, { day, dayStart: begin?.present ?? null, unsure, over: null, lately: [] });
  }

  private measure(currency: string, isSure = true): void {
    const { world, time } = this.scene;
    const { now } = world;
    const standing = this.standings.get(currency);
    if (standing && dayOf(time.now) !== standing.day) this.turnDay(currency, standing, dayOf(time.now));
    if (standing?.dayStart == null || standing.peak === null || (isSure && this.holdings.isOpen())) return;
    const worth = this.worth(currency);
    if (!worth) return;
    const { present } = worth;
    const unsure = Math.max(worth.unsure, standing.unsure);
    const { dayStart } = standing;
    const peak = Math.max(standing.peak, present);
    const { capital, maxDayLoss, maxDrawdownPct, lately, over } = standing;
    const lost = dayStart - present - unsure;
    const pctOf = (fallen: number): number => (fallen / (capital + peak)) * 100;
    const pct = pctOf(peak - present - unsure);
    const most = { at: now, lost: dayStart - present + unsure, pct: pctOf(peak - present + unsure) };
    standing.lately = [...lately.filter(({ at }) => at > now - LATELY_MS), most];
    if (!isSure) return;
    Object.assign(standing, { peak, measuredAt: now });
    const what =
      lost > maxDayLoss
        ? `${lost.toFixed(2)} ${currency} were lost, and ${maxDayLoss} are allowed a day`
        : pct > maxDrawdownPct
          ? `the account fell by ${pct.toFixed(3)} %, and ${maxDrawdownPct} are allowed`
          : null;
    standing.over = what === null ? null : { since: over?.since ?? now, what };
  }
}
