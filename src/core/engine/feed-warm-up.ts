import type { StrategyHost } from '#core/strategy/host.ts';
import type { WarmUpFeed } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import type { EngineContext } from './engine-context.ts';

/** A silence among what signals are fed with that a person should hear of. */
const TOLD_FROM_MS = 10_000;

/** Feeds the signals of strategies with what was recorded, and journals which quotes of which lanes that was. */
export function feedWarmUp({ ranges, past }: WarmUpFeed, { log, notice }: EngineContext, host: StrategyHost): void {
  host.warm(past);
  for (const { lane, from, to, gapMs, ...rest } of ranges) {
    log.defer(log.make('warmed', { lane, from: isoTime(from), to: isoTime(to), gapMs, ...rest }));
    const gap = gapMs > TOLD_FROM_MS ? `, with a gap of ${Math.round(gapMs / 1000)} s` : '';
    notice(gap === '' ? 'info' : 'warn', `${lane}: signals are fed with ${rest.quotes} recorded quotes up to ${isoTime(to)}${gap}`);
  }
}
