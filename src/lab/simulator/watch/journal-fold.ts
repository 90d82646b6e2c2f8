import { dayOf } from '#domain/utc-day.ts';
import { after, FLAT, type FoldedBook, feeInBase, movedBy, NOTHING } from './folded-book.ts';
import { closesAfter, lotsCorrected, lotsPaid } from './folded-lots.ts';
import { type FillFigures, figuresOf, type JournalRow, type RowDetail } from './journal-rows.ts';

/** An order as it was permitted. */
export interface FoldedOrder extends FillFigures {
  readonly id: string;
  readonly strategy: string;
  readonly product: string;
  readonly at: number;
  readonly isExit: boolean;
  state: 'intent' | 'unknown';
}

/** What became of an order, by its rows. */
interface Outcome {
  readonly state: string;
  readonly settledAt: number | null;
  readonly body: string | null;
  readonly fill: FillFigures | null;
}

/** The least and the most that a book may hold once open orders are settled, in base currency. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const MINUTE_MS = 60_000;
/** A win below this share is none for certain. */
const UNCLEAR = 1e-6;
const STATES: Readonly<Record<string, string>> = {
  approved: 'intent',
  sent: 'sent',
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unknown',
  expired: 'expired',
  not_sent: 'not_sent',
};

/** What the rows of a journal say up to one of them, reckoned without Kairos's code. */
export class JournalFold {
  readonly open = new Map<string, FoldedOrder>();
  /** The value of orders, by day and currency. */
  private readonly dayValues = new Map<string, number>();
  readonly moved = new Map<string, number>();
  /** Last prices by product, as rows tell them. */
  readonly prices = new Map<string, number>();
  readonly paused = new Set<string>();
  readonly disabled = new Set<string>();
  /** Of every order. */
  readonly outcomes = new Map<string, Outcome>();
  /** When a close of each strategy ended without a clear win. */
  readonly lostAt = new Map<string, readonly number[]>();
  /** Closes in a row without a clear win. */
  lossesOfAll = 0;
  /** Worth up to which a person lets exits go, by strategy and product, until they hold nothing. */
  readonly allowed = new Map<string, number>();
  halted = false;
  disarmed = false;
  reducing = false;
  rejections = 0;
  /** Trading was armed behind the last rejection: where `trading.arm` is auto, each start does so, and the count goes on. */
  armedSince = false;
  waitUntil = 0;
  /** An exit was tried in that wait. */
  exitTried = false;
  /** The last time of any row: engine time may begin again behind it. */
  latest = 0;
  private recent: { readonly at: number; readonly strategy: string; readonly product: string }[] = [];
  private readonly books = new Map<string, FoldedBook>();
  private readonly twins = new Map<string, FoldedOrder>();

  apply(row: JournalRow): void {
    const { kind, at, strategy, product, order_id: id, detail } = row;
    const { order, fill, as, retryAfterMs, entries = [], quote = detail.intent?.quote } = detail;
    this.latest = Math.max(this.latest, at);
    if (quote) this.prices.set(product, quote.buy);
    this.note(row);
    if (kind === 'started') this.started();
    else if (kind === 'by_hand') this.allow(detail.wants);
    else if (order) this.approved(row, figuresOf(order));
    else if (kind === 'accepted' || kind === 'resolved') this.settled(id, fill && as !== 'rejected' ? figuresOf(fill) : null, at);
    else if (kind === 'rejected') this.rejected(id, at, retryAfterMs);
    else if (kind === 'expired' || kind === 'not_sent') this.gone(id);
    else if (kind === 'unknown') this.unknown(id);
    else if (kind === 'booked') this.booked(entries);
    else if (kind === 'disabled') this.disabled.add(strategy);
    else if (kind === 'enabled') this.disabled.delete(strategy);
    else this.latch(row);
  }

  book(strategy: string, product: string): FoldedBook {
    return this.books.get(`${strategy} ${product}`) ?? FLAT;
  }

  /** The value of a day's orders, up to an instant of it. */
  dayValue(at: number, currency: string): number {
    return this.dayValues.get(dayIn(at, currency)) ?? 0;
  }

  interval(strategy: string, product: string): Interval {
    let { size: low } = this.book(strategy, product);
    let high = low;
    for (const order of this.open.values()) {
      if (order.strategy !== strategy || order.product !== product) continue;
      if (order.side === 'buy') high += order.size;
      else low -= order.size + feeInBase(order);
    }
    return { low, high };
  }

