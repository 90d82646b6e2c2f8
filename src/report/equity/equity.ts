import type { Millis } from '#domain/names.ts';
import type { PriceColumns, RowRange } from '#domain/quote-columns.ts';
import { DAY_MS, dayEnd } from '#domain/utc-day.ts';
import type { LedgerMovement } from '#report/record.ts';
import { EquityCourse } from './course.ts';
import { Days, type GrownValue } from './days.ts';
import { partlyQuoted, type TimeSpan, tradedMs } from './empty-times.ts';
import type { EquityInput } from './equity-input.ts';
import type { Equity } from './equity-value.ts';
import { firstRates } from './first-rates.ts';
import { Growth } from './growth.ts';
import { Holdings, isFlow, isOpening } from './holdings.ts';
import { RecordedMarks } from './marks.ts';
import { type LaneUpdate, QuoteWalk } from './quote-walk.ts';
import { isOrdered, rowAt } from './rates.ts';
import { TimeInMarket } from './time-in-market.ts';

/** Maximum number of rows of a lane that are checked together. */
const AT_ONCE = 4_096;

/**
 * Values books at executable quotes over a run: capital at its value when contributed, and trading results by quote
 * currency at present rates. A rate that moves an untouched budget is neither profit nor drawdown, nor does it move a return (`Growth`). Deposits
 * and withdrawals are taken out (time-weighted, chained at each). Returns a text if there is no value.
 */
export function equityOf(input: EquityInput): Equity | string {
  return new Track(input).follow();
}

class Track {
  private readonly input: EquityInput;
  private readonly left: readonly TimeSpan[];
  private readonly walk: QuoteWalk;
  private readonly marks: RecordedMarks;
  private readonly holdings: Holdings;
  /** The only lane, if its quotes are taken in blocks. */
  private readonly lane: PriceColumns | undefined;
  /** Width of the widest bars among the quotes; 0 where none are bars. */
  private readonly barMs: Millis;
  private next = 0;
  private emptyPast = 0;
  /** Lanes without a quote since the last of them. */
  private away: Set<number> = new Set();
  private begun:
    | (Pick<Equity, 'capital' | 'capitalIn' | 'joined'> & { readonly at: Millis; readonly course: EquityCourse; readonly days: Days })
    | undefined;
  private readonly openings: readonly LedgerMovement[];
  private flows = 0;
  /** True once capital was booked; trading results alone are not capital. */
  private funded: boolean;
  private readonly growth: Growth;
  private whyNot = 'no opening balance is booked for what trades';
  private lost: string | undefined;
  private seenAt: Millis;
  private midnight: Millis;
  private readonly inMarket: TimeInMarket;
  /** True from a fill on until it has a value. */
  private fresh = false;
  private products: ReadonlySet<string> | 'all' = 'all';
  private readonly traded: ReadonlySet<string>;

  constructor(input: EquityInput) {
    const { columns, currenciesOf, from, earlier } = input;
    this.input = input;
    this.left = [...input.empty, ...(input.unrecorded ?? [])];
    this.walk = new QuoteWalk(columns);
    this.marks = new RecordedMarks(columns);
    this.holdings = new Holdings(currenciesOf);
    this.growth = new Growth({ holdings: this.holdings, marks: this.marks, currency: input.currency });
    this.barMs = columns.reduce((widest, { barMs = 0 }) => Math.max(widest, barMs), 0);
    const [only] = columns;
    this.lane = columns.length === 1 && only && input.everyQuote !== true && isOrdered(only.at) ? only : undefined;
    this.inMarket = new TimeInMarket(this.left);
    this.seenAt = from;
    this.midnight = dayEnd(from);
    // A budget is there from the begin, also of a strategy that joins others and of one whose product is quoted later: no deposit in the run's middle.
    this.openings = input.movements.filter(isOpening);
    const atBegin = [...earlier, ...this.openings];
    this.funded = atBegin.some(isFlow);
    for (const movement of atBegin) this.holdings.apply(movement);
    this.traded = new Set([...earlier, ...input.movements].flatMap(({ product, kind }) => (kind === 'fill' ? (product ?? []) : [])));
    this.changed(from);
  }

  follow(): Equity | string {
    const { to } = this.input;
    const movements = this.input.movements.filter((movement) => !isOpening(movement));
    this.tryToBegin(this.input.from);
    for (let n = 0; n < movements.length; ) {
      const movement = movements[n];
      if (!movement) break;
      this.advance(Math.min(movement.at, to));
      // What one event books is booked together: the rows of a fill, or capital that moves between two books.
      let end = n;
      while (movements[end]?.at === movement.at && isFlow(movements[end] ?? movement) === isFlow(movement)) end += 1;
      this.book(movements.slice(n, end), isFlow(movement), movement.at);
      n = end;
    }
    this.advance(to);
    return this.result();
  }

