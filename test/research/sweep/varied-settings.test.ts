import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { paramsText } from '#research/replay/trial.ts';
import { objectiveIn } from '#research/sweep/objective.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM } from '../../support/synthetic-recording.ts';
import { type Bench, bench } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

/** Buys as each cycle of 100 seconds begins, and closes before it ends. */
const CYCLE = `import { buy, close, param, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'cycle',
  params: { cycles: param.int(12, { min: 1, max: 12 }) },
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n)),
  decide: (n, { position, amount }, { cycles }) => {
    const at = n % 100;
    if (at === 0 && n < cycles * 100) return buy(amount, 'in');
    return at === 95 && !position.isFlat ? close(100, 'out') : undefined;
  },
});
`;

const RISK = `risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, duplicateWindowMs: off, maxLossStreak: off,
  collarPct: off, maxDayLoss: off, maxDrawdownPct: off, maxSpreadPct: off, maxOrderValue: 1500, maxLossStreakOfAll: off }
backtest: { latency: 20 }
`;

/** Each cycle dips by 1 %, goes to its end and from there to what is after; all are shares of the price, and so is the spread. */
const market =
  (of: (cycle: number) => { readonly end: number; readonly after?: number; readonly spread?: number }) =>
  (second: number): { readonly bid: number; readonly ask: number } => {
    const { end, after = end, spread = 0.001 } = of(Math.floor(second / 100));
    const at = (second % 100) / 100;
    const between = (from: number, to: number, begin: number): number => from + (to - from) * Math.min(1, Math.max(0, (at - begin) / 0.3));
    const share = at < 0.3 ? between(0, -0.01, 0) : at < 0.6 ? between(-0.01, end, 0.3) : between(end, after, 0.6);
    const mid = 60_000 * (1 + share);
    return { bid: mid * (1 - spread / 2), ask: mid * (1 + spread / 2) };
  };

const CYCLES = 12;
const benchOf = (top: ReturnType<typeof market>, more = '', entry: Readonly<Record<string, string>> = {}): Bench =>
  bench(
    `${strategyYaml({ use: 'cycle', ...entry })}${RISK}${more}`,
    { seconds: CYCLES * 100, quotesPerSecond: 1, feePercentage: 0, top },
    { cycle: CYCLE },
  );

const first = async (b: Bench, vary: readonly string[], options: Parameters<typeof studyOf>[1] = {}, by = 'netProfit'): Promise<string> => {
  const study = await studyOf(b, { players: here, ...options });
  const { ranking } = await sweep(study, { vary, random: undefined, seed: '1', by }, playing());
  return ranking.ranked > 0 && ranking.trials[0] ? paramsText(ranking.trials[0].params) : 'none';
};

/** Every other cycle wins 3 %, the others lose 6 %. */
const byTurns = market((cycle) => ({ end: cycle % 2 === 0 ? 0.03 : -0.06 }));
/** The first half wins, the second loses. */
const HALF = new Date(RECORDED_FROM + CYCLES * 50_000).toISOString().slice(11, 16);
const byHalf = market((cycle) => ({ end: cycle < CYCLES / 2 ? 0.03 : -0.03 }));

describe('a planted optimum is found of', () => {
  test('a stop that is wider than the dip and narrower than the loss', async () => {
    expect(await first(benchOf(byTurns), ['one.exits.stopLossPct=none,0.5,2'])).toBe('one.exits.stopLossPct=2');
  });

  test('rules that need each other: those that have no effect alone are not played', async () => {
    const study = await studyOf(benchOf(market(() => ({ end: 0.03, after: 0 }))), { players: here });
    const vary = ['one.exits.trailingPct=none,0.5', 'one.exits.activateAtPct=none,1'];
    const { ranking, played } = await sweep(study, { vary, random: undefined, seed: '1', by: 'netProfit' }, playing());
    expect(played.refused).toBe(1);
    expect(ranking.trials.map(({ params }) => paramsText(params))[0]).toBe('one.exits.trailingPct=0.5 one.exits.activateAtPct=1');
  });

  test('an amount, in the unit that it has: the largest that the order limit lets pass', async () => {
    const wins = market(() => ({ end: 0.03 }));
    expect(await first(benchOf(wins), ['one.amount=0.005,0.01,0.02,0.05'])).toBe('one.amount.base=0.02');
  });

  test('a limit: the spread above which cycles lose', async () => {
    const wide = market((cycle) => (cycle % 2 === 0 ? { end: 0.03 } : { end: -0.06, spread: 0.004 }));
    expect(await first(benchOf(wide), ['risk.maxSpreadPct=0.01,0.2,0.45,off'])).toBe('risk.maxSpreadPct=0.2');
  });

  test('an exit limit that follows the position limit goes on following it', async () => {
    const wins = market(() => ({ end: 0.03 }));
    expect(await first(benchOf(wins), ['risk.maxPositionValue=100,1500'])).toBe('risk.maxPositionValue=1500');
  });

  test('hours', async () => {
    const hours = ['none', `09:00-${HALF}`, `${HALF}-09:30`];
    expect(await first(benchOf(byHalf), [`one.windows.open=${hours.join(',')}`])).toBe(`one.windows.open=09:00-${HALF}`);
  });

  test('a schedule: the pause that comes before the losses', async () => {
    const line = 'schedule: [{ name: evening, cron: "59 23 * * *", action: bot.pause }]\n';
    const minute = Number(HALF.slice(3));
    const pauses = [1, minute, 19].map((at) => `${at} 9 * * *`);
    expect(await first(benchOf(byHalf, line), [`schedule.evening.cron=${pauses.join(',')}`])).toBe(
      `schedule.evening.cron=${minute} 9 * * *`,
    );
  });

  test('a budget: what the first order needs', async () => {
    const wins = market(() => ({ end: 0.03 }));
    const b = benchOf(wins, '', { budget: '{ usd: 10000 }' });
    expect(await first(b, ['one.budget.usd=100,1000'])).toBe('one.budget.usd=1000');
  });

  test('the weights of a model, which a parameter takes from one of several files', async () => {
    const imports = ['early', 'all'].map((name) => `import ${name} from './${name}.json' with { type: 'json' };\n`).join('');
    const source = CYCLE.replace('param.int(12, { min: 1, max: 12 })', "param.choice('all', ['early', 'all'])").replace(
      'n < cycles * 100',
      'n < { early, all }[cycles].weights[0] * 100',
    );
    const b = bench(
      `${strategyYaml({ use: 'cycle' })}${RISK}`,
      { seconds: CYCLES * 100, quotesPerSecond: 1, feePercentage: 0, top: byHalf },
      { cycle: imports + source },
    );
    for (const [name, weight] of [
      ['early', 6],
      ['all', 12],
    ] as const)
      writeFileSync(path.join(b.cwd, 'strategies', `${name}.json`), JSON.stringify({ weights: [weight] }));
    expect(await first(b, ['one.cycles=early,all'])).toBe('one.cycles=early');
  });

  test('settings that come to one backtest are one trial: what a stop that is off counts', async () => {
    const study = await studyOf(benchOf(byHalf), { players: here });
    const vary = ['one.exits.stopLossPct=none,2', 'one.exits.net=false,true'];
    const { ranking, played } = await sweep(study, { vary, random: undefined, seed: '1', by: 'netProfit' }, playing());
    expect(played).toMatchObject({ wanted: 3, finished: 3 });
    expect(new Set(ranking.trials.map(({ id }) => id)).size).toBe(3);
  });

  test('a parameter together with settings', async () => {
    const vary = ['one.cycles=6,12', 'one.exits.stopLossPct=none,2', 'backtest.slippagePct=0.05'];
    expect(await first(benchOf(byHalf), vary)).toBe('one.cycles=6 one.exits.stopLossPct=none backtest.slippagePct=0.05');
  });
});

