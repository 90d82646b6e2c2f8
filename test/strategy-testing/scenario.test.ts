import { map, merge, take } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { above, buy, close, debounceTime, fullBook, lane, mid, param, sell, signal, sma, strategy } from '#core/strategy/index.ts';
import { marbles, scenario, signalsOf } from '#strategy-testing/index.ts';
import buyAndHold from '../../strategies/buy-and-hold.ts';
import smaCross from '../../strategies/sma-cross.ts';

const hedged = strategy({ name: 'hedged', inputs: { hedge: lane() }, signals: ({ quotes$ }) => quotes$, decide: () => undefined });

describe('signalsOf plays prices to the signals of a strategy', () => {
  test('each comes at its half second; time operators follow the diagram', () => {
    const quiet = strategy({
      name: 'quiet',
      params: { silence: param.int(900) },
      signals: ({ quotes$ }, { silence }) => quotes$.pipe(mid(), debounceTime(silence)),
      decide: () => undefined,
    });
    const values = { a: 60_000, b: { buy: 60_010, sell: 60_000 } };
    expect(signalsOf(quiet, { quotes: 'aab---a--', values })).toEqual([
      { at: 1900, value: 60_005 },
      { at: 3900, value: 60_000 },
    ]);
    expect(signalsOf(quiet, { quotes: 'a 1m a', values, params: { silence: 2000 } })).toEqual([{ at: 2000, value: 60_000 }]);
  });

  test('what they are to be is a diagram as well', () => {
    const trend = strategy({
      name: 'trend',
      signals: ({ quotes$ }) => quotes$.pipe(mid(), above(sma(1), sma(2))),
      decide: () => undefined,
    });
    const prices = { a: 60_000, b: 60_100, c: 59_900 };
    expect(signalsOf(trend, { quotes: 'abbc', values: prices })).toEqual(marbles('-aab', { a: 'above', b: 'below' }));
  });

  test('further inputs have a line of their own, lanes as well as what is only looked at', () => {
    const book = { product: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', bids: [{ price: 59_990, size: 2 }], asks: [], time: null };
    const both = strategy({
      name: 'both',
      inputs: { hedge: lane(), depth: fullBook() },
      signals: ({ inputs }) => merge(inputs.hedge.pipe(mid()), inputs.depth.pipe(map(({ bids }) => bids[0]?.size ?? 0))),
      decide: () => undefined,
    });
    const quotes = { main: 'aaaa', hedge: '-b', depth: '-c-c' };
    const values = { a: 60_000, b: 2_600, c: book };
    expect(signalsOf(both, { quotes, values, inputs: { hedge: { product: 'ethusd', amount: { base: 1 } } } })).toEqual([
      { at: 500, value: 2_600 },
      { at: 500, value: 2 },
      { at: 1500, value: 2 },
    ]);
  });

  test('what signals throws comes out, and so does a character that stands for nothing', () => {
    const broken = strategy({
      name: 'broken',
      signals: () => {
        throw new Error('no such lane');
      },
      decide: () => undefined,
    });
    expect(() => signalsOf(broken, { quotes: '-', values: {} })).toThrow('the strategy failed: no such lane');
    expect(() => signalsOf(smaCross, { quotes: 'ab', values: { a: 1 } })).toThrow("diagram 'ab': nothing is said of 'b'");
  });
});

describe('scenario runs a strategy through the real engine', () => {
  test('its orders, what it holds, and why', () => {
    const run = scenario(smaCross, { params: { fast: 1, slow: 3 } });
    run.play('aabbcc', { a: 60_000, b: 60_300, c: 59_700 });
    expect(run.orders).toMatchObject([
      { at: 1000, side: 'buy', size: 0.01, price: 60_300, state: 'accepted', reason: 'HTTP_OK', why: 'fast above slow' },
      { at: 2000, side: 'sell', size: 0.01, price: 59_700, state: 'accepted' },
    ]);
    expect(run.position).toBe(0);
    const kinds = ['intent', 'approved', 'sent', 'accepted'];
    expect(run.decisions.filter(({ orderId }) => orderId !== null).map(({ kind }) => kind)).toEqual([...kinds, ...kinds]);
  });

  const options = { params: {}, settings: { 'risk.maxSpreadPct': 0.1 } };

  test.each<[string, (run: ReturnType<typeof scenario>) => unknown, object]>([
    ['executed', (run) => run.quote(60_000), { state: 'accepted', price: 60_000 }],
    ['refused by the service', (run) => run.ordersAre('rejected').quote(60_000), { state: 'rejected', reason: 'HTTP_REFUSED' }],
    ['still on its way', (run) => run.ordersAre('unknown').quote(60_000), { state: 'sent' }],
    ['never answered', (run) => run.ordersAre('unknown').quote(60_000).wait('3s'), { state: 'unknown', reason: 'NO_ANSWER' }],
  ])('an order that is %s', (_, act, expected) => {
    const run = scenario(buyAndHold, options);
    act(run);
    expect(run.orders).toMatchObject([expected]);
  });

  test('an order that comes too late for its quote is refused by the service', () => {
    const run = scenario(buyAndHold, { latencyMs: 3_100 });
    run.quote(60_000).wait('4s');
    expect(run.orders).toMatchObject([{ state: 'unknown' }]);
  });

  test('an order that a timer decides while time goes on arrives at its own time', () => {
    const once = strategy({
      name: 'once',
      signals: ({ every }) => every('1s').pipe(take(1)),
      decide: (_signal, { amount }) => buy(amount, 'in'),
    });
    const run = scenario(once, { latencyMs: 700 }).quote(60_000).wait('1m');
    expect(run.orders).toMatchObject([{ at: 1000, state: 'accepted' }]);
  });

  test('a limit of the configuration holds, and says which', () => {
    const run = scenario(buyAndHold, options).quote({ buy: 60_100, sell: 60_000 });
    expect(run.orders).toEqual([]);
    expect(run.refusals).toMatchObject([{ at: 500, side: 'buy', reason: 'MAX_SPREAD' }]);
  });

  test('exits and sizes that have no lane of their own are served', () => {
    const run = scenario(buyAndHold, { amount: { quote: 1000 }, exits: { stopLossPct: 1 } });
    run.quote(60_000);
    expect(run.position).toBeCloseTo(0.01666, 5);
    run.quote(59_000);
    expect(run.orders).toMatchObject([{ side: 'buy' }, { side: 'sell', price: 59_000, state: 'accepted' }]);
    expect(run.position).toBe(0);
  });

  test('further inputs have prices of their own, and money may come in', () => {
    const seen: unknown[] = [];
    const pair = strategy({
      name: 'pair',
      inputs: { hedge: lane() },
      signals: ({ inputs, deposits$ }) => {
        deposits$.subscribe(({ amount, currency }) => seen.push(`${amount} ${currency}`));
        return inputs.hedge;
      },
      decide: (_, { amount, position }) => (position.isFlat ? buy(amount, 'with the hedge') : close(50, 'half')),
    });
    const run = scenario(pair, { amount: { base: 0.02 }, inputs: { hedge: { product: 'ethusd', amount: { base: 0.2 } } } });
    run.quote(60_000).deposit(100, 'USD');
    expect(run.orders).toEqual([]);
    run.quote(2_600, 'hedge');
    expect(run.orders).toMatchObject([{ side: 'buy', size: 0.02, price: 60_000 }]);
    run.quote(60_000).quote(2_600, 'hedge');
    expect(run.orders[1]).toMatchObject({ side: 'sell', size: 0.01, state: 'accepted' });
    expect(run.position).toBe(0.01);
    expect(seen).toEqual(['100 usd']);
  });

  test('a signal from outside arrives as its schema has it, and outlives a restart; any other is refused', () => {
    const model = strategy({
      name: 'model',
      inputs: { model: signal({ schema: { score: 'number' }, staleAfter: '5s' }), depth: fullBook() },
      signals: ({ quotes$ }) => quotes$,
      decide: (_, { inputs, amount, position }) => {
        const score = inputs.model?.value.score ?? 0;
        return score > 0.6 && position.isFlat ? buy(amount, `score ${score}`) : undefined;
      },
    });
    const run = scenario(model).quote(60_000).show('model', { score: '0.7' });
    expect(run.orders).toEqual([]);
    expect(run.restart().quote(60_000).orders).toMatchObject([{ why: 'score 0.7', state: 'accepted' }]);
    expect(() => run.show('model', { level: 1 })).toThrow('inputs.model: score must be a number');
    expect(() => run.show('depth', { score: 1 })).toThrow('inputs.depth: is fullBook(), which takes prices');
  });

  test('a quote can be changed as little as live', () => {
    const changing = strategy({
      name: 'changing',
      signals: ({ quotes$ }) => quotes$,
      decide: (quote) => void Object.assign(quote.buy, { price: 1 }),
    });
    expect(() => scenario(changing).quote(60_000)).toThrow(/read only/);
  });

  test('a restart goes on with what the journal has: position, state, and an order whose answer never came', () => {
    const counting = strategy({
      name: 'counting',
      signals: ({ quotes$ }) => quotes$,
      state: {
        initial: 0,
        on: (count: number, event) => (event.type === 'outcome' && event.outcome.state === 'accepted' ? count + 1 : count),
      },
      decide: (_, { state, amount, position }) =>
        state < 2 ? buy(amount, `order ${state + 1}`) : position.isLong ? sell('position', 'all') : undefined,
    });
    const run = scenario(counting).quote(60_000).restart();
    expect(run.position).toBe(0.01);
    run.quote(60_000).restart().quote(60_000);
    expect(run.orders).toMatchObject([{ why: 'order 1' }, { why: 'order 2' }, { side: 'sell', size: 0.02, state: 'accepted' }]);
    const killed = scenario(counting, { latencyMs: 50 }).quote(60_000).restart().wait('1s');
    expect(killed.orders).toMatchObject([{ state: 'unknown' }]);
    expect(killed.position).toBe(0);
  });

  test('what a strategy throws comes out at once', () => {
    const broken = strategy({
      name: 'broken',
      signals: ({ quotes$ }) => quotes$,
      decide: () => {
        throw new Error('out of ideas');
      },
    });
    expect(() => scenario(broken).quote(60_000)).toThrow('the strategy failed: out of ideas');
  });

  test.each<[string, () => unknown, string]>([
    ['a product that nobody quotes', () => scenario(smaCross, { product: 'dogeusd' }), 'not dogeusd'],
    ['a parameter that is not there', () => scenario(smaCross, { params: { slwo: 1 } }), 'params.slwo: unknown'],
    ['a setting that is not there', () => scenario(smaCross, { settings: { 'risk.maxSpread': 1 } }), 'risk.maxSpread'],
    ['a time that is none', () => scenario(smaCross, { startAt: 'monday' }), 'startAt: monday is no time'],
    ["an input's lane without an amount", () => scenario(hedged), "the test's options: strategy tested: inputs.hedge: is a lane"],
    ['an input that is not there', () => scenario(smaCross).quote(1, 'hedge'), 'inputs.hedge: the strategy has no such input'],
  ])('%s is named', (_, run, message) => {
    expect(run).toThrow(message);
  });
});
