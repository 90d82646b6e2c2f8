import { placeOfError, type StrategyOrigin } from '#core/strategy/origin.ts';

/** A trial that is left to the engine. Its message says what of it is outside the screen, and where that is written. */
export class ScreenRefusal extends Error {
  override readonly name = 'ScreenRefusal';
}

/** The same with its place in the strategy's source: where its code ran into the refusal, else where its signals, or its decisions, begin. */
export function placedRefusal(error: unknown, origin: StrategyOrigin | undefined, of: 'signals' | 'decide'): ScreenRefusal {
  const what = error instanceof ScreenRefusal ? error.message : 'an error that it throws';
  const place = origin && (placeOfError(error, origin) ?? origin[of]);
  return new ScreenRefusal(place === undefined ? what : `${what} (${place})`);
}
