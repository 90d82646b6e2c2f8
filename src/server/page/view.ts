import type { LimitSetting } from '#domain/limits.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import type { Mode } from '#domain/mode.ts';
import type { OrderState } from '#domain/order.ts';
import type { Reason } from '#domain/reasons.ts';
import type { StrategyCounts } from '#domain/strategy-counts.ts';
import type { StrategyStateName } from '#domain/strategy-state.ts';
import type { TimeState } from '#domain/time-state.ts';
import type { SignalView } from './signal-view.ts';

/**
 * What the page is told, as JSON: the daemon writes these, the page reads them, and both import them from here. Times are
 * ISO 8601 UTC, unless a name ends in `Ms` (milliseconds); booked amounts, sizes and prices of orders are decimal text;
 * numbers are estimates at present prices, and null is what cannot be said.
 */
export interface StateView {
  readonly at: string;
  readonly run: string;
  readonly book: string;
  readonly mode: Mode;
  /** What `mode` means for what can be done here: orders go to a service, and a drill may send one. */
  readonly sendsOrders: boolean;
  readonly isForTrials: boolean;
  readonly version: string;
  readonly startedAt: string;
  readonly phase: 'starting' | 'running' | 'stopping';
  /** Base address of the service, and whether it is the paper venue within this process. */
  readonly service: string;
  readonly embedded: boolean;
  readonly pid: number;
  readonly halted: boolean;
  /** HALTED and DISARMED: no order goes out; REDUCING: only orders that shrink a position. Who and why: `PastView.latches`. */
  readonly trading: 'ACTIVE' | 'REDUCING' | 'DISARMED' | 'HALTED';
  /** Why orders cannot go out as they should, in words; empty when they can. As `/readyz` says. */
  readonly notReady: readonly string[];
  readonly time: ClockView;
  /** Until when openings wait because the service asked to be left alone (429). */
  readonly waitUntil: string | null;
  /** Exits that wait for a person, because they are worth more than `risk.maxExitValue`. */
  readonly waitingExits: readonly {
    readonly strategy: string;
    readonly product: string;
    readonly worth: string;
    readonly currency: string;
    /** What a person types to allow it. */
    readonly command: string;
  }[];
  readonly money: MoneyView;
  /** Rates that no lane gives, what follows, and what to write; empty until every lane has had a quote. */
  readonly rateWarnings: readonly string[];
  readonly strategies: readonly StrategyView[];
  /** What other books hold: `manual`, and strategies that are configured no more. Those of configured ones are their `legs`. */
  readonly otherBooks: readonly OtherBookView[];
  readonly lanes: readonly LaneRowView[];
  readonly orders: readonly OpenOrderView[];
  /** Orders of unknown outcome, which are among `orders`. */
  readonly unknowns: number;
  readonly limits: readonly LimitView[];
  /** Sources of signals from outside. */
  readonly signals: readonly SignalView[];
  /** What persons have asked for, newest last: under way, and the last ones that ended. */
  readonly byHand: readonly ManualTask[];
  /** The backtest or sweep that a person began here last; null: none in this run. */
  readonly backtest: BacktestView | null;
}

/** A backtest or a sweep in a process beside the daemon. */
export interface BacktestView {
  readonly kind: 'backtest' | 'sweep';
  readonly strategy: string;
  readonly state: 'playing' | 'done' | 'failed' | 'stopped';
  readonly startedAt: string;
  /** Of a sweep, once that is known. */
  readonly trials: number | null;
  /** From 0 to 1. */
  readonly share: number;
  readonly leftMs: number | null;
  /** The result, or why there is none, in words; empty while it plays. */
  readonly says: string;
  /** The name of its report, once that is written. */
  readonly report: string | null;
}

/** A parameter that a sweep can vary, with what it is now, and the range that its strategy declares as `--vary` has it. */
export interface ParameterView {
  readonly name: string;
  readonly value: string;
  readonly range: string | null;
}

interface ClockView extends TimeState {
  /** How long ago the service's clock was looked at. */
  readonly ageMs: number | null;
  /** Why orders wait because of time, in words. */
  readonly words: string | null;
}

