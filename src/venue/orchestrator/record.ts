/** Our own names of the states (spec 3 shows none). `STOPPED` is final. */
export type StrategyStatus = 'CREATED' | 'ACTIVE' | 'PAUSED' | 'STOPPED';

/** What a user may set: plain values, and in open variants lists and groups of them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A root strategy as the venue keeps it. Decimals are text, times ISO 8601 UTC. */
export interface StrategyRecord {
  /** Counts strategies from 1; with the venue's seed it decides what the simulated execution does. */
  readonly number: number;
  readonly strategyId: string;
  /** The strategy under it that trades. It follows the root and takes no action of its own. */
  readonly childId: string;
  readonly owner: string;
  readonly strategyType: string;
  readonly accountId: string;
  readonly productCode: string;
  readonly status: StrategyStatus;
  /** Goes up with every change that a user asked for. */
  readonly version: number;
  readonly eventTime: string;
  readonly fields: Fields;
  readonly openingPause: { readonly from: string; readonly to: string } | null;
  /** Sizes down to which the position is still to be flushed; null when there is nothing to do. */
  readonly flushTo: { readonly long: string; readonly short: string } | null;
  /** The most it holds, in base currency; null until the first trade fixes it. */
  readonly capacity: string | null;
  readonly long: string;
  readonly short: string;
  /** Steps of the simulated execution so far. */
  readonly steps: number;
}
