import { describe, expect, test } from 'vitest';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

/** Buys once; what it does at the end of the data is its own. */
const holding = (atEnd: string, inputs = ''): string => `import { map, merge, take } from 'rxjs';
import { buy, close, lane, strategy } from 'kairos/strategy';
export default strategy({
  name: 'holding',
  ${inputs}
  signals: ({ quotes$, dataEnds$ }) => merge(quotes$.pipe(take(1), map(() => 'in')), dataEnds$.pipe(map(() => 'end'))),
  decide: (signal, { amount }) => (signal === 'in' ? buy(amount, 'in') : ${atEnd}),
});
`;

const yaml = (latency: number, atEnd = 'keep', more: Readonly<Record<string, string>> = {}): string =>
  `${strategyYaml({ use: 'holding', ...more })}${OFF}backtest: { latency: ${latency}, atEnd: ${atEnd} }\n`;

async function played(text: string, strategy: string, recording = {}) {
  const session = await bench(text, { seconds: 20, ...recording }, { holding: strategy }).open();
  const run = session.play();
  const last = Math.max(...session.columns.map(({ at, length }) => at[length - 1] ?? 0));
  return { run, last, outcome: outcomeOf(run), fills: ofKind(run, 'accepted'), orders: ofKind(run, 'approved') };
}

describe('a strategy that hears of the end of the data', () => {
  test('closes on the last quote, and its order takes as long as any other', async () => {
    const { last, fills, orders, run } = await played(yaml(40), holding("close(100, 'the end')"));
    expect(orders.map(({ at, detail }) => [at, detail.order.side])).toEqual([
      [run.startedAt, 'buy'],
      [last, 'sell'],
    ]);
    expect(fills.map(({ at }) => at)).toEqual([run.startedAt + 80, last + 80]);
    expect(run.endedAt).toBe(last + 80);
  });

  test('closes a size that no lane has on a lane that is lent at that moment', async () => {
    const { fills } = await played(yaml(0), holding("close(50, 'half')"));
    expect(fills.map(({ detail }) => detail.fill.size)).toEqual(['0.01', '0.005']);
  });

  test('is told once its orders have been answered, and of what it cannot do why not', async () => {
    // Decided on the last quote, so that nothing is left to close on.
    const late = holding("close(100, 'the end')").replace('take(1)', 'skip(39)').replace('take }', 'skip }');
    const { fills, run, last } = await played(yaml(40), late);
    expect(fills.map(({ detail }) => detail.fill.side)).toEqual(['buy']);
    expect(ofKind(run, 'refused').map(({ at, reason }) => [at - last, reason])).toEqual([[80, 'QUOTE_TAKEN']]);
  });
});

describe('backtest.atEnd: close', () => {
  test('closes what strategies hold, by an order on the last quotes that says why', async () => {
    const { fills, orders, run, outcome, last } = await played(yaml(40, 'close'), holding('undefined'));
    expect(fills.map(({ at, detail }) => [at, detail.fill.side])).toEqual([
      [run.startedAt + 80, 'buy'],
      [last + 80, 'sell'],
    ]);
    expect(ofKind(run, 'intent').at(-1)?.detail.why).toBe('backtest: the data ends');
    expect(orders).toHaveLength(2);
    expect(outcome.profit.find(({ group }) => group === 'total')).toMatchObject({ trades: 1 });
    expect(ofKind(run, 'reducing')).toEqual([]);
  });

  test('leaves open what no living quote can close, and keeps all unless it is asked for', async () => {
    const dead = await played(yaml(900, 'close'), holding('undefined'), { validityMs: 950 });
    expect(dead.fills.map(({ detail }) => detail.fill.side)).toEqual(['buy', 'sell']);
    const late = await played(yaml(900, 'close'), holding('undefined').replace('take(1)', 'skip(39)').replace('take }', 'skip }'));
    expect(late.fills.map(({ detail }) => detail.fill.side)).toEqual(['buy']);
    const kept = await played(yaml(40), holding('undefined'));
    expect(kept.fills.map(({ detail }) => detail.fill.side)).toEqual(['buy']);
  });
});

test('the progress of a backtest ends at the whole', async () => {
  const shares: number[] = [];
  const session = await bench(yaml(0), { seconds: 20 }, { holding: holding('undefined') }).open({ onShare: (share) => shares.push(share) });
  session.play();
  expect(shares.at(-1)).toBe(1);
});
