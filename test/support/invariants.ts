import { Decimal } from 'decimal.js';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { FillText, OrderText } from '#domain/order.ts';

/** An order as the rows so far tell it. */
interface Told {
  readonly order: OrderText;
  readonly seen: Set<Decision['kind']>;
  settled: Decision['kind'] | null;
}

/** What a book may hold once everything open has settled, in base currency. */
interface Ends {
  readonly low: Decimal;
  readonly high: Decimal;
}

const ZERO = new Decimal(0);
const EXACT = /^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/;

/**
 * Follows the rows of a decision journal from its first and notes every invariant that one of them breaks. It shares no
 * code with the engine: books, open orders, latches and exposure are counted here anew. Products are taken to be quoted
 * in the currency of the limits.
 */
export class InvariantWatch {
  readonly broken: string[] = [];
  private readonly orders = new Map<string, Told>();
  private readonly open = new Set<Told>();
  private readonly quotes = new Map<string, string>();
  private readonly rehearsals = new Set<string>();
  private readonly intents = new Set<string>();
  private readonly held = new Map<string, { readonly product: string; size: Decimal }>();
  private readonly pausedStrategies = new Set<string>();
  private readonly disabled = new Set<string>();
  private allPaused = false;
  private halted = false;
  private reducing = false;
  private disarmed = false;

  /** Takes the next row. */
  take(row: Decision): void {
    this.latches(row);
    if (row.orderId === null) return;
    if (row.kind === 'intent') {
      this.intents.add(row.orderId);
      if (row.strategy === 'manual' && row.detail.tag === 'rehearsal') this.rehearsals.add(row.orderId);
    } else if (row.kind === 'approved') this.approved(row);
    else this.progress(row, row.orderId);
  }

  /** Orders whose last row says neither how they ended nor that nobody knows. */
  get onTheirWay(): readonly string[] {
    return [...this.open].filter(({ seen }) => !seen.has('unknown')).map(({ order }) => order.id);
  }

  private fault(number: string, row: Decision, what: string): void {
    this.broken.push(`${number}: ${row.kind} of order ${row.orderId}: ${what}`);
  }

  private approved(row: DecisionOf<'approved'>): void {
    const { order, checks } = row.detail;
    if (!this.intents.delete(order.id)) this.fault('I01', row, 'no intent before it');
    if (this.orders.has(order.id)) this.fault('I03', row, 'approved a second time');
    const taken = this.quotes.get(order.quoteId);
    if (taken !== undefined) this.fault('I02', row, `quote ${order.quoteId} was used by order ${taken}`);
    this.quotes.set(order.quoteId, order.id);
    for (const name of ['price', 'size', 'value', 'fee'] as const) {
      if (!EXACT.test(order[name])) this.fault('I12', row, `${name} is ${order[name]}`);
    }
    for (const { check, passed } of checks) if (!passed) this.fault('I05', row, `approved although ${check} said no`);

    const before = this.ends(order.strategy, order.product);
    const size = new Decimal(order.size);
    const reduces = order.side === 'sell' ? before.low.gte(size) : before.high.negated().gte(size);
    this.mayTrade(row, reduces);
    const told: Told = { order, seen: new Set(['approved']), settled: null };
    this.orders.set(order.id, told);
    this.open.add(told);
    if (reduces) return;
    const limit = checks.find(({ check }) => check === 'MAX_POSITION_VALUE')?.limit;
    const value = this.gross(order.product).times(order.price);
    if (limit !== undefined && limit !== null && value.gt(limit)) this.fault('I05', row, `the worst case is ${value}, the limit ${limit}`);
  }

  /** The states of trading, and what is frozen, as the rows have them. */
  private mayTrade(row: DecisionOf<'approved'>, reduces: boolean): void {
    const { strategy, product } = row.detail.order;
    if (this.halted) this.fault('I07', row, 'trading is halted');
    const isRehearsal = this.rehearsals.has(row.detail.order.id);
    if (this.disarmed && !isRehearsal) this.fault('I09', row, 'nothing is armed');
    if (reduces) return;
    if (this.reducing) this.fault('I09', row, 'only exits may pass');
    if ((this.allPaused || this.pausedStrategies.has(strategy)) && !isRehearsal) this.fault('I09', row, 'openings are paused');
    if (this.disabled.has(strategy)) this.fault('F68', row, 'the strategy is disabled');
    for (const { order, seen } of this.open) {
      if (order.product === product && seen.has('unknown')) this.fault('I04', row, `${product} is frozen by order ${order.id}`);
    }
  }

