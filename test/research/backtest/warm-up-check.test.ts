import { expect, test } from 'vitest';
import { checkWarmUps } from '#research/backtest/warm-up-check.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from './session-bench.ts';

const module = (warmup: string): string => `import { combineLatest, map } from 'rxjs';
import { ema, hold, mid, observe, sma, strategy } from 'kairos/strategy';
export default strategy({
  name: 'averages',
  warmup: () => (${warmup}),
  signals: ({ quotes$ }) => quotes$.pipe(mid(), (mid$) => combineLatest([mid$.pipe(observe('ema', ema(10))), mid$.pipe(observe('sma', sma(10)))])),
  decide: () => hold('only watched'),
});
`;

test.each([
  ['{ quotes: 20 }', '20 quotes'],
  ["{ duration: '10s' }", '10s'],
])('a warm-up of %s is doubled: an exponential average still changes, a simple one does not', async (need, name) => {
  const session = await bench(strategyYaml({ use: 'averages' }), {}, { averages: module(need) }).open();
  const [check] = checkWarmUps(session, await session.anew());
  expect(check).toMatchObject({ strategy: 'one', warmUp: name });
  const same = Object.fromEntries(check?.values.map((value) => [value.name, value.same]) ?? []);
  expect(same).toMatchObject({ ema: false, sma: true, signal: false });
  const [ema] = check?.values.filter((value) => value.name === 'ema') ?? [];
  expect(ema?.once).not.toBe(ema?.twice);
});

test('a strategy without warm-up has nothing to double, and one needs enough quotes', async () => {
  const none = await bench(strategyYaml({ use: 'eager' })).open();
  expect(checkWarmUps(none, await none.anew())).toEqual([{ strategy: 'one', warmUp: 'none declared', at: null, values: [] }]);
  const short = await bench(strategyYaml({ use: 'averages' }), { seconds: 10 }, { averages: module('{ quotes: 20 }') }).open();
  const anew = await short.anew();
  expect(() => checkWarmUps(short, anew)).toThrow(/strategy one: 40 quotes are needed to double its warm-up; there are 20/);
});

const TURNS = `import { above, mid, observe, sma, strategy } from 'kairos/strategy';
export default strategy({
  name: 'turns',
  warmup: () => ({ quotes: 20 }),
  signals: ({ quotes$ }) => quotes$.pipe(mid(), above(observe('price', sma(1)), observe('mean', sma(5)))),
  decide: () => undefined,
});
`;

test('the signal that is compared is the last one, also where the same word came before another', async () => {
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const session = await bench(strategyYaml({ use: 'turns' }), { seed }, { turns: TURNS }).open();
    const values = new Map(checkWarmUps(session, await session.anew())[0]?.values.map(({ name, once, twice }) => [name, { once, twice }]));
    const word = Number(values.get('price')?.once) > Number(values.get('mean')?.once) ? 'above' : 'below';
    expect(values.get('signal'), seed).toEqual({ once: word, twice: word });
  }
});

const PAIR = `import { map } from 'rxjs';
import { ema, hold, mid, strategy } from 'kairos/strategy';
export default strategy({
  name: 'pair',
  warmup: () => ({ quotes: 20 }),
  signals: ({ quotes$ }) =>
    quotes$.pipe(
      mid(),
      ema(10),
      map((value) => ({ near: 1 + value * 1e-12, side: 'buy' })),
    ),
  decide: () => hold('only watched'),
});
`;

test('of a signal that is an object the numbers are held against each other, to a billionth', async () => {
  const session = await bench(strategyYaml({ use: 'pair' }), {}, { pair: PAIR }).open();
  expect(checkWarmUps(session, await session.anew())[0]?.values).toMatchObject([{ name: 'signal', same: true }]);
  const far = await bench(strategyYaml({ use: 'pair' }), {}, { pair: PAIR.replace('1e-12', '1') }).open();
  const [signal] = checkWarmUps(far, await far.anew())[0]?.values ?? [];
  expect(signal).toMatchObject({ same: false });
  const [once, twice] = [signal?.once, signal?.twice].map((one) => (one as { near: number }).near);
  expect(signal?.apart).toBeCloseTo(Math.abs((once ?? 0) - (twice ?? 0)) / Math.max(once ?? 0, twice ?? 0), 12);
});
