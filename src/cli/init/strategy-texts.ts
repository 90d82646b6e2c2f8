import type { NewFile } from './new-files.ts';

/** A strategy module with parameters, and its tests. */
export function strategyFiles(name: string): readonly NewFile[] {
  return [
    { path: `strategies/${name}.ts`, text: moduleOf(name) },
    { path: `strategies/${name}.test.ts`, text: testsOf(name) },
  ];
}

const moduleOf = (name: string): string => `import { buy, mid, observe, param, sell, sma, strategy } from 'kairos/strategy';

/** Buys when the price is below its average, and sells once it is back. */
export default strategy({
  name: '${name}',
  params: {
    // How many quotes are averaged; two come in a second.
    quotes: param.int(20, { min: 2, sweep: [10, 60, 10] }),
    // How far below the average it buys.
    percent: param.number(0.02, { min: 0 }),
  },
  warmup: ({ quotes }) => ({ quotes }),
  // Streams in, one stream of signals out: here the average. \`observe\` names a value for the journal.
  signals: ({ quotes$ }, { quotes }) => quotes$.pipe(mid(), sma(quotes), observe('average')),
  // What to do about a signal: an intent with its reason, hold('why'), or nothing.
  decide: (average, { quote, position, amount }, { percent }) => {
    if (!quote) return undefined;
    if (position.isFlat && quote.buy.price < average * (1 - percent / 100)) return buy(amount, 'below its average');
    if (position.isLong && quote.sell.price > average) return sell('position', 'back at its average');
    return undefined;
  },
});
`;

const testsOf = (name: string): string => `import { marbles, scenario, signalsOf } from 'kairos/testing';
import { expect, test } from 'vitest';
import strategy from './${name}.ts';

test('its signal is the average price, once there are enough quotes', () => {
  const seen = signalsOf(strategy, { quotes: 'abb', values: { a: 60_000, b: 60_020 }, params: { quotes: 2 } });
  expect(seen).toEqual(marbles('-xy', { x: 60_010, y: 60_020 }));
});

test('it buys below the average, and sells when the price is back', () => {
  const run = scenario(strategy, { params: { quotes: 3, percent: 0.1 } });
  run.play('aaab', { a: 60_000, b: 59_800 });
  expect(run.orders).toMatchObject([{ side: 'buy', price: 59_800, state: 'accepted', why: 'below its average' }]);
  run.quote(60_000);
  expect(run.orders).toMatchObject([{ side: 'buy' }, { side: 'sell', price: 60_000, why: 'back at its average' }]);
  expect(run.position).toBe(0);
});
`;
