import { isLaneOf } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { Snapshot } from '#core/engine/snapshot.ts';
import { isLentLane } from '#domain/lane.ts';
import { JOURNAL_HELD } from '#domain/no-order-words.ts';
import { REASONS } from '#domain/reasons.ts';

/** How the process stands, beside its engine. */
export interface DaemonCondition {
  readonly phase: 'starting' | 'running' | 'stopping';
  readonly journalBusy: boolean;
}

/**
 * Why orders cannot go out as they should, in words; empty where they can. A lane that is lent for one order comes and goes; one for its price
 * alone carries none, nor does that of a strategy that the settings leave out and that holds nothing.
 */
export function notReady(
  {
    trading,
    time,
    lanes,
    orders,
    strategies,
    otherBooks,
  }: Pick<Snapshot, 'trading' | 'time' | 'lanes' | 'orders' | 'strategies' | 'otherBooks'>,
  { phase, journalBusy, settings }: DaemonCondition & { readonly settings: Pick<Settings, 'strategies'> },
): readonly string[] {
  const holding = new Set<string>(
    [...strategies, ...otherBooks].flatMap(({ id, low, high }) => (Number(low) === 0 && Number(high) === 0 ? [] : id)),
  );
  const trades = settings.strategies.filter(({ id, enabled }) => enabled || holding.has(id));
  return [
    ...(phase === 'running' ? [] : [`the daemon is ${phase}`]),
    ...(journalBusy ? [JOURNAL_HELD] : []),
    ...(trading === 'HALTED' ? ['trading is halted'] : []),
    ...(trading === 'DISARMED' ? ['trading is disarmed until a person arms it'] : []),
    // Settled first: a product that is frozen stays so when trading is resumed.
    ...orders.flatMap(({ order, product, state }) =>
      state === 'unknown' ? [`trading is frozen in ${product}: the outcome of order ${order} is unknown`] : [],
    ),
    ...(trading === 'REDUCING' ? ['trading is reducing: only exits pass'] : []),
    ...(time.reason === null ? [] : [`time: ${time.reason}, ${REASONS[time.reason]}`]),
    ...lanes.flatMap(({ lane, untradable }) =>
      untradable === null || isLentLane(lane) || !isLaneOf(trades, lane) ? [] : [`lane ${lane}: ${untradable}`],
    ),
  ];
}
