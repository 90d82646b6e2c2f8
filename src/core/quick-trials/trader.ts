import { NOTHING, type ViewedBook } from '#core/engine/views.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import { type FeeCurrency, size as sizeOf } from '#core/execution/sizing.ts';
import type { Limits } from '#core/risk/limits.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { decimalOf } from '#domain/decimal.ts';
import { invariant } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Intent } from '#domain/intent.ts';
import { sameAmount } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { Decider, type Stand, type Wish } from './decider.ts';
import { TrialExits } from './exits.ts';
import { Losses } from './losses.ts';
import { EXECUTED, NO_ORDER, RECORD, type Rows, WHY_NOT } from './rows.ts';
import { placedRefusal, ScreenRefusal } from './screen-refusal.ts';
import type { Signals } from './signals.ts';

/** A strategy of a trial, and where it trades. */
export interface TraderOf {
  readonly instance: StrategyInstance;
  readonly signals: Signals;
  readonly exits: ExitRules | null;
  /** The number of its lane in the stream. */
  readonly lane: number;
  readonly canShort: boolean;
  /** Opening capital in quote currency. */
  readonly budget: number;
}

/** What all traders of a trial have in common. */
interface Trading {
  readonly rows: Rows;
  readonly records: Float64Array;
  readonly limits: Limits;
  readonly feeIn: FeeCurrency;
  /** Milliseconds to the service and back, of one order of the trial after the other. */
  readonly delay: () => { readonly thereMs: Millis; readonly backMs: Millis };
  /** Rows of its lane that orders have used, where several strategies trade on it. */
  readonly taken: Set<number> | undefined;
}

/** An order that was executed. Money is in quote currency. */
export interface TrialFill {
  /** The place of its strategy. */
  readonly trader: number;
  /** Row of the quote that it names. */
  readonly row: number;
  /** 1 buys, -1 sells. */
  readonly sign: 1 | -1;
  readonly sentAt: Millis;
  /** When its answer came. */
  readonly at: Millis;
  /** The first row of its lane behind that. */
  readonly next: number;
  readonly worth: number;
  readonly fee: number;
  /** What its strategy holds from then on. */
  readonly size: number;
  /** The round trip that it ends: what that brought net of fees, the value of its entry, and how long it was held. */
  readonly trip: { readonly profit: number; readonly stake: number; readonly held: Millis } | undefined;
}

/** The next order of a trader. */
interface Due extends Wish {
  readonly isExit: boolean;
}

/**
 * One strategy of a trial on the rows of its lane: `decide`, the strategy's own, is asked at the rows of a word until it has nothing to say,
 * and again where the word or what is held changes. Throws ScreenRefusal where the engine might do otherwise.
 */
export class Trader implements Stand {
  readonly of: TraderOf;
  readonly amount: number;
  private readonly place: number;
  private readonly trading: Trading;
  private readonly decider: Decider;
  private readonly exits: TrialExits | undefined;
  private readonly losses: Losses;
  /** A size that was found to be the lane's. */
  private wholeLane: Intent['size'] | undefined;
  /** The sizes that the engine's own sizing has found to be closed by one order. */
  private readonly closable = new Set<number>();
  size = 0;
  private cash = 0;
  /** Its last order. */
  last: TrialFill | undefined;
  /** Intents that were refused, by reason. */
  readonly refused = { QUOTE_TAKEN: 0, LOSS_COOLDOWN: 0 };
  isSilent = true;
  /** The first row at which it may be asked. */
  private row: number;
  private wanted: Due | 'nothing' | undefined;
  /** The next exit, once it is found. */
  private exit: Wish | undefined;

  constructor(of: TraderOf, place: number, trading: Trading) {
    const { instance, signals, exits, canShort } = of;
    const { rows, limits } = trading;
    const { amount } = rows.lane;
    if (!('base' in amount)) throw new ScreenRefusal('an amount in quote currency');
    this.of = of;
    this.place = place;
    this.trading = trading;
    this.losses = new Losses(limits);
    this.amount = amount.base.toNumber();
    if (!amount.base.eq(this.amount)) throw new ScreenRefusal('an amount with more digits than a double has');
    this.exits = exits === null ? undefined : new TrialExits(instance, exits, rows);
    this.decider = new Decider(instance, signals, { rows, canShort, stand: this });
    this.row = this.firstWarm();
    this.decider.warmFrom(this.row);
  }