describe('what counts', () => {
  const vary = ['one.cycles=1,2,6'];
  const luck = market((cycle) => ({ end: cycle === 0 ? 0.03 : 0.0001 - 0.001 * (cycle % 2) }));

  test('--min-trades: one lucky trade has no rank', async () => {
    expect(await first(benchOf(luck), vary)).toBe('one.cycles=1');
    expect(await first(benchOf(luck), vary, { minTrades: 2 })).toBe('one.cycles=2');
    expect(await first(benchOf(luck), vary, { minTrades: 7 })).toBe('none');
  });

  test("--objective: a function of one's own", async () => {
    const b = benchOf(luck);
    const file = path.join(b.cwd, 'objective.ts');
    writeFileSync(file, 'export default ({ trades, netProfit }: Record<string, number>) => trades * (netProfit > 0 ? 1 : -1);\n');
    expect(await first(b, vary, { objective: await objectiveIn(file) }, 'objective')).toBe('one.cycles=6');
    const study = await studyOf(b, { players: here, objective: await objectiveIn(file) });
    const wide = ['one.cycles=4..6:1', 'one.exits.stopLossPct=5..7:1'];
    const judged = await sweep(study, { vary: wide, random: undefined, seed: '1', by: 'objective' }, playing());
    expect(judged.first?.plateau, 'neighbours of 5 or 6 trades').toBeCloseTo(5 / 6, 9);
    writeFileSync(path.join(b.cwd, 'none.ts'), 'export const other = 1;\n');
    await expect(objectiveIn(path.join(b.cwd, 'none.ts'))).rejects.toThrow(/exports no function; export default \(figures\)/);
    await expect(objectiveIn(path.join(b.cwd, 'missing.ts'))).rejects.toThrow(/cannot be read/);
    writeFileSync(path.join(b.cwd, 'throws.ts'), 'export default () => { throw new Error("no"); };\n');
    await expect(first(b, vary, { objective: await objectiveIn(path.join(b.cwd, 'throws.ts')) }, 'objective')).rejects.toThrow(/throws no/);
  });
});

describe('what cannot be varied is named in one line', () => {
  test.each([
    [
      'one.exits.stopLosPct=1',
      /--vary one\.exits\.stopLosPct=1: one has no parameter exits\.stopLosPct; did you mean exits\.stopLossPct\?/,
    ],
    ['risk.maxSpread=1', /there is no setting risk\.maxSpread; did you mean maxSpreadPct\?/],
    ['risk.maxSpreadPct=200', /risk\.maxSpreadPct must be off or a number above 0 and at most 100, not 200/],
    ['risks.maxSpreadPct=1', /there is no strategy risks; did you mean risk\?/],
    ['one.amount=0', /one\.amount\.base must be a number above 0/],
    ['one.windows.open=9-10', /one\.windows\.open must be days and times such as/],
    ['schedule.evening.cron=0 9 * * *', /there is no setting schedule\.evening\.cron/],
    ['risk.maxSpreadPct', /says no range for it; write risk\.maxSpreadPct=FROM\.\.TO:STEP/],
    ['one.exits.activateAtPct=1', /one\.exits\.activateAtPct has no effect without trailingPct/],
  ])('%s', async (vary, why) => {
    await expect(first(benchOf(byHalf), [vary])).rejects.toThrow(why);
  });
});
