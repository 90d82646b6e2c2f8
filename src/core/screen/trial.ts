import { limitsOf, type ViewedBook } from '#core/engine/view.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import { type FeeCurrency, size as sizeOf } from '#core/execution/sizing.ts';
import type { Limits } from '#core/risk/limits.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { sameAmount } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { figureAt } from './columns.ts';
import { Course, type DayEnd } from './course.ts';
import { Decider, type Stand, type Wish } from './decider.ts';
import { TrialExits } from './exits.ts';
import { couldHaveBound } from './limits.ts';
import { Losses } from './losses.ts';
import { EXECUTED, NO_ORDER, RECORD, type Rows, WHY_NOT } from './rows.ts';
import { placedRefusal, ScreenRefusal } from './screen-refusal.ts';
import type { Signals } from './signals.ts';

/** What all trials on some rows have in common. */
export interface Conditions {
  readonly limits: Limits;
  readonly canShort: boolean;
  readonly feeIn: FeeCurrency;
  /** Milliseconds to the service and back, of one order of a trial after the other. */
  readonly delays: () => () => { readonly thereMs: Millis; readonly backMs: Millis };
  /** Opening capital in quote currency, and what the account lets be spent of it. */
  readonly capital: number;
  readonly spendable: number;
  /** Whether what is open is closed as the data ends. */
  readonly closesAtEnd: boolean;
  readonly days: readonly DayEnd[];
  /** How long trading lasts, in milliseconds. */
  readonly tradedMs: Millis;
}

/** Orders that were executed, by columns: one opens a position, the next closes it. */
interface Fills {
  /** Rows of the quotes that they name. */
  readonly rows: readonly number[];
  /** 1 buys, -1 sells. */
  readonly signs: readonly (1 | -1)[];
  readonly at: readonly Millis[];
}

/** Round trips, by columns: what each brought net of fees, the value of its entry, and how long it was held. */
interface Trips {
  readonly profits: readonly number[];
  readonly stakes: readonly number[];
  readonly held: readonly Millis[];
}

type Written<Columns> = { readonly [Name in keyof Columns]: Columns[Name] extends readonly (infer Value)[] ? Value[] : never };

/** What came of a trial. Money is in quote currency. */
export interface ScreenResult {
  readonly fills: Fills;
  readonly size: number;
  readonly cash: number;
  /** When its last quote came, or the answer to an order that was on its way then. */
  readonly endedAt: Millis;
  /** What all is worth at the end. */
  readonly final: number;
  readonly fall: number;
  readonly fallShare: number;
  readonly endsOfDays: readonly number[];
  /** Round trips. */
  readonly trips: Trips;
  /** Openings that were refused for risk.maxLossStreak. */
  readonly refused: number;
  /** Nothing was wanted of it, so that all trials like it come to the same. */
  readonly isSilent: boolean;
}

/** Where a trial is played, and when its positions are closed. */
interface Over {
  readonly rows: Rows;
  readonly records: Float64Array;
  readonly conditions: Conditions;
  readonly exits: ExitRules | null;
}

/**
 * Plays one trial: `decide`, the strategy's own, is asked at the rows of a word until it has nothing to say, and again where the word or what
 * is held changes. Throws ScreenRefusal where the engine might do otherwise.
 */
export function playTrial(instance: StrategyInstance, signals: Signals, over: Over): ScreenResult {
  return new Trial(instance, signals, over).play();
}

class Trial implements Stand {
  private readonly instance: StrategyInstance;
  private readonly signals: Signals;
  private readonly rows: Rows;
  private readonly records: Float64Array;
  private readonly conditions: Conditions;
  private readonly decider: Decider;
  private readonly delay: ReturnType<Conditions['delays']>;
  /** A size that was found to be the lane's. */
  private wholeLane: Intent['size'] | undefined;
  private readonly course: Course;
  private readonly amount: number;
  private readonly fills: Written<Fills> = { rows: [], signs: [], at: [] };
  private readonly trips: Written<Trips> = { profits: [], stakes: [], held: [] };
  size = 0;
  private cash = 0;
  /** What the open position was worth when it was opened, and the fee of that. */
  private stake = 0;
  private fee = 0;
  private readonly losses: Losses;
  private refused = 0;
  private isSilent = true;
  private day = Number.NaN;
  private worthOfDay = 0;
  private mostDayWorth = 0;
  private isShortOfMoney = false;
  /** The sizes that the engine's own sizing has found to be closed by one order. */
  private readonly closable = new Set<number>();
  private readonly exits: TrialExits | undefined;
  /** The next exit, once it is found. */
  private exit: Wish | undefined;
  private endedAt: Millis;