  /** Its next order; undefined where it wants none any more. */
  get due(): Due | undefined {
    const { wanted } = this;
    // Another strategy came first: what is wanted comes to nothing, and is looked at again.
    if (wanted !== undefined && wanted !== 'nothing' && !wanted.isExit && this.isTaken(wanted.row)) {
      this.decider.refused();
      this.row = wanted.row;
      this.wanted = undefined;
    }
    this.wanted ??= this.next() ?? 'nothing';
    return this.wanted === 'nothing' ? undefined : this.wanted;
  }

  private next(): Due | undefined {
    const wanted = this.decider.wantedFrom(this.row);
    const exit = this.exitUpTo(wanted?.row ?? this.trading.rows.quotes.length - 1);
    this.exit = undefined;
    if (exit && this.orderOn(exit.row) === NO_ORDER) throw new ScreenRefusal('an exit on a quote that takes no order');
    const due = exit ?? wanted;
    return due && { row: due.row, intent: due.intent, isExit: exit !== undefined };
  }

  exitUpTo(row: number): Wish | undefined {
    this.exit ??= this.exits?.upTo(row);
    return this.exit;
  }

  private firstWarm(): number {
    const { length, at } = this.trading.rows.quotes;
    const { warmUp } = this.of.signals;
    let row = 0;
    while (row < length && !warmUp.isWarmAfter(row + 1, figureAt(at, row))) row += 1;
    return row;
  }

  /** True where the lane takes no order, another has used its quote, or an opening waits after losses, so that what is wanted without time to wait comes to nothing. */
  isRefused(intent: Intent, row: number): boolean {
    this.isSilent = false;
    const { opensFrom } = this.losses;
    const isTaken = this.isTaken(row);
    const isEarly = this.size === 0 && opensFrom > 0 && figureAt(this.trading.records, RECORD.width * row) < opensFrom;
    if (!isTaken && !isEarly && (intent.within !== null || this.orderOn(row) !== NO_ORDER)) return false;
    if (intent.within !== null)
      throw this.beyond(isTaken ? 'within, on a quote that another strategy uses' : 'within, while risk.lossCooldown lasts');
    if (isTaken) this.sized(intent, row);
    if (isTaken) this.refused.QUOTE_TAKEN += 1;
    else if (isEarly) this.refused.LOSS_COOLDOWN += 1;
    this.decider.refused();
    return true;
  }

  private isTaken(row: number): boolean {
    return this.trading.taken?.has(row) === true;
  }

  private orderOn(row: number): number {
    return figureAt(this.trading.records, RECORD.width * row + RECORD.order);
  }

  /** Sends what is due. */
  send(): TrialFill {
    const { due } = this;
    invariant(due !== undefined, 'nothing is due');
    return this.sent(due);
  }

  private sent({ intent, row }: Wish): TrialFill {
    const { records, rows, taken, delay } = this.trading;
    const { length } = rows.quotes;
    const sign = this.sized(intent, row);
    const order = this.orderOn(row);
    if (order !== EXECUTED) throw new ScreenRefusal(WHY_NOT[order] ?? 'an order that a check may refuse');
    if (this.isTaken(row)) throw new ScreenRefusal('an exit on a quote that another strategy uses');
    taken?.add(row);
    const { thereMs, backMs } = delay();
    const at = figureAt(records, RECORD.width * row) + thereMs + backMs;
    // Quotes of the millisecond of an answer come before it.
    let next = row + 1;
    while (next < length && figureAt(records, RECORD.width * next) <= at) next += 1;
    const executed = this.booked(row, sign, { at, next });
    this.exits?.filled(sign, { on: row, at, from: next });
    this.decider.executed(next);
    this.row = next;
    this.wanted = undefined;
    return executed;
  }

  /** Closes what is open as the data ends. */
  closeAtEnd(): TrialFill {
    const { at, length } = this.trading.rows.quotes;
    const row = length - 1;
    // What is closed later, or on a quote that is taken, the engine knows.
    if (this.last && (this.last.at > figureAt(at, row) || this.last.row === row))
      throw new ScreenRefusal('backtest.atEnd: close, behind an order');
    return this.sent({ intent: CLOSE, row });
  }

