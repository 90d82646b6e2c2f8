import path from 'node:path';
import { expect, test } from 'vitest';
import { gapsBetween } from '#adapters/recording/between.ts';
import { lanesIn, recordingsIn } from '#adapters/recording/catalog.ts';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

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
    expect(report.tradedMs).toBe(recorded);
    const bought = report.orders[0]?.filledAt ?? 0;
    expect(metricIn(report.sections, 'exposure')).toBeCloseTo((recorded - (bought - from)) / recorded, 9);
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