  private progress(row: Decision, id: string): void {
    const told = this.orders.get(id);
    if (!told) {
      if (row.kind !== 'refused') this.fault('I01', row, 'no such order was approved');
      return;
    }
    const { seen, order } = told;
    if (told.settled !== null && row.kind !== 'sent') this.fault('I04', row, `it was ${told.settled} already`);
    if (row.kind === 'sent' && seen.has('sent')) this.fault('I03', row, 'written a second time');
    if ((row.kind === 'accepted' || row.kind === 'rejected') && !seen.has('sent'))
      this.fault('I06', row, 'answered, and never past the gate');
    if ((row.kind === 'expired' || row.kind === 'not_sent') && seen.has('sent')) this.fault('I06', row, 'it had been written');
    if (seen.has('unknown') && (row.kind === 'expired' || row.kind === 'not_sent')) this.fault('I04', row, 'a timer ended an unknown');
    if (row.kind === 'resolved' && row.detail.who === '') this.fault('I04', row, 'settled by nobody');
    seen.add(row.kind);
    if (!ENDS.has(row.kind)) return;
    told.settled = row.kind;
    this.open.delete(told);
    if (row.kind === 'accepted') this.fill(order, row.detail.fill);
    if (row.kind === 'resolved' && row.detail.fill) this.fill(order, row.detail.fill);
  }

  private fill({ strategy, product }: OrderText, { side, size, fee, feeCcy, baseCcy, quoteCcy }: FillText): void {
    const key = JSON.stringify([strategy, product]);
    const book = this.held.get(key) ?? { product, size: ZERO };
    const moved = side === 'buy' ? new Decimal(size) : new Decimal(size).negated();
    book.size = book.size.plus(moved).minus(feeCcy === baseCcy && baseCcy !== quoteCcy ? fee : 0);
    this.held.set(key, book);
  }

  private ends(strategy: string, product: string): Ends {
    let low = this.held.get(JSON.stringify([strategy, product]))?.size ?? ZERO;
    let high = low;
    for (const { order } of this.open) {
      if (order.strategy !== strategy || order.product !== product) continue;
      if (order.side === 'buy') high = high.plus(order.size);
      else low = low.minus(order.size);
    }
    return { low, high };
  }

  /** The worst sizes of all books of the product, not netted. */
  private gross(product: string): Decimal {
    const strategies = new Set([...this.open].filter(({ order }) => order.product === product).map(({ order }) => order.strategy));
    for (const key of this.held.keys()) {
      const [strategy, of]: string[] = JSON.parse(key);
      if (of === product && strategy !== undefined) strategies.add(strategy);
    }
    let sum = ZERO;
    for (const strategy of strategies) {
      const { low, high } = this.ends(strategy, product);
      sum = sum.plus(Decimal.max(low.abs(), high.abs()));
    }
    return sum;
  }

  private latches(row: Decision): void {
    const { strategy } = row;
    switch (row.kind) {
      case 'halted':
        this.halted = true;
        return;
      case 'reducing':
        this.reducing = true;
        return;
      case 'disarmed':
        this.disarmed = true;
        return;
      case 'armed':
        this.reducing = false;
        this.disarmed = false;
        return this.signed(row);
      case 'paused':
        if (strategy === null) this.allPaused = true;
        else this.pausedStrategies.add(strategy);
        return;
      case 'disabled':
        if (strategy !== null) this.disabled.add(strategy);
        return;
      case 'enabled':
        if (strategy === null) this.disabled.clear();
        else this.disabled.delete(strategy);
        return this.signed(row);
      case 'resumed':
        if (strategy === null) {
          this.halted = false;
          this.reducing = false;
          this.allPaused = false;
          this.pausedStrategies.clear();
        } else this.pausedStrategies.delete(strategy);
        return this.signed(row);
      default:
        return;
    }
  }

  /** I09: what loosens names who did it. */
  private signed(row: DecisionOf<'armed'> | DecisionOf<'enabled'> | DecisionOf<'resumed'>): void {
    if (row.detail.who === '') this.fault('I09', row, 'loosened by nobody');
  }
}

const ENDS: ReadonlySet<Decision['kind']> = new Set(['accepted', 'rejected', 'expired', 'not_sent', 'resolved']);
