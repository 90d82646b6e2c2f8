import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { isoTime } from '#domain/names.ts';
import { idAt, quoteAt } from '#domain/quote-columns.ts';
import { metricIn } from '#report/figures.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { curveHeadlines, curveOf, netProfitOf } from '#research/backtest/curve.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { saveRun } from '#research/backtest/save-run.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, dumpOf, OFF, ofKind } from './session-bench.ts';

const eager = (more: Readonly<Record<string, string>> = {}, rest = ''): string =>
  `${strategyYaml({ use: 'eager', ...more })}${OFF}backtest: { latency: 20 }\n${rest}`;

describe('fills', () => {
  test('are at the recorded quote of the lane and size, and said to be exact', async () => {
    const session = await bench(eager()).open();
    const run = session.play();
    const [lane] = session.data.columns;
    if (!lane) throw new Error('no lane');
    const byId = new Map(Array.from({ length: lane.length }, (_, row) => [idAt(lane, row), row]));
    const accepted = ofKind(run, 'accepted');
    expect(accepted.length).toBeGreaterThan(50);
    for (const { quoteId, detail } of accepted) {
      const quote = quoteAt(lane, byId.get(quoteId) ?? -1);
      expect(Number(detail.fill.price)).toBe(quote[detail.fill.side].price);
      expect(JSON.parse(detail.body)).toMatchObject({ fill: 'exact' });
      expect(detail.roundTripMs).toBe(40);
    }
    const { shares, orders } = outcomeOf(run);
    expect(shares).toMatchObject({ fills: accepted.length, exact: accepted.length, modelled: 0 });
    expect(orders).toEqual({ accepted: accepted.length });
  });

  test('of a size that was not recorded are modelled, between those that were', async () => {
    const session = await bench(
      eager({ amount: '{ base: 2 }' }, 'account: { opening: { usd: 1000000 } }\n')
        .replace(
          'risk: {',
          'risk: { maxOrderValue: off, maxPositionValue: off, maxStrategyValue: off, maxTotalValue: off, maxDayValue: off,',
        )
        .replace('amount: { base: 2 }', 'amount: { base: 2 }\n    budget: { usd: 900000 }'),
      {
        lanes: ['btcusd 1', 'btcusd 4'],
      },
    ).open();
    const run = session.play();
    const { shares } = outcomeOf(run);
    expect(shares.fills).toBeGreaterThan(20);
    expect(shares).toMatchObject({ exact: 0, modelled: shares.fills });
    const [one, four] = session.data.columns;
    const [first] = ofKind(run, 'accepted');
    const price = Number(first?.detail.fill.price);
    expect(price).toBeGreaterThan(one?.buy.price[0] ?? 0);
    expect(price).toBeLessThan(four?.buy.price[0] ?? 0);
  });

  test('of odd sizes come by a lent lane, as live', async () => {
    const half = `import { buy, close, strategy } from 'kairos/strategy';
export default strategy({
  name: 'half',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.size > 0.008 ? close(50, 'half') : position.isFlat ? buy(amount, 'in') : undefined),
});
`;
    const run = (await bench(eager({ use: 'half' }), {}, { half }).open()).play();
    const fills = ofKind(run, 'accepted').map(({ detail }) => [detail.fill.size, JSON.parse(detail.body).fill]);
    expect(fills.slice(0, 2)).toEqual([
      ['0.01', 'exact'],
      ['0.005', 'modelled'],
    ]);
  });
});