  constructor(instance: StrategyInstance, signals: Signals, { rows, records, conditions, exits }: Over) {
    const { amount } = rows.lane;
    if (!('base' in amount)) throw new ScreenRefusal('an amount in quote currency');
    this.instance = instance;
    this.signals = signals;
    this.rows = rows;
    this.records = records;
    this.conditions = conditions;
    this.delay = conditions.delays();
    this.losses = new Losses(conditions.limits);
    this.amount = amount.base.toNumber();
    if (!amount.base.eq(this.amount)) throw new ScreenRefusal('an amount with more digits than a double has');
    this.course = new Course(rows, conditions);
    this.exits = exits === null ? undefined : new TrialExits(instance, exits, rows);
    this.decider = new Decider(instance, signals, { rows, canShort: conditions.canShort, stand: this });
    this.endedAt = figureAt(rows.quotes.at, rows.quotes.length - 1);
  }

  play(): ScreenResult {
    const { course, decider, rows } = this;
    const { length } = rows.quotes;
    let row = this.firstWarm();
    decider.warmFrom(row);
    for (;;) {
      const wanted = decider.wantedFrom(row);
      const exit = this.exitUpTo(wanted?.row ?? length - 1);
      this.exit = undefined;
      if (exit && this.orderOn(exit.row) === NO_ORDER) throw new ScreenRefusal('an exit on a quote that takes no order');
      const due = exit ?? wanted;
      if (due === undefined) break;
      row = this.order(due.intent, due.row);
    }
    if (this.size !== 0 && this.conditions.closesAtEnd) this.closeAtEnd();
    const { fills, trips, refused, isSilent, size, cash, endedAt } = this;
    course.to(length, Number.POSITIVE_INFINITY, size, cash);
    const final = course.worth(size, cash, length - 1);
    this.judge();
    const { fall, fallShare } = course;
    return { fills, trips, refused, isSilent, size, cash, endedAt, final, fall, fallShare, endsOfDays: course.endsOfDays(final) };
  }

  exitUpTo(row: number): Wish | undefined {
    this.exit ??= this.exits?.upTo(row);
    return this.exit;
  }

  private firstWarm(): number {
    const { length, at } = this.rows.quotes;
    const { warmUp } = this.signals;
    let row = 0;
    while (row < length && !warmUp.isWarmAfter(row + 1, figureAt(at, row))) row += 1;
    return row;
  }

  /** True where the lane takes no order, or an opening waits after losses, so that what is wanted without time to wait comes to nothing. */
  isRefused({ within }: Intent, row: number): boolean {
    this.isSilent = false;
    const { opensFrom } = this.losses;
    const isEarly = this.size === 0 && opensFrom > 0 && figureAt(this.records, RECORD.width * row) < opensFrom;
    if (isEarly && within !== null) throw this.beyond('within, while risk.lossCooldown lasts');
    if (!isEarly && (within !== null || this.orderOn(row) !== NO_ORDER)) return false;
    if (isEarly) this.refused += 1;
    this.decider.refused();
    return true;
  }

  private orderOn(row: number): number {
    return figureAt(this.records, RECORD.width * row + RECORD.order);
  }

  /** Sends an order on a row, and returns the row at which the strategy may be asked next. */
  private order(intent: Intent, row: number): number {
    const { records, rows } = this;
    const { length } = rows.quotes;
    const sign = this.sized(intent, row);
    const order = this.orderOn(row);
    if (order !== EXECUTED) throw new ScreenRefusal(WHY_NOT[order] ?? 'an order that a check may refuse');
    const { thereMs, backMs } = this.delay();
    const filledAt = figureAt(records, RECORD.width * row) + thereMs + backMs;
    if (filledAt > this.endedAt) this.goOnUntil(filledAt);
    // Quotes of the millisecond of an answer come before it.
    let next = row + 1;
    while (next < length && figureAt(records, RECORD.width * next) <= filledAt) next += 1;
    this.course.to(next, filledAt, this.size, this.cash);
    this.book(row, sign, filledAt);
    this.exits?.filled(sign, { on: row, at: filledAt, from: next });
    this.course.filled(this.size, this.cash);
    this.decider.executed(next);
    return next;
  }

  /** An order on its way as the data ends is waited for. */
  private goOnUntil(at: Millis): void {
    if (Math.floor(at / DAY_MS) !== Math.floor(this.endedAt / DAY_MS))
      throw new ScreenRefusal('an order on its way at midnight as the data ends');
    this.endedAt = at;
  }

