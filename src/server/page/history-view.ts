import type { DecisionView } from './past-view.ts';

/** `GET /api/history/equity?run=RUN|last`: thinned to stretches of time, each with its lowest, highest and last value. */
export interface EquityHistory {
  readonly run: string;
  readonly currency: string;
  /** Why there is no series; null where there is one. */
  readonly why: string | null;
  readonly points: readonly {
    /** Milliseconds since 1970, the end of the stretch. */
    readonly at: number;
    readonly equity: number;
    readonly low: number;
    readonly high: number;
    /** Equity drawdown of the run: the deepest of the stretch, from 0 on. */
    readonly drawdownPct: number;
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
  /** Numbers that the strategy named when it decided, by name. What it names now stands in the state. */
  readonly signals: Readonly<Record<string, readonly { readonly at: number; readonly value: number }[]>>;
  readonly marks: readonly MarkView[];
}

/** Something that happened to an intent or an order, to be marked at a price. */
export interface MarkView {
  readonly seq: number;
  readonly at: number;
  readonly kind: 'fill' | 'refused' | 'rejected' | 'unknown' | 'expired' | 'not_sent';
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly order: string | null;
  readonly words: string;
}

/** `GET /api/history/decisions?before=SEQ&limit=N&strategy=ID&kind=KIND,..&without=KIND,..`: the newest before `seq`, newest first. */
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
  }[];
  /** Reports in files, such as those of backtests and of `bot.report`; at `/api/reports/NAME`. */
  readonly reports: readonly { readonly name: string; readonly at: string; readonly bytes: number }[];
}

/** `GET /api/orders/ORDER`: its story, as `kairos why` tells it. */
export interface OrderStoryView {
  readonly order: string;
  readonly state: string | null;
  readonly lines: readonly { readonly about: string; readonly text: string }[];
}

/** `GET /api/arm`: what an arming would let trade. `POST /api/arm` takes `configHash` and `build` back. */
export interface ArmView {
  readonly configHash: string;
  readonly build: string;
  readonly limits: readonly { readonly key: string; readonly value: string }[];
  /** Who armed last and when; null: nobody ever. */
  readonly before: { readonly who: string; readonly at: string } | null;
  readonly differences: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[];
}