describe('latency', () => {
  test('at which trading stopped says so with its cause, beside those at which it went on', async () => {
    const session = await bench(eager().replace('risk: {', 'risk: { minTimeLeftMs: off,'), { validityMs: 800 }).open();
    const points = [900, 0].map((latencyMs) => {
      const run = session.play(latencyMs);
      return { latencyMs, outcome: outcomeOf(run), netProfit: 0, headlines: backtestHeadlines(session, run).map(({ text }) => text) };
    });
    const curve = curveOf(points, 'usd');
    expect(curve.points.map(({ outcome }) => outcome.reducing?.reason)).toEqual([undefined, 'REJECTION_STREAK']);
    const lines = curveHeadlines(curve);
    expect(lines).toContainEqual(expect.stringMatching(/^at 0 ms: BACKTEST {2}100\.0 % exact fills/));
    expect(lines).toContainEqual(expect.stringMatching(/^at 900 ms: BACKTEST {2}nothing was executed$/));
    expect(lines).toContainEqual(expect.stringMatching(/^at 900 ms: REDUCING, only exits pass, at .* \(REJECTION_STREAK\)$/));
  });

  test('decides which quote is alive on arrival: late is rejected, as live', async () => {
    const session = await bench(eager(), { validityMs: 800 }).open();
    const [quick, late] = [session.play(100), session.play(900)].map(outcomeOf);
    expect(quick?.orders).toEqual({ accepted: quick?.shares.fills });
    expect(late?.orders.accepted).toBeUndefined();
    expect(late?.orders.rejected).toBeGreaterThan(0);
    const rejected = ofKind(session.play(900), 'rejected')[0];
    expect(rejected?.detail).toMatchObject({ httpStatus: 422, body: expect.stringContaining('QUOTE_EXPIRED') });
  });

  test('an answer that takes too long makes the order unknown, and settles it when it comes', async () => {
    const session = await bench(`${eager()}service: { answerMs: 500 }\n`).open();
    const run = session.play(400);
    const [unknown, accepted] = [ofKind(run, 'unknown')[0], ofKind(run, 'accepted')[0]];
    expect(unknown?.reason).toBe('NO_ANSWER');
    expect(accepted).toMatchObject({ reason: 'LATE_ANSWER', orderId: unknown?.orderId });
    expect((accepted?.at ?? 0) - (unknown?.at ?? 0)).toBe(300);
  });

  test('several latencies make a curve, and the profit ends where a line through it does', async () => {
    const session = await bench(eager()).open();
    const points = [250, 0].map((latencyMs) => {
      const run = session.play(latencyMs);
      return { latencyMs, outcome: outcomeOf(run), netProfit: netProfitOf(session, run, 'usd'), headlines: [] };
    });
    const curve = curveOf(points, 'usd');
    expect(curve.points.map(({ latencyMs }) => latencyMs)).toEqual([0, 250]);
    expect(curve.points.map(({ netProfit }) => netProfit)).toEqual(
      curve.points.map(({ outcome }) => expect.closeTo(Number(outcome.net.usd), 6)),
    );
    const at = (...profits: readonly number[]) =>
      curveOf(
        profits.map((netProfit, n) => ({ latencyMs: 100 * n, outcome: outcomeOf(session.play(0)), netProfit, headlines: [] })),
        'usd',
      ).breakEvenMs;
    expect(at(10, 5, -5)).toBe(150);
    expect(at(-1, 5)).toMatch(/^n\/a: there is no profit at 0 ms/);
  });
});

