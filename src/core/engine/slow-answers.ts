import { isoTime, type Millis } from '#domain/names.ts';
import { REASONS } from '#domain/reasons.ts';
import type { StrategyState } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';

/**
 * Why quotes have too little time left for openings, and until when: one slow answer counts for ten minutes, in which quotes may all be
 * too short for another like it. Undefined before the first answer.
 */
export function slowAnswers(
  { monitor: { trips }, limits }: Pick<EngineContext, 'monitor' | 'limits'>,
  now: Millis,
): Pick<StrategyState, 'why' | 'mend' | 'until'> | undefined {
  const until = trips.standsUntil(now);
  if (until === undefined) return undefined;
  const least = limits.minTimeLeftMs ?? 0;
  const ms = trips.p99(now);
  const why = `${REASONS.TIME_LEFT}: an opening needs ${least + ms} ms, risk.minTimeLeftMs (${least} ms) and the ${ms} ms that an answer of the service took`;
  return { why, until, mend: `that answer counts until ${isoTime(until)}; quotes with more time left pass` };
}