  /** The larger end of each book of a product but one's own, added up. */
  grossBeside(own: string, product: string): number {
    return this.holders(product)
      .filter((strategy) => strategy !== own)
      .reduce((sum, strategy) => sum + worstOf(this.interval(strategy, product)), 0);
  }

  products(): ReadonlySet<string> {
    const held = [...this.books.keys()].map((key) => key.split(' ')[1] ?? '');
    return new Set([...held, ...[...this.open.values()].map(({ product }) => product)]);
  }

  /** Orders of the last minute that are of these. */
  inMinute(at: number, of: Partial<Pick<FoldedOrder, 'strategy' | 'product'>>): number {
    return this.recent.filter(
      (one) =>
        one.at > at - MINUTE_MS &&
        (of.strategy === undefined || one.strategy === of.strategy) &&
        (of.product === undefined || one.product === of.product),
    ).length;
  }

  /** What open purchases cost, of one strategy or of all. */
  openPurchases(currency: string, strategy: string | null): number {
    return [...this.open.values()]
      .filter((one) => one.side === 'buy' && one.quoteCcy === currency && (strategy === null || one.strategy === strategy))
      .reduce((sum, one) => sum + one.value + (one.feeCcy === currency ? one.fee : 0), 0);
  }

  lastOpening(strategy: string, product: string): FoldedOrder | undefined {
    return this.twins.get(`${strategy} ${product}`);
  }

  twinOf({ strategy, product, side, size }: FoldedOrder): FoldedOrder | undefined {
    const twin = this.lastOpening(strategy, product);
    return twin?.side === side && twin.size === size ? twin : undefined;
  }

  get unknownOpenings(): number {
    return [...this.open.values()].filter((one) => one.state === 'unknown' && !this.isExit(one)).length;
  }

  isPaused(strategy: string): boolean {
    return this.paused.has('') || this.paused.has(strategy);
  }

  private isExit({ strategy, product, side }: FoldedOrder): boolean {
    const { low, high } = this.interval(strategy, product);
    return side === 'sell' ? low >= -NOTHING : high <= NOTHING;
  }

  private holders(product: string): readonly string[] {
    const held = [...this.books.keys()].filter((key) => key.endsWith(` ${product}`)).map((key) => key.split(' ')[0] ?? '');
    return [...new Set([...held, ...[...this.open.values()].filter((one) => one.product === product).map((one) => one.strategy)])];
  }

  /** Of all words on an order the first that settles it counts. */
  private note({ kind, at, order_id: id, detail }: JournalRow): void {
    const state = kind === 'resolved' ? detail.as : STATES[kind];
    if (state === undefined) return;
    const before = this.outcomes.get(id);
    if (before && before.settledAt !== null) return;
    const settledAt = state === 'sent' || state === 'unknown' || state === 'intent' ? null : at;
    const body = detail.body ?? before?.body ?? null;
    if (state === 'sent' && before?.state === 'unknown') return;
    this.outcomes.set(id, { state, settledAt, body, fill: detail.fill ? figuresOf(detail.fill) : null });
  }

  private allow(wants: RowDetail['wants']): void {
    // What is asked while trading is stopped is refused.
    if (this.halted || this.disarmed) return;
    if (typeof wants === 'object' && wants.upTo !== undefined) this.allowed.set(`${wants.strategy} ${wants.product}`, Number(wants.upTo));
  }

  /** A restart knows no exit that was tried in a wait. */
  private started(): void {
    this.allowed.clear();
    this.exitTried = false;
  }

  private approved({ at, strategy, product, order_id: id }: JournalRow, figures: FillFigures): void {
    const interval = this.interval(strategy, product);
    const isExit = reduces(interval, figures.side, figures.size);
    const order: FoldedOrder = { ...figures, id, strategy, product, at, isExit, state: 'intent' };
    this.open.set(id, order);
    this.recent = [...this.recent.filter((one) => one.at > at - 2 * MINUTE_MS), { at, strategy, product }];
    add(this.dayValues, dayIn(at, figures.quoteCcy), figures.value);
    const place = `${strategy} ${product}`;
    if (isExit) this.twins.delete(place);
    else this.twins.set(place, order);
    if (isExit && at < this.waitUntil) this.exitTried = true;
  }