  private advance(to: Millis): void {
    for (let empty = this.input.empty[this.emptyPast]; empty && empty.from <= to; empty = this.input.empty[this.emptyPast]) {
      this.daysUntil(empty.from);
      if (this.begun?.days.isBegunAt(empty.from)) this.endDay(empty.from);
      if (to < empty.to) return this.walkTo(to);
      this.passEmpty(empty);
    }
    this.daysUntil(to);
  }

  private passEmpty({ from, to }: TimeSpan): void {
    this.walkTo(to - 1);
    const grown = this.grown(to);
    if (grown) this.begun?.days.passEmpty(to, grown);
    this.midnight = dayEnd(to);
    this.emptyPast += 1;
    this.away = new Set(this.marks.silentSince(from));
  }

  private daysUntil(to: Millis): void {
    // What comes at midnight is of the day that begins; a bar known then tells of the day that ends.
    const late = this.barMs > 0 ? 0 : 1;
    while (this.midnight < to + late) {
      this.walkTo(this.midnight - late);
      this.endDay(this.midnight);
      this.midnight += DAY_MS;
    }
    this.walkTo(to);
  }

  private walkTo(upTo: Millis): void {
    const { lane } = this;
    if (lane === undefined) return this.walk.advance(upTo, this.onQuotes);
    const end = rowAt(lane, upTo) + 1;
    while (this.next < end) {
      const row = this.next;
      this.next = Math.min(end, row + AT_ONCE);
      if (this.along(lane, [row, this.next])) continue;
      this.next = row + 1;
      this.onQuotes([{ lane: 0, rows: [row, this.next] }], lane.at[row] ?? this.seenAt);
    }
  }

  /** Takes rows of the only lane at once; false where the first must be taken by itself. */
  private along(lane: PriceColumns, rows: RowRange): boolean {
    const { begun, flows, products, holdings, input } = this;
    const { before: growth, base, ruinedAt } = this.growth;
    if (!begun || this.fresh || this.away.size > 0) return false;
    if (products === 'all' || products.has(lane.product)) {
      const held = ruinedAt === null ? holdings.alone(lane.product, input.currency) : undefined;
      const { capital, course } = begun;
      if (!held || !course.along({ ...held, kept: capital + flows, capital, flows, growth, base }, { lane, rows }, this.seenAt))
        return false;
    }
    const last = rows[1] - 1;
    this.seenAt = lane.at[last] ?? this.seenAt;
    this.marks.see(0, last, this.seenAt);
    return true;
  }

  private readonly onQuotes = (brought: readonly LaneUpdate[], at: Millis): void => {
    if (this.away.size > 0) this.comeBack(brought, at);
    const ofHeld = ({ lane }: LaneUpdate): boolean => this.products === 'all' || this.products.has(this.input.columns[lane]?.product ?? '');
    this.marks.seeAll(brought, at, () => {
      if (!this.begun) this.tryToBegin(at);
      else if (this.fresh || brought.some(ofHeld)) this.value(at);
      this.seenAt = at;
    });
  };

  /** What the first prices of lanes after an empty time change was made in that time. */
  private comeBack(brought: readonly LaneUpdate[], at: Millis): void {
    const back = brought.filter(({ lane }) => this.away.delete(lane));
    const before = this.grown(at);
    for (const { lane, rows } of back) this.marks.see(lane, rows[1] - 1, at);
    const now = this.grown(at);
    if (before && now) this.begun?.days.comeBack(before, now);
  }

  private book(movements: readonly LedgerMovement[], flow: boolean, at: Millis): void {
    if (!flow) {
      for (const movement of movements) this.holdings.apply(movement);
      this.fresh = true;
      this.changed(at);
      return this.value(Math.min(at, this.input.to));
    }
    const [worth, before] = [this.worth(), this.whole()];
    const grown = typeof worth === 'string' ? 1 : this.growth.at(worth, at);
    for (const movement of movements) this.holdings.apply(movement);
    this.funded = true;
    this.changed(at);
    if (!this.begun) return this.tryToBegin(at);
    const after = this.whole();
    if (typeof before === 'string' || typeof after === 'string' || typeof worth === 'string') {
      this.lost ??= `money moved at ${new Date(at).toISOString()} while there was no value: ${typeof before === 'string' ? before : after}`;
      return;
    }
    this.growth.goOn(grown, worth + after - before);
    this.flows += after - before;
    this.begun.course.pay(this.begun.capital + this.flows, Math.min(at, this.input.to));
    this.value(at);
  }

