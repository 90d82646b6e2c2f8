import type { FillText } from '#domain/order.ts';
import type { ClosedProfit, DecisionView, TradeSumView } from './past-view.ts';

/** `GET /api/history/equity?run=RUN|last|all`: everything at the rates of each time, as the equity of the state, thinned to stretches of time, each with its lowest, highest and last value. */
export interface EquityHistory {
  readonly run: string;
  readonly currency: string;
  /** Why there is no series; null where there is one. */
  readonly why: string | null;
  /** What budgets of the newest run added to what was there, which is no profit. */
  readonly joined: number;
  /** Where each run begins that has points, oldest first. */
  readonly runs: readonly { readonly run: string; readonly at: number }[];
  /** False where earlier runs are still to be read: asked again, it has more of them. */
  readonly whole: boolean;
  readonly points: readonly {
    /** Milliseconds since 1970, the end of the stretch. */
    readonly at: number;
    readonly equity: number;
    readonly low: number;
    readonly high: number;
    /** Equity drawdown of the run: the deepest of the stretch, from 0 on. Missing in that of all runs, each of which begins anew. */
    readonly drawdownPct?: number;
  }[];
}

/**
 * `GET /api/history/prices?strategy=ID&run=RUN|last&from=T&to=T&points=N`. `at` is in milliseconds since 1970. Without times:
 * the newest quotes, about an hour of them, of earlier runs as well.
 */
export interface PriceHistory {
  readonly run: string;
  readonly strategy: string;
  readonly product: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
  /** Why there are no prices; null where there are some. */
  readonly why: string | null;
  readonly prices: readonly { readonly at: number; readonly buy: number; readonly sell: number }[];
  /** Signals of the strategy by name, at its decisions. The present ones are in the state. */
  readonly signals: Readonly<Record<string, readonly { readonly at: number; readonly value: number }[]>>;
  /** Names of signals that have a value in each bar of `points`, by its recorded quotes. */
  readonly whole: readonly string[];
  readonly marks: readonly MarkView[];
}

/** Something that happened to an intent or an order, to be marked at a price in quote currency. */
export interface MarkView {
  readonly seq: number;
  readonly at: number;
  readonly kind: 'fill' | 'refused' | 'rejected' | 'unknown' | 'expired' | 'not_sent';
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly order: string | null;
  readonly words: string;
}

/** `GET /api/history/decisions?before=SEQ&after=SEQ&limit=N&strategy=ID&kind=KIND,..&without=KIND,..`: the newest before `seq`, newest first. */
export interface DecisionHistory {
  readonly decisions: readonly DecisionView[];
  /** True where there are older ones. */
  readonly more: boolean;
}

/** `GET /api/runs`: the newest first. The report is at `/api/runs/RUN/report`. */
export interface RunsView {
  readonly runs: readonly {
    readonly run: string;
    readonly mode: string;
    readonly version: string;
    readonly startedAt: string;
    readonly endedAt: string | null;
    readonly endState: string | null;
    readonly decisions: number;
    readonly orders: number;
    readonly accepted: number;
    /** What its round trips made, net of fees, by currency. */
    readonly closed: readonly ClosedProfit[];
  }[];
  /** Reports in files, such as those of backtests and of `bot.report`; at `/api/reports/NAME`. */
  readonly reports: readonly { readonly name: string; readonly at: string; readonly bytes: number }[];
}

/** `GET /api/history/profit`: what was closed on each day, in order. */
export interface ProfitDays {
  readonly days: readonly DayProfit[];
}

/** A day (UTC) in one currency. */
export interface DayProfit {
  /** `2026-11-22`. */
  readonly day: string;
  readonly currency: string;
  /** Of round trips that ended then, net of fees, and of financing. */
  readonly profit: number;
  readonly trades: number;
  readonly won: number;
}

/** What round trips can be sorted by. */
export const TRADE_SORTS = ['closed', 'opened', 'strategy', 'product', 'side', 'size', 'held', 'fees', 'profit', 'return'] as const;

export type TradeSort = (typeof TRADE_SORTS)[number];

/**
 * `GET /api/history/trades?strategy=ID&product=P&outcome=won|lost&sort=NAME&order=asc|desc&offset=N&limit=N`: round trips of all runs, first in
 * first out, as `kairos trades` has them. `GET /api/history/trades.csv` takes the same and answers with all of them as CSV.
 */