/** What Kairos trades with, at present prices and in one currency. */
export interface MoneyView {
  readonly currency: string;
  /** The budgets of the strategies, and what all books have made of them: the treasury is left out. */
  readonly equity: number | null;
  /** Of all books since the first run, since this run began, and since the day began (UTC), or the day's first prices. */
  readonly profit: number | null;
  readonly profitOfRun: number | null;
  readonly profitOfDay: number | null;
  /** What figures of `risk.maxDayLoss` are held against, each in its currency; empty where that is `profitOfDay`. */
  readonly heldForDayLoss: readonly HeldForDayLoss[];
  /**
   * Account drawdown: below the highest profit of all runs, whoever resumed since, and that as a share of what was there then, in percent. A currency without a
   * rate has one of its own: this is the largest, in the currency named.
   */
  readonly drawdown: number | null;
  readonly drawdownPct: number | null;
  readonly drawdownCurrency: string;
  /** Currencies for which no lane gives a rate, so that the figures above leave them out. */
  readonly unrated: readonly string[];
  /**
   * Profit of all books by quote currency, of those without a rate as well: since the first run, and since the day began (UTC). `rate`: what
   * one unit of it is worth in `currency` now; null where no lane says so.
   */
  readonly made: readonly (MadeView & { readonly profitOfDay: number | null; readonly rate: number | null })[];
  /** Products that are held and have no price yet, so that the profit of their currency is not known. */
  readonly unpriced: readonly string[];
  /** What is left out of the profit of the day, and why: in a few words each. */
  readonly missing: readonly string[];
  /** What is held without a quote in this run, and at which price it counts in the figures above: in a few words each. */
  readonly laneless: readonly string[];
  /** Of the whole account. */
  readonly balances: readonly { readonly currency: string; readonly amount: string }[];
}

/** Profit that counts towards one figure of `risk.maxDayLoss`: since the day began (UTC), or since a person armed or resumed within it. */
interface HeldForDayLoss {
  readonly currency: string;
  readonly profit: number;
  readonly isResumed: boolean;
}

/** Profit in a currency; null where a position in it has no price. */
export interface MadeView {
  readonly currency: string;
  readonly profit: number | null;
}

/** A position in a product. */
interface PositionView {
  readonly product: string;
  readonly position: string;
  /** The position with everything open at its worse end: `low` and `high` differ while an order is open. */
  readonly low: string;
  readonly high: string;
}

/** What a strategy can do now; `domain/strategy-state.ts` says what each state means. */
export interface StrategyStateView {
  readonly name: StrategyStateName;
  /** The code that an order would be refused with. */
  readonly reason: Reason | null;
  /** What is behind it, and what ends it, in words; the latter is empty where nothing has to end. */
  readonly why: string;
  readonly mend: string;
  readonly since: string | null;
  /** When it ends by itself, where that is known. */
  readonly until: string | null;
  /** Since when the strategy cannot trade for a cause outside it, once that has lasted 30 s and was told. */
  readonly blockedSince: string | null;
}

/** What a strategy holds of one product, and what it made by it, in quote currency. */
export interface BookView extends PositionView {
  /** Entry price of the open lots; null when flat. */
  readonly entry: string | null;
  readonly openedAt: string | null;
  /** Price at which the open position counts: all longs of a product at one, and all shorts. */
  readonly mark: number | null;
  readonly quoteCcy: string | null;
  /** What closing these lots at the mark wins or loses, the fees of their entries taken off. */
  readonly unrealised: number | null;
  /** All that the book has earned less spent, open position included. */
  readonly profit: number | null;
}

/** What a book of no configured strategy holds of a product. */
export interface OtherBookView extends BookView {
  readonly id: string;
}

/** A configured strategy: what it holds, what it can do, and what it last decided. What `BookView` says is of its own product, but for `profit`. */
export interface StrategyView extends BookView {
  readonly id: string;
  readonly state: StrategyStateView;
  /** Name or path of its module. */
  readonly use: string;
  /** Its standing lane. */
  readonly lane: string;
  /** `base:0.01` or `quote:100`. */
  readonly amount: string;
  readonly paused: boolean;
  readonly disabled: boolean;
  /** As its entry of the settings has it. */
  readonly enabled: boolean;
  /** Where its rules of `exits` would close the position, at the closing side of the quote; empty where it has none, or holds nothing or dust. */
  readonly exits: readonly { readonly reason: Reason; readonly price: number }[];
  /** Its books in other products: of its lane inputs, and of what it traded before. */
  readonly legs: readonly BookView[];
  /** All that its books have earned less spent, open positions included, by quote currency. */
  readonly made: readonly MadeView[];
  /** The same in the quote currency of its own product. */
  readonly profit: number | null;
  /** What it may still spend in that currency, and its budget. */
  readonly budgetLeft: string | null;
  readonly budget: string | null;
  /** What it wants and has not got yet: legs of its plans, and exits. */
  readonly waiting: readonly WaitingView[];
  /** What is counted of it since the run began. */
  readonly counts: StrategyCounts;
  /** Values that it names, as they stand: numbers, texts, booleans. */
  readonly observed: Readonly<Record<string, unknown>>;
}