describe('the world around is as live', () => {
  test('I25 the same inputs give the same canonical dump; equal times keep their order', async () => {
    const b = bench(
      `${strategyYaml({ use: 'coin-flip', params: '{ seed: 3, everySeconds: 2 }' })}  - { id: two, use: eager, product: ethusd, amount: { base: 0.1 } }
${OFF}backtest: { latency: [10, 400] }\n`,
      { lanes: ['btcusd 0.01', 'ethusd 0.1'] },
    );
    const sessions = [await b.open(), await b.open()];
    const [first, second] = sessions.map((session, index) => dumpOf(session, session.play(), path.join(b.cwd, `${index}.db`)));
    expect(first?.length).toBeGreaterThan(300);
    expect(second).toEqual(first);
    expect(verifyJournal(path.join(b.cwd, '0.db'))).toMatchObject({ ok: true });
    const run = sessions[0]?.play();
    const lanes = run && ofKind(run, 'approved').map(({ at, detail }) => [at, detail.order.lane]);
    const both = lanes?.filter(([at]) => lanes.filter(([other]) => other === at).length === 2).map(([, lane]) => lane);
    expect(both?.slice(0, 2)).toEqual(['btcusd@base:0.01', 'ethusd@base:0.1']);
  });

  test('F21 a lane that fell silent is stale: two quotes close together bring it back', async () => {
    const run = (await bench(eager(), { silent: [30, 60] }).open()).play();
    const refused = ofKind(run, 'refused').filter(({ reason }) => reason === 'LANE_STALE');
    expect(refused.map(({ at }) => at - RECORDED_FROM)).toContain(60_000);
    expect(ofKind(run, 'approved').some(({ at }) => at === RECORDED_FROM + 60_500)).toBe(true);
  });

  test('a lane that stays silent is no row: nobody waits at a backtest', async () => {
    const run = (await bench(eager(), { silent: [30, 90] }).open()).play();
    expect(ofKind(run, 'blocked')).toEqual([]);
  });

  test('the schedule fires at its own times, and rxjs time runs on engine time', async () => {
    const ticking = `import { buy, every, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'ticking',
  signals: (market) => market.every('10s'),
  decide: (_tick, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
});
`.replace('every, ', '');
    const schedule = 'schedule: [{ name: noon, cron: "1 9 * * *", action: bot.pause }]\n';
    const run = (await bench(eager({ use: 'ticking' }, schedule), {}, { ticking }).open()).play();
    const [action] = ofKind(run, 'action');
    expect(action?.detail).toMatchObject({ name: 'noon', dueAt: isoTime(RECORDED_FROM + 60_000), status: 'confirmed' });
    const openings = ofKind(run, 'approved').map(({ at }) => at - RECORDED_FROM);
    expect(openings.slice(0, 3)).toEqual([10_000, 20_000, 30_000]);
    expect(ofKind(run, 'refused').some(({ reason, at }) => reason === 'PAUSED' && at > RECORDED_FROM + 60_000)).toBe(true);
  });

  test('inputs that are only looked at come as they were recorded, and one that was not is told', async () => {
    const looking = `import { basic, buy, strategy } from 'kairos/strategy';
export default strategy({
  name: 'looking',
  inputs: { ref: basic() },
  signals: ({ inputs }) => inputs.ref,
  decide: ({ price }, { position, amount }) => (position.isFlat ? buy(amount, 'at ' + price) : undefined),
});
`;
    const yaml = eager({ use: 'looking', inputs: '{ ref: { product: ethusd } }' });
    const session = await bench(yaml, { basic: ['ethusd'] }, { looking }).open();
    expect(ofKind(session.play(), 'intent')[0]?.detail.why).toMatch(/^at 26\d\d/);
    const blind = await bench(yaml, {}, { looking }).open();
    expect(blind.remarks).toEqual(['the recording has nothing of the input ethusd@BASIC: it brings no values']);
    expect(ofKind(blind.play(), 'intent')).toEqual([]);
  });

  test('a halt ends the backtest or leaves it without orders, as configured, and is told', async () => {
    const both = `${strategyYaml({ use: 'eager' })}  - { id: two, use: eager, product: ethusd, amount: { base: 0.1 } }
${OFF}service: { answerMs: 100 }\n`;
    const recording = { lanes: ['btcusd 0.01', 'ethusd 0.1'], seconds: 60 };
    const halting = await bench(`${both}backtest: { latency: 60 }\n`, recording).open();
    const ended = halting.play();
    expect(outcomeOf(ended).halted).toMatchObject({ reason: 'MAX_UNKNOWN' });
    expect(ended.quotes).toBeLessThan(10);
    expect(metricIn(reportOfBacktest(halting, ended, { curve: undefined }).sections, 'quotes')).toBe(ended.quotes);
    const went = (await bench(`${both}backtest: { latency: 60, onHalt: continue }\n`, recording).open()).play();
    expect(went).toMatchObject({ quotes: 240, halted: true });
    expect(ofKind(went, 'approved')).toHaveLength(2);
  });

  test('deposits are booked at their time, and are no profit', async () => {
    const b = bench(eager().replace('latency: 20', 'latency: 20, deposits: flows.csv'));
    const file = path.join(b.cwd, 'flows.csv');
    writeFileSync(file, `time,currency,amount\n${isoTime(RECORDED_FROM + 30_000)},usd,500\n${RECORDED_FROM + 40_000},usd,-200.5\n`);
    const run = (await b.open()).play();
    const booked = ofKind(run, 'booked').filter(({ detail }) => detail.who === 'backtest');
    expect(booked.map(({ at, detail }) => [at - RECORDED_FROM, detail.entries])).toEqual([
      [30_000, [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '500' }]],
      [40_000, [{ kind: 'withdrawal', book: 'treasury', currency: 'usd', amount: '-200.5' }]],
    ]);
    const unplayed = async (...times: readonly number[]) => {
      writeFileSync(file, `time,currency,amount\n${times.map((at) => `${RECORDED_FROM + at},usd,1\n`).join('')}`);
      const session = await b.open();
      const booked = ofKind(session.play(), 'booked').filter(({ detail }) => detail.who === 'backtest');
      return [
        booked.length,
        session.headlines.filter(({ text }) => text.startsWith('backtest.deposits')).map(({ level, text }) => [level, text]),
      ];
    };
    expect(await unplayed(-86_400_000, 0, 60_000, 86_400_000)).toEqual([
      2,
      [['warning', 'backtest.deposits: 2 of 4 rows are outside of the time that is played, and are not booked']],
    ]);
    expect(await unplayed(0, 60_000)).toEqual([2, []]);
    const faults: [string, RegExp][] = [
      ['when,what\n', /flows\.csv:1: the first line must be/],
      ['time,currency,amount\nsoon,usd,5\n', /flows\.csv:2: "soon" is no time/],
      ['time,currency,amount\n202602301200,usd,5\n', /flows\.csv:2: "202602301200" is no time/],
      ['time,currency,amount\n2026-02-30T09:00:00Z,usd,5\n', /flows\.csv:2: "2026-02-30T09:00:00Z" is no time/],
      ['time,currency,amount\n2026-01-05T00:00:00Z,USD,5\n', /"USD" is no currency/],
      ['time,currency,amount\n2026-01-05T00:00:00Z,usd,0\n', /"0" is no amount/],
      ['time,currency,amount\n2026-01-05T00:00:00Z,usd,5,6\n', /"5,6" is no amount/],
    ];
    for (const [text, why] of faults) {
      writeFileSync(file, text);
      await expect(b.open()).rejects.toThrow(why);
    }
  });
});

