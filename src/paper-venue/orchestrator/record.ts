import type { z } from 'zod';
import type { FOUND } from './bodies.ts';

/** Our own names of the states (spec 3 shows none). `STOPPED` is final. */
export type StrategyStatus = 'CREATED' | 'ACTIVE' | 'PAUSED' | 'STOPPED';

/** Fields that a user may set: plain values, and in open variants lists and groups of them. */
export type UserFields = Readonly<Record<string, unknown>>;

/** A root strategy in the venue's database. Decimals are text, times ISO 8601 UTC. */
export interface StrategyRecord {
  /** Number of the strategy from 1; with the venue's seed it decides the simulated execution. */
  readonly number: number;
  readonly strategyId: string;
  /** The child strategy that trades. It follows the root and accepts no actions. */
  readonly childId: string;
  readonly owner: string;
  readonly strategyType: string;
  readonly accountId: string;
  readonly productCode: string;
  readonly status: StrategyStatus;
  /** Increases with every change by a user. */
  readonly version: number;
  readonly eventTime: string;
  readonly fields: UserFields;
  readonly openingPause: { readonly from: string; readonly to: string } | null;
  /** Sizes to which the position is to be flushed; null for none. */
  readonly flushTo: { readonly long: string; readonly short: string } | null;
  /** Maximum position in base currency; null until the next trade fixes it, at first and after another amount. */
  readonly capacity: string | null;
  readonly long: string;
  readonly short: string;
  /** Steps of the simulated execution so far. */
  readonly steps: number;
}

export type StrategyAction = 'start' | 'stop' | 'pause' | 'schedule-opening-pause' | 'flush' | 'modify';

/** Version of the execution that this file belongs to, for `engineVer`. */
const ENGINE_VERSION = 1;

/**
 * The state after an action, or undefined if it is refused. A repeated action is accepted, since its first answer may
 * have been lost. Stopped is final (notes, "Strategies"; wire names of states are our own choice).
 */
export function nextStatus(status: StrategyStatus, action: StrategyAction): StrategyStatus | undefined {
  switch (action) {
    case 'start':
      return status === 'STOPPED' ? undefined : 'ACTIVE';
    case 'pause':
      return status === 'ACTIVE' || status === 'PAUSED' ? 'PAUSED' : undefined;
    case 'stop':
      return status === 'CREATED' ? undefined : 'STOPPED';
    case 'schedule-opening-pause':
    case 'flush':
    case 'modify':
      return status === 'STOPPED' ? undefined : status;
  }
}

/** A strategy in the answer of `find`; the keys inside `state` are our own choice (notes, "Strategies"). */
export function foundOf(record: StrategyRecord): z.infer<typeof FOUND> {
  const { openingPause, flushTo } = record;
  return {
    strategyId: record.strategyId,
    version: record.version,
    engineVer: ENGINE_VERSION,
    eventTime: record.eventTime,
    state: {
      status: record.status,
      strategyType: record.strategyType,
      accountId: record.accountId,
      productCode: record.productCode,
      longPosition: record.long,
      shortPosition: record.short,
      flushing: String(flushTo !== null),
      children: record.childId,
      ...(openingPause && { openingPauseFrom: openingPause.from, openingPauseTo: openingPause.to }),
    },
    uiParams: Object.fromEntries(Object.entries(record.fields).map(([name, value]) => [name, { value }])),
    uiData: '',
  };
}
