import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gapsBetween } from '#adapters/recording/between.ts';
import { lanesIn, recordingsIn } from '#adapters/recording/catalog.ts';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';
import { DAY, laneColumns, MONDAY, recordOf } from '../../support/report-data.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF, ofKind, sessionOf } from './session-bench.ts';

/** Buys at its first quote, and says at each 50th since its signals began how many it has seen. */
const COUNTS = `import { buy, hold, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'counts',
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n)),
  decide: (n, { position, amount }) => (position.isFlat ? buy(amount, 'in') : n % 50 === 0 ? hold('seen ' + n) : undefined),
});
`;

const MINUTE = 60_000;
/** Two recordings of a minute each, and 37 minutes between them of which nothing was recorded. */
const SECOND = RECORDED_FROM + 38 * MINUTE;

test('a hole between two recordings ends what signals saw, and no share of time counts it', async () => {
  const b = bench(`${strategyYaml({ use: 'counts' })}${OFF}backtest: { latency: 20 }\n`, { seconds: 60 }, { counts: COUNTS });
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['btcusd 0.01'], seconds: 60, from: SECOND });
  const said: (readonly string[])[] = [];
  for (const everyQuote of [false, true]) {
    const session = await b.open({ everyQuote });
    const run = session.play();
    const holds = ofKind(run, 'hold').filter(({ detail }) => detail.why.startsWith('seen '));
    said.push(holds.map(({ at, detail }) => `${at < SECOND ? 'before' : 'after'} ${detail.why}`));
    const report = reportOfBacktest(session, run, { curve: undefined });
    const [from, to] = [run.startedAt, run.endedAt];
    if (typeof report.equity === 'string') throw new Error(report.equity);
    const [hole] = report.equity.unrecorded;
    // Two quotes a second: the last one of the first minute comes half a second before its end.
    expect(report.equity.unrecorded).toHaveLength(1);
    expect(Math.abs((hole?.to ?? 0) - (hole?.from ?? 0) - 37 * MINUTE)).toBeLessThan(1000);
    const recorded = to - from - ((hole?.to ?? 0) - (hole?.from ?? 0));
    expect(Math.abs(recorded - 2 * MINUTE)).toBeLessThan(2000);
    expect(report.tradedMs).toBe(to - from);
    const bought = report.orders[0]?.filledAt ?? 0;
    expect(metricIn(report.sections, 'exposure')).toBeCloseTo((recorded - (bought - from)) / recorded, 9);
    expect(metricIn(report.sections, 'days')).toBeCloseTo((to - from) / DAY, 12);
    expect(metricIn(report.sections, 'silences')).toBe(0);
    expect(report.headlines.filter(({ code }) => code === 'UNRECORDED').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^nothing was recorded for 37 min/),
    ]);
  }
  // 120 quotes of each minute: signals count from 0 again behind the hole.
  expect(said[0]).toEqual(['before seen 50', 'before seen 100', 'after seen 0', 'after seen 50', 'after seen 100']);
  expect(said[1]).toEqual(said[0]);
  const gaps = gapsBetween(recordingsIn(path.join(b.cwd, 'recordings')).flatMap(lanesIn));
  expect(gaps).toMatchObject([{ run: 'run-1 to run-2', lane: 'all lanes' }]);
});

test('a year of what was recorded eight hours a day is a year of the calendar, since a position earns by night as well', () => {
  const HOUR = 60 * MINUTE;
  const days = Array.from({ length: 100 }, (_, day) => day);
  const points = days.flatMap((day) => [0, 4, 8].map((hour) => ({ at: MONDAY + day * DAY + hour * HOUR, buy: 100 + day / 10 })));
  const columns = laneColumns(points);
  for (const row of points.keys()) columns.line[row] = (row % 3) + 1;
  const [from, to] = [MONDAY, MONDAY + 99 * DAY + 8 * HOUR];
  const fills = [{ at: from, side: 'buy', price: 100 }] as const;
  const { equity, sections } = makeReport(recordOf({ from, to, flows: [{ at: from, kind: 'opening', amount: 100 }], fills }), [columns]);
  if (typeof equity === 'string') throw new Error(equity);
  expect(equity.unrecorded).toHaveLength(99);
  const calendar = (to - from) / DAY;
  const cagr = 1.099 ** (365 / calendar) - 1;
  expect(metricIn(sections, 'days')).toBeCloseTo(calendar, 12);
  expect(metricIn(sections, 'cagr')).toBeCloseTo(cagr, 9);
  expect(metricIn(sections, 'exposure')).toBe(1);
});

/**
 * Minute bars of three days from 8 to 18, Monday and Wednesday in a file each, Tuesday in two without 10 to 12. The market is closed by night, and
 * open from 10 to 12 on Monday and Wednesday: 2 of 3 * 10 + 2 * 14 hours were not recorded.
 */
test('between imports a hole is what was not recorded while the market is open, and not its night', async () => {
  const cwd = folder();
  mkdirSync(path.join(cwd, 'strategies'));
  writeFileSync(path.join(cwd, 'strategies', 'counts.ts'), COUNTS);
  const out = path.join(cwd, 'recordings');
  const names = { lane: laneFor(productCode('btcusd'), amountOf({ base: '1' })), baseCcy: currency('btc'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  const spans = ['05T08 05T18', '06T08 06T10', '06T12 06T18', '07T08 07T18'].map((text) =>
    text.split(' ').map((at) => Date.parse(`2026-01-${at}:00:00Z`)),
  );
  for (const [place, [from = 0, to = 0]] of spans.entries()) {
    const rows = Array.from({ length: (to - from) / MINUTE }, (_, n) => `${from + n * MINUTE},100,101,99,100\n`);
    const file = path.join(cwd, `${place}.csv`);
    writeFileSync(file, `time,open,high,low,close\n${rows.join('')}`);
    await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 0, out });
  }
  const yaml = `${strategyYaml({ use: 'counts', amount: '{ base: 1 }' })}${OFF}backtest: { latency: 20 }\nrecording: { dir: recordings }\njournal: { path: kairos.db }\n`;
  const session = await sessionOf(configOf(yaml, { cwd }), cwd);
  const run = session.play();
  const report = reportOfBacktest(session, run, { curve: undefined });
  if (typeof report.equity === 'string') throw new Error(report.equity);
  expect(report.equity.unrecorded.map(({ from, to }) => [isoTime(from), isoTime(to)])).toEqual([
    ['2026-01-06T10:00:00.000Z', '2026-01-06T12:00:00.000Z'],
  ]);
  expect(report.tradedMs).toBe((3 * 10 + 2 * 14) * 60 * MINUTE);
  const anew = ofKind(run, 'hold').filter(({ detail }) => detail.why === 'seen 0');
  expect(anew.map(({ at }) => isoTime(at))).toEqual(['2026-01-06T12:01:00.000Z']);
  const gaps = gapsBetween(recordingsIn(out).flatMap(lanesIn)).map(({ seconds }) => seconds / 3600);
  expect(gaps).toEqual([14, 2, 14]);
});