  private booked(row: number, sign: 1 | -1, { at, next }: Pick<TrialFill, 'at' | 'next'>): TrialFill {
    const { records } = this.trading;
    const { place: trader, last } = this;
    const record = RECORD.width * row;
    const side = record + (sign === 1 ? RECORD.buy : RECORD.sell);
    const worth = figureAt(records, side);
    const fee = figureAt(records, side + RECORD.fee);
    const entry = this.size === 0 ? undefined : last;
    const trip = entry && { profit: -sign * (worth - entry.worth) - (fee + entry.fee), stake: entry.worth, held: at - entry.at };
    if (trip) this.losses.closed(trip.profit, { stake: trip.stake, at });
    this.cash -= sign * worth + fee;
    this.size += sign * this.amount;
    const order = { trader, row, sign, sentAt: figureAt(records, record), at, next, worth, fee, size: this.size, trip };
    this.last = order;
    return order;
  }

  /** 1 where the order buys the amount, -1 where it sells it. Each opens from flat or closes all. */
  private sized(intent: Intent, row: number): 1 | -1 {
    const { size } = this;
    const { rows, feeIn } = this.trading;
    const { size: wanted, side } = intent;
    if (size === 0 && wanted.kind === 'amount' && (wanted === this.wholeLane || sameAmount(wanted.amount, rows.lane.amount))) {
      this.wholeLane = wanted;
      return this.opens(side === 'sell' ? -1 : 1);
    }
    if (wanted.kind === 'position' && this.closable.has(size) && side === (size > 0 ? 'sell' : 'buy')) return size > 0 ? -1 : 1;
    const held = decimalOf(size);
    const sizing = sizeOf({
      intent,
      quote: quoteAt(rows.quotes, row),
      laneAmount: rows.lane.amount,
      product: rows.product,
      held,
      interval: { low: held, high: held },
      feeIn,
      canShort: this.of.canShort,
    });
    if (sizing.kind !== 'sized' || sizing.figures.size.toNumber() !== this.amount) throw this.beyond('another size than that of its lane');
    const sign = sizing.side === 'buy' ? 1 : -1;
    if (size === 0) return this.opens(sign);
    if (Math.sign(size) === sign) throw this.beyond('an order that adds to a position');
    this.closable.add(size);
    return sign;
  }

  /** What its decisions want and the screen does not play. */
  private beyond(what: string): ScreenRefusal {
    return placedRefusal(new ScreenRefusal(what), this.of.instance.origin, 'decide');
  }

  private opens(sign: 1 | -1): 1 | -1 {
    if (sign === -1 && !this.of.canShort) throw this.beyond('a sale short without account.allowShort');
    return sign;
  }

  lastFill(): ReturnType<Stand['lastFill']> {
    const { row = 0, sign = 1, at = 0 } = this.last ?? {};
    const side = sign === 1 ? 'buy' : 'sell';
    const { price, size } = this.trading.rows.quotes[side];
    return { at, side, price: figureAt(price, row), size: figureAt(size, row) };
  }

  holding(): ViewedBook {
    const { size, cash, last, of } = this;
    const { rows } = this.trading;
    const entry = size === 0 ? undefined : last;
    const price = entry && figureAt(rows.quotes[size > 0 ? 'buy' : 'sell'].price, entry.row);
    const position = {
      ...{ size, low: size, high: size, average: price, openedAt: entry?.at, entries: entry ? 1 : 0 },
    };
    const nothing = entry ? undefined : Object.freeze({ ...position, ...NOTHING });
    return {
      position,
      nothing,
      inFlight: NONE,
      cash: of.budget + cash,
      held: { size: decimalOf(size), sizeFigure: size },
      of: rows.product,
    };
  }
}

const CLOSE: Intent = {
  ...{ kind: 'intent', side: null, size: { kind: 'percent', percent: 100 }, reason: 'the data ends' },
  ...{ tag: null, limit: null, within: null, on: null },
};

const NONE: readonly never[] = Object.freeze([]);
