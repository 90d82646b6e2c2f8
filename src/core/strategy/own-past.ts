import type { PastValue } from '#domain/event.ts';
import type { LaneId } from '#domain/names.ts';
import type { StrategyInstance } from './instance.ts';

/** Where a value of the past came from. */
export const sourceOf = (past: PastValue): LaneId => ('quote' in past ? past.quote.lane : past.source);

/** The lane that a strategy trades on, and where its further inputs come from that have a recorded past: signals from outside have none. */
export function sourcesOf({ lane, inputs }: Pick<StrategyInstance, 'lane' | 'inputs'>): ReadonlySet<LaneId> {
  return new Set([lane, ...Object.values(inputs ?? {}).flatMap(({ kind, source }) => (kind === 'signal' ? [] : source))]);
}

/**
 * What of the past a strategy is fed with, in its order. It begins where there is something of each of its inputs, with what
 * stood there then; nothing where one of them has no past.
 */
export function ownPast(instance: StrategyInstance, past: readonly PastValue[]): readonly PastValue[] {
  const sources = sourcesOf(instance);
  const own = past.filter((value) => sources.has(sourceOf(value)));
  const begins = new Map([...own].reverse().map((value) => [sourceOf(value), value.at]));
  if (begins.size < sources.size) return [];
  const begin = Math.max(...begins.values());
  const standing = new Map<LaneId, PastValue>();
  for (const value of own) {
    const source = sourceOf(value);
    if (value.at < begin && source !== instance.lane) standing.set(source, { ...value, at: begin });
  }
  return [...standing.values(), ...own.filter(({ at }) => at >= begin)];
}
