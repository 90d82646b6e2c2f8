import type { HistoryAsk } from './history-ask.ts';
import type { OrderCheckAsk } from './order-check.ts';
import type { HelloView, StateView } from './view.ts';

/** A decision as the stream sends it, its `DecisionView` as JSON. */
export interface FeedRow {
  readonly seq: number;
  readonly json: string;
}

/** A file of the page. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Of the content; what the address of a file carries that never changes. */
  readonly hash: string;
}

/** What the page and its stream look at. What must be read from files is read beside the daemon and answers later. */
export interface PageTarget {
  hello(): HelloView;
  state(): StateView;
  /** Changes with everything that may change the state, except time. */
  turn(): number;
  /** Runs something in the next turn of the daemon's loop, behind input that waits. */
  soon(run: () => void): void;
  /** The last row of the journal. */
  end(): Promise<number>;
  /** Its rows after one, oldest first. */
  feed(after: number, limit: number): Promise<readonly FeedRow[]>;
  /** The `PastView` as JSON; `whole` is false while rows of the run are left to be read. */
  past(): Promise<{ readonly json: string; readonly whole: boolean }>;
  /** JSON, or HTML for reports. Throws NOT_FOUND, OPS_UNAVAILABLE. */
  history(ask: HistoryAsk): Promise<string>;
  /** What an arming would let trade: an `ArmView` as JSON. */
  arming(): Promise<string>;
  /** What an order by hand would come to now: an `OrderCheckView` as JSON. */
  orderCheck(asked: OrderCheckAsk): string;
  /** What a sweep of a strategy can vary: `ParameterView`s as JSON. Throws NOT_FOUND. */
  parameters(strategy: string): string;
  /** The strategy modules that can be played in a backtest: their names as JSON. */
  modules(): string;
  /** The service's own strategies, read back from it: a `RemoteStrategiesView` as JSON. */
  remoteStrategies(): Promise<string>;
  /** Everything that is measured, in the format of Prometheus. `pages`: how many listen. */
  metrics(pages: number): Promise<{ readonly type: string; readonly text: string }>;
  /** A file of the page by its path, `/` for the page itself; undefined for an unknown path. */
  asset(path: string): Promise<Asset | undefined>;
}
