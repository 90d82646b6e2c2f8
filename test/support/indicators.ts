import type { Indicator } from '#core/strategy/indicators.ts';

/** What a fresh run of an indicator says to each value. */
export function outputsOf<In, Out>(of: Indicator<In, Out>, values: readonly In[]): (Out | undefined)[] {
  const step = of.start();
  return values.map((value) => step(value));
}
