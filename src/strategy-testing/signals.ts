import { map, tap } from 'rxjs';
import { isStrategy, type MarkedStrategy } from '#core/strategy/contract.ts';
import { timestamp } from '#core/strategy/engine-time.ts';
import { invariant } from '#domain/errors.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Mark, Values } from './diagram.ts';
import type { Price } from './quotes.ts';
import { type Lines, Scenario } from './scenario.ts';
import type { ScenarioOptions } from './scenario-options.ts';

/** What a strategy is given where a test looks at its signals alone. */
export interface SignalOptions extends Omit<ScenarioOptions, 'exits' | 'budget' | 'latencyMs'> {
  /** Prices half a second apart, as a marble diagram, or one for each input. */
  readonly quotes: Lines;
  /** The price or display price of each character. */
  readonly values: Values<Price | IndicativeQuote>;
}

/**
 * The signals of a strategy for some quotes, each at its engine time, without decisions. Time operators of
 * `kairos/strategy` follow the diagram. Throws what `signals` throws.
 */
export function signalsOf(strategy: MarkedStrategy, { quotes, values, ...options }: SignalOptions): readonly Mark<unknown>[] {
  const seen: Mark<unknown>[] = [];
  const listening: unknown = Object.freeze({
    ...strategy,
    signals: (...of: Parameters<MarkedStrategy['signals']>) =>
      strategy.signals(...of).pipe(
        timestamp(),
        tap(({ value, timestamp: at }) => seen.push({ at, value })),
        map(({ value }) => value),
      ),
    decide: () => undefined,
  });
  invariant(isStrategy(listening), 'a copy of a strategy is one');
  const { startAt } = new Scenario(listening, options).play(quotes, values);
  return seen.map(({ at, value }) => ({ at: at - startAt, value }));
}