/** A lane with its latest quote. Prices are in quote currency, the size is in base currency. */
export interface LaneRowView {
  readonly lane: string;
  readonly product: string;
  /** `base:0.01` or `quote:100`. */
  readonly amount: string;
  readonly phase: string;
  /** Why the phase is what it is, where it went wrong; empty otherwise. */
  readonly why: string;
  readonly epoch: number;
  /** When its last quote came, and how long ago that is. */
  readonly quoteAt: string | null;
  readonly ageMs: number | null;
  /** For how long the latest quote was to live when it was made, and what is certainly left of that. */
  readonly validityMs: number | null;
  readonly timeLeftMs: number | null;
  /** Price at which we buy, and at which we sell. */
  readonly buy: number | null;
  readonly sell: number | null;
  readonly size: number | null;
  readonly spreadPct: number | null;
  /** Why no order may use it now: the code, and in words. */
  readonly untradable: string | null;
  readonly untradableWords: string | null;
  readonly quotes: number;
  readonly refused: number;
  /** The largest size in which its product was ever quoted without a spread; null: never. */
  readonly zeroSpread: string | null;
}

/** The present leg of a plan that goes on until it is executed or lapses. */
export interface WaitingView {
  /** Counted from 1. */
  readonly leg: number;
  readonly of: number;
  readonly product: string;
  /** `buy 0.01 base`. */
  readonly wants: string;
  readonly why: string;
  /** The worst price that it takes; null: none. */
  readonly limit: number | null;
  /** When it lapses; null: never. */
  readonly until: string | null;
  readonly attempts: number;
  /** What the last attempt came to, a reason code with its meaning or the state of its order; null before the first. */
  readonly last: string | null;
  readonly lastWords: string | null;
  /** On its way. */
  readonly order: string | null;
}

/** An order whose outcome is open. */
export interface OpenOrderView {
  readonly order: string;
  readonly strategy: string;
  readonly product: string;
  readonly side: 'buy' | 'sell';
  /** `intent`, `sent`, or `unknown`, which a person can settle: `POST /api/resolve`. */
  readonly state: OrderState;
  readonly size: string;
  readonly price: string;
  readonly value: string;
  readonly quoteCcy: string;
  readonly fee: string;
  readonly feeCcy: string;
  readonly since: string;
  readonly quoteId: string;
}

/** A limit of `risk.*` with what counts towards it now. */
export interface LimitView {
  /** The setting, such as `risk.maxDayLoss`. */
  readonly name: LimitSetting;
  /** What it is held against: `all`, a product, a strategy. */
  readonly scope: string;
  readonly used: number;
  /** Of orders a minute: those that may open. */
  readonly limit: number;
  /** How many more there may be that only exits have. */
  readonly forExits: number;
  /** A currency, `%` or `orders`. */
  readonly unit: string;
  /** `used / limit`, from 0 on; 1 is reached. */
  readonly share: number;
  /** Since when it counts, where a person has armed or resumed and what was lost before no longer counts; else null. */
  readonly since: string | null;
}

/**
 * The event `hello`, first on each connection: another `run` than before means that the daemon was started again, another `instance`
 * that another daemon listens there.
 */
export interface HelloView {
  /** What the daemon is called, and the path of its journal. */
  readonly name: string;
  readonly journal: string;
  /** Tells its journal from any other. An act that names another one in the header `x-kairos-instance` is refused. */
  readonly instance: string;
  readonly run: string;
  readonly version: string;
  readonly mode: Mode;
  /** What is typed on the daemon's machine to halt it. */
  readonly haltCommand: string;
}