  private gone(id: string): FoldedOrder | undefined {
    const order = this.open.get(id);
    if (!order) return undefined;
    this.open.delete(id);
    add(this.dayValues, dayIn(order.at, order.quoteCcy), -order.value);
    const place = `${order.strategy} ${order.product}`;
    if (this.twins.get(place)?.id === id) this.twins.delete(place);
    return order;
  }

  private unknown(id: string): void {
    const order = this.open.get(id);
    if (order) order.state = 'unknown';
  }

  private rejected(id: string, at: number, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      if (at >= this.waitUntil) this.exitTried = false;
      this.waitUntil = Math.max(this.waitUntil, at + retryAfterMs);
    }
    this.countRejection(id);
  }

  private countRejection(id: string): void {
    if (!this.gone(id)) return;
    this.rejections += 1;
    this.armedSince = false;
  }

  private settled(id: string, fill: FillFigures | null, at: number): void {
    const order = this.open.get(id);
    if (!order) return;
    if (fill === null) return this.countRejection(id);
    this.open.delete(id);
    this.rejections = 0;
    const { strategy, product } = order;
    const before = this.book(strategy, product);
    this.closed(strategy, before, fill, at);
    const now = after(before, fill, at);
    if (now.size === 0) this.allowed.delete(`${strategy} ${product}`);
    this.books.set(`${strategy} ${product}`, now);
    add(this.moved, fill.baseCcy, fill.side === 'buy' ? fill.size : -fill.size);
    add(this.moved, fill.quoteCcy, fill.side === 'buy' ? -fill.value : fill.value);
    add(this.moved, fill.feeCcy, -fill.fee);
  }

  private closed(strategy: string, before: FoldedBook, fill: FillFigures, at: number): void {
    const { ended } = closesAfter(before, { moved: movedBy(fill), ...fill });
    if (!ended) return;
    const isWon = ended.won > ended.worth * UNCLEAR;
    this.lossesOfAll = isWon ? 0 : this.lossesOfAll + 1;
    this.lostAt.set(strategy, isWon ? (this.lostAt.get(strategy) ?? []) : [...(this.lostAt.get(strategy) ?? []), at]);
  }

  private booked(entries: NonNullable<RowDetail['entries']>): void {
    for (const { kind, book, product, currency, amount } of entries) {
      if (kind !== 'opening') add(this.moved, currency, Number(amount));
      if ((kind !== 'correction' && kind !== 'financing') || product === undefined || !this.books.has(`${book} ${product}`)) continue;
      const before = this.book(book, product);
      const isCash = kind === 'financing' || !product.startsWith(currency);
      const size = isCash || before.size === 0 ? before.size : before.size + Number(amount);
      const cash = before.cash + (isCash ? Number(amount) : 0);
      const isClosed = Math.abs(size) < NOTHING || size > 0 !== before.size > 0;
      const lots =
        kind === 'financing' ? before.lots : isCash ? lotsPaid(before.lots, Number(amount)) : lotsCorrected(before.lots, Number(amount));
      this.books.set(`${book} ${product}`, isClosed ? { ...FLAT, cash, closes: before.closes } : { ...before, size, cash, lots });
    }
  }

  private latch({ kind, strategy, detail: { anew, leaves } }: JournalRow): void {
    if (kind === 'halted') this.halted = true;
    if (kind === 'disarmed') this.disarmed = true;
    if (kind === 'reducing') this.reducing = true;
    if (kind === 'paused') this.paused.add(strategy);
    if (kind === 'armed') [this.disarmed, this.reducing, this.armedSince] = [false, false, true];
    if ((kind === 'armed' || kind === 'resumed') && anew === true) this.rejections = 0;
    if (kind !== 'resumed') return;
    if (leaves !== 'pauses') this.paused.delete(strategy);
    if (strategy === '' && (anew === true || leaves === 'pauses')) [this.halted, this.reducing] = [false, false];
  }
}

export const worstOf = ({ low, high }: Interval): number => Math.max(Math.abs(low), Math.abs(high));

export const reduces = ({ low, high }: Interval, side: 'buy' | 'sell', size: number): boolean =>
  side === 'sell' ? low >= size - NOTHING : -high >= size - NOTHING;

const dayIn = (at: number, currency: string): string => `${dayOf(at)} ${currency}`;

const add = (to: Map<string, number>, name: string, amount: number): void => void to.set(name, (to.get(name) ?? 0) + amount);