  private closeAtEnd(): void {
    const { at, length } = this.rows.quotes;
    const row = length - 1;
    // What is closed later, or on a quote that is taken, the engine knows.
    if (this.endedAt > figureAt(at, row) || this.fills.rows.at(-1) === row)
      throw new ScreenRefusal('backtest.atEnd: close, behind an order');
    this.order(CLOSE, row);
  }

  private book(row: number, sign: 1 | -1, at: Millis): void {
    const { records, conditions, fills, trips } = this;
    const record = RECORD.width * row;
    const side = record + (sign === 1 ? RECORD.buy : RECORD.sell);
    const worth = figureAt(records, side);
    const fee = figureAt(records, side + RECORD.fee);
    const isOpening = this.size === 0;
    if (isOpening && sign === 1 && worth + fee > (conditions.spendable + this.cash) * (1 - 1e-9)) this.isShortOfMoney = true;
    const day = Math.floor(figureAt(records, record) / DAY_MS);
    this.worthOfDay = (day === this.day ? this.worthOfDay : 0) + worth + fee;
    this.day = day;
    this.mostDayWorth = Math.max(this.mostDayWorth, this.worthOfDay);
    this.cash -= sign * worth + fee;
    this.size += sign * this.amount;
    if (isOpening) {
      this.stake = worth;
      this.fee = fee;
    } else {
      const profit = -sign * (worth - this.stake) - (fee + this.fee);
      trips.profits.push(profit);
      trips.stakes.push(this.stake);
      trips.held.push(at - (fills.at.at(-1) ?? at));
      this.losses.closed(profit, { stake: this.stake, at });
    }
    fills.rows.push(row);
    fills.signs.push(sign);
    fills.at.push(at);
  }

  /** 1 where the order buys the amount, -1 where it sells it. Each opens from flat or closes all. */
  private sized(intent: Intent, row: number): 1 | -1 {
    const { size, rows } = this;
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
      feeIn: this.conditions.feeIn,
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
    return placedRefusal(new ScreenRefusal(what), this.instance.origin, 'decide');
  }

  private opens(sign: 1 | -1): 1 | -1 {
    if (sign === -1 && !this.conditions.canShort) throw this.beyond('a sale short without account.allowShort');
    return sign;
  }

  lastFill(): ReturnType<Stand['lastFill']> {
    const { rows, signs, at } = this.fills;
    const [row = 0, sign = 1, filledAt = 0] = [rows.at(-1), signs.at(-1), at.at(-1)];
    const side = sign === 1 ? 'buy' : 'sell';
    const { price, size } = this.rows.quotes[side];
    return { at: filledAt, side, price: figureAt(price, row), size: figureAt(size, row) };
  }

  holding(): ViewedBook {
    const { size, rows, conditions, cash } = this;
    const isFlat = size === 0;
    const entry = isFlat ? undefined : this.fills.rows.at(-1);
    const price = entry === undefined ? undefined : figureAt(rows.quotes[size > 0 ? 'buy' : 'sell'].price, entry);
    const openedAt = isFlat ? undefined : this.fills.at.at(-1);
    const position = {
      ...{ size, low: size, high: size, average: price, openedAt, entries: isFlat ? 0 : 1 },
      ...{ isFlat, isLong: size > 0, isShort: size < 0 },
    };
    const nothing = isFlat ? Object.freeze({ ...position, unrealised: 0 }) : undefined;
    return { position, nothing, inFlight: NONE, cash: conditions.capital + cash, product: limitsOf(rows.product) };
  }

  private judge(): void {
    const { rows, conditions, course, losses, mostDayWorth, isShortOfMoney } = this;
    if (!(course.least > 0)) throw new ScreenRefusal('capital that is lost');
    const mostWorth = this.fills.rows.length === 0 ? 0 : this.amount * rows.highest * 1.05;
    const { capital } = conditions;
    const seen = {
      quoteCcy: rows.quotes.quoteCcy,
      mostWorth,
      mostDayWorth,
      deepestFall: course.fall,
      capital,
      lossStreak: losses.longest,
      isShortOfMoney,
    };
    const bound = couldHaveBound(conditions.limits, seen);
    if (bound !== undefined) throw new ScreenRefusal(`risk.${bound}, which may have held an order back`);
  }
}

const CLOSE: Intent = {
  ...{ kind: 'intent', side: null, size: { kind: 'percent', percent: 100 }, reason: 'the data ends' },
  ...{ tag: null, limit: null, within: null, on: null },
};

const NONE: readonly never[] = Object.freeze([]);