export interface TradesView {
  /** How many pass the filter, and what they come to. */
  readonly total: number;
  readonly sums: readonly TradeSumView[];
  readonly trades: readonly TradeView[];
}

/** A round trip. Sizes and prices are decimal text, times milliseconds since 1970. */
export interface TradeView {
  readonly strategy: string;
  readonly product: string;
  readonly side: 'long' | 'short';
  readonly size: string;
  readonly entryOrder: string;
  readonly openedAt: number;
  readonly entryPrice: string;
  readonly exitOrder: string;
  readonly closedAt: number;
  readonly exitPrice: string;
  readonly heldMs: number;
  readonly fees: number;
  /** Net of fees. */
  readonly profit: number;
  readonly currency: string;
  /** Profit as a share of the stake, in percent. */
  readonly returnPct: number;
  /** The reasons of the entry and the exit. */
  readonly whyIn: string;
  readonly whyOut: string;
}

/**
 * `GET /api/history/chart?product=P&from=T&to=T&bars=N&refusals=true&run=RUN`: a product over a time, from the recordings of all runs, with what was
 * done in it; with `run` by the strategies of that run, and nothing that came after `to`. Times are milliseconds since 1970.
 */
export interface ChartHistory {
  readonly product: string;
  /** The lane that brought the most quotes; null where there are none. */
  readonly lane: string | null;
  readonly currency: string | null;
  readonly from: number;
  readonly to: number;
  /** Length of a bar. */
  readonly stepMs: number;
  /** Middle of both sides; a bar begins at `at`. */
  readonly bars: readonly ChartBar[];
  readonly fills: readonly ChartFill[];
  /** Executions that were left out, the oldest, since there are too many. */
  readonly fillsLeftOut: number;
  /** Round trips that touch the time. */
  readonly trades: readonly Pick<TradeView, 'strategy' | 'side' | 'openedAt' | 'closedAt' | 'entryPrice' | 'exitPrice' | 'profit'>[];
  /** Refusals and other intents without a fill, if requested. */
  readonly refusals: readonly MarkView[];
  /** Numbers that strategies named, by strategy and name. */
  readonly signals: readonly ChartSignal[];
  /** Runs that began within the time. */
  readonly runs: readonly { readonly run: string; readonly at: number }[];
}

/** A bar of mid prices in quote currency; `at` is its begin. */
export interface ChartBar {
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** An execution; `closed`: what it made by what it closed. */
export interface ChartFill {
  readonly at: number;
  readonly side: 'buy' | 'sell';
  /** In quote currency. */
  readonly price: number;
  readonly size: string;
  readonly order: string;
  readonly strategy: string;
  readonly closed: ClosedProfit | null;
}

/** What a strategy named. `isWhole`: in each bar, by its signals over the recorded quotes; else when it decided. */
export interface ChartSignal {
  readonly strategy: string;
  readonly name: string;
  readonly isWhole: boolean;
  readonly points: readonly SignalPoint[];
}

/** What a strategy named at a time. */
export interface SignalPoint {
  readonly at: number;
  /** In quote currency where it is a price, else in the unit that the strategy gives it. */
  readonly value: number;
}

/** `GET /api/orders/ORDER`: its story, as `kairos why` tells it. */
export interface OrderStoryView {
  readonly order: string;
  readonly state: string | null;
  readonly product: string;
  /** When it was decided. */
  readonly at: string;
  /** What was executed; null while nothing is known of that. */
  readonly fill: FillText | null;
  /** Round trips that it opened or closed. */
  readonly trips: readonly TradeView[];
  readonly lines: readonly { readonly about: string; readonly text: string }[];
}

/** `GET /api/arm`: what an arming would let trade. `POST /api/arm` takes `configHash` and `build` back. */
export interface ArmView {
  readonly configHash: string;
  readonly build: string;
  /** Real money, and nothing was rehearsed: it is refused without the word. */
  readonly unrehearsed: boolean;
  /** What to beware of where it was armed last in another place: the journal is a copy, or was moved. Else null. */
  readonly elsewhere: string | null;
  /** Where, for whom, in which mode and with which strategies. */
  readonly scope: readonly { readonly key: string; readonly value: string }[];
  readonly limits: readonly { readonly key: string; readonly value: string }[];
  /** Who armed last and when; null: nobody ever. */
  readonly before: { readonly who: string; readonly at: string } | null;
  readonly differences: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[];
}