test('what was recorded of products that nobody trades is no part of it', async () => {
  const b = bench(eager());
  syntheticRecording({ dir: b.dir, run: 'run-0', lanes: ['ethusd 0.1'], seconds: 60, from: RECORDED_FROM - 600_000 });
  const session = await b.open();
  expect(session.from).toBe(RECORDED_FROM);
  expect(session.columns.map(({ product }) => product)).toEqual(['btcusd']);
  expect(outcomeOf(session.play()).from).toBe(isoTime(RECORDED_FROM));
});

describe('what cannot be played is told in one line', () => {
  test('no recording, no quotes of the time or product, a journal that is there already', async () => {
    const b = bench(eager());
    await expect(b.open({ data: path.join(b.cwd, 'nowhere') })).rejects.toThrow(/not a folder of recordings/);
    await expect(b.open({ data: path.join(b.cwd, 'strategies') })).rejects.toThrow(/holds no recording yet/);
    await expect(b.open({ from: Date.UTC(2030, 0, 1), to: Date.UTC(2031, 0, 1) })).rejects.toThrow(
      /holds no quotes of btcusd from 2030-01-01T00:00:00.000Z to 2031-01-01T00:00:00.000Z; it holds btcusd from 2026-01-05T\S+ to 2026-01-05T\S+: check --data, --from and --to/,
    );
    await expect(b.open({ from: RECORDED_FROM + 1, to: RECORDED_FROM })).rejects.toThrow(
      /--to 2026-01-05T\S+ must be later than --from 2026-01-05T/,
    );
    const other = bench(eager({ product: 'ethusd', amount: '{ base: 0.1 }' }));
    await expect(other.open()).rejects.toThrow(/holds no quotes of ethusd; it holds btcusd from 2026-01-05T\S+ to \S+: check --data$/);
    const good = await b.open();
    const run = good.play();
    const file = path.join(b.cwd, 'kept.db');
    saveRun(good.config, run, file);
    expect(() => saveRun(good.config, run, file)).toThrow(/kept\.db is there already/);
    expect(verifyJournal(file)).toMatchObject({ ok: true });
    expect(readdirSync(b.cwd).filter((name) => name.startsWith('kept.db'))).toEqual(['kept.db']);
    // An earlier version, or a daemon, left its mark there.
    rmSync(file);
    writeFileSync(`${file}.mark`, '{"seq":1000000,"hash":"of rows that are gone"}');
    saveRun(good.config, run, file);
    expect(verifyJournal(file)).toMatchObject({ ok: true });
    const half = path.join(b.cwd, 'half.db');
    const twice = { ...run, decisions: [...run.decisions, ...run.decisions] };
    expect(() => saveRun(good.config, twice, half)).toThrow(/could not commit|earlier order/);
    expect(readdirSync(b.cwd).filter((name) => name.startsWith('half.db'))).toEqual([]);
    await expect(b.open({ against: 'last' })).rejects.toThrow(/there is no journal at/);
  });

  test('only the asked time is played, over several runs whose subscriptions have the same numbers', async () => {
    const b = bench(eager());
    syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['btcusd 0.01'], seconds: 60, from: RECORDED_FROM + 600_000, seed: 'other' });
    const session = await b.open({ from: RECORDED_FROM + 60_000, to: RECORDED_FROM + 630_000 });
    const run = session.play();
    expect(run.quotes).toBe(120 + 60);
    expect(ofKind(run, 'approved').some(({ at }) => at > RECORDED_FROM + 600_000)).toBe(true);
    expect(session.data.runs).toEqual(['run-1', 'run-2']);
  });

  test('a recording is named by its path, by its run, or as the last run', async () => {
    const b = bench(eager());
    for (const run of ['20260101T000000Z-aaaaaa', '20260102T000000Z-bbbbbb', 'imported'])
      syntheticRecording({ dir: b.dir, run, lanes: ['btcusd 0.01'], seconds: 60 });
    const runsOf = async (data: string) => (await b.open({ data })).data.runs;
    expect(await runsOf('last')).toEqual(['20260102T000000Z-bbbbbb']);
    expect(await runsOf('20260101T000000Z-aaaaaa')).toEqual(['20260101T000000Z-aaaaaa']);
    expect(await runsOf(path.join(b.dir, 'imported'))).toEqual(['imported']);
  });
});