  /** After holdings have changed: the time in the market, and the products that a value depends on. */
  private changed(time: Millis): void {
    const { isInMarket, products } = this.holdings;
    this.inMarket.changed(isInMarket, Math.min(time, this.input.to));
    const isIn = this.holdings.isTradedOnlyIn(this.input.currency) && this.holdings.isCapitalOnlyIn(this.input.currency);
    this.products = isIn ? products : 'all';
  }

  /** All that is held, at present rates. */
  private whole(): number | string {
    return this.holdings.value(this.marks, this.input.currency);
  }

  /** The capital as it came, and what trading made since. */
  private worth(): number | string {
    const traded = this.holdings.traded(this.marks, this.input.currency);
    return typeof traded === 'string' ? traded : (this.begun?.capital ?? 0) + this.flows + traded;
  }

  private tryToBegin(at: Millis): void {
    if (!this.funded) return;
    const worth = this.whole();
    if (typeof worth === 'string') this.whyNot = worth;
    else if (worth > 0) {
      this.holdings.rebase(this.marks);
      this.changed(at);
      // The first bar tells of the time since the begin.
      const since = at - this.input.from <= this.barMs ? this.input.from : at;
      this.inMarket.beginAt(since);
      const capitalIn = Object.fromEntries([...(this.holdings.sumsHeld(this.marks) ?? [])].filter(([, amount]) => amount !== 0));
      const course = new EquityCourse({ at: since, capital: worth }, { ...this.input, empty: this.left }, this.input.isInMoney);
      this.begun = { at: since, capital: worth, capitalIn, joined: this.joined(), course, days: new Days(since) };
      this.growth.goOn(1, worth);
    }
  }

  /** What the run's own budgets brought to what was there. */
  private joined(): number {
    if (!this.input.earlier.some(isFlow)) return 0;
    return this.openings.reduce(
      (sum, { amount, currency }) => sum + (this.marks.worth(Number(amount), currency, this.input.currency) ?? 0),
      0,
    );
  }

  private value(at: Millis): void {
    const { begun } = this;
    const worth = this.worth();
    const whole = this.input.isInMoney ? this.whole() : worth;
    if (!begun || typeof worth === 'string' || typeof whole === 'string') return;
    this.fresh = false;
    const growth = this.growth.at(worth, at);
    begun.course.see({ growth, profit: worth - begun.capital - this.flows, whole }, at, this.seenAt);
    this.seenAt = at;
  }

  private endDay(at: Millis): void {
    const grown = this.grown(at);
    if (grown) this.begun?.days.end(at, grown);
  }

  /** The value and its growth; undefined before it begins, and without a rate. */
  private grown(at: Millis): GrownValue | undefined {
    const worth = this.worth();
    return !this.begun || typeof worth === 'string' ? undefined : { equity: worth, growth: this.growth.at(worth, at) };
  }

  private result(): Equity | string {
    const { begun, input } = this;
    const { currency, to } = input;
    const [worth, final] = [this.worth(), this.whole()];
    if (!begun) return this.whyNot;
    if (typeof final === 'string') return final;
    if (typeof worth === 'string') return worth;
    if (this.lost !== undefined) return this.lost;
    this.value(to);
    const growth = this.growth.at(worth, to);
    if (input.empty.at(-1)?.to === to || begun.days.isMidnightWithin(this.barMs, to)) begun.days.amend({ equity: worth, growth });
    else if (begun.days.isBegunAt(to)) this.endDay(to);
    const { falls, money, chart, fallChart, paidChart } = begun.course;
    return {
      currency,
      from: begun.at,
      to,
      empty: input.empty,
      tradedMs: tradedMs({ from: begun.at, to }, input.empty),
      unrecorded: input.unrecorded ?? [],
      recordedMs: tradedMs({ from: begun.at, to }, this.left),
      partly: partlyQuoted(input.columns, this.traded, { from: begun.at, to }),
      firstRates: firstRates(input.movements, { marks: this.marks, currenciesOf: input.currenciesOf, into: currency }),
      capital: begun.capital,
      capitalIn: begun.capitalIn,
      joined: begun.joined,
      flows: this.flows,
      final,
      netProfit: worth - begun.capital - this.flows,
      revaluation: this.holdings.isCapitalOnlyIn(currency) ? 0 : final - worth,
      totalReturn: growth - 1,
      days: begun.days.all,
      falls: falls.worst(),
      underWaterMs: falls.longestMs(to),
      moneyFall: { amount: money.amount, from: money.from, troughAt: money.troughAt },
      inMarketMs: this.inMarket.until(to),
      ruinedAt: this.growth.ruinedAt,
      chart,
      fallChart,
      paidChart,
    };
  }
}
