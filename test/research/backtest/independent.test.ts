import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { configOf, folder } from '../../config/support.ts';
import { sessionOf } from './session-bench.ts';

/** Real one-minute bars beside the checkout, which do not belong to the project. CI must have them. */
const BARS = fileURLToPath(new URL('../../../../shared/data/candles_eurusd_oanda_1m_expected.csv.gz', import.meta.url));
const atHand = existsSync(BARS) || process.env.CI !== undefined;
const title = `figures of real bars are those of a computation in pandas${atHand ? '' : ' (skipped: no ../shared/data beside the checkout)'}`;
if (!atHand) console.warn(title);

/**
 * Computed in Python with pandas, numpy and scipy from the exported fills and round trips (`kairos export`) and the file's prices alone. Equity `e`:
 * 10,000 less fills and fees, and what is held at its closing side, at each bar and behind each fill. `r`: e at midnight over e at the midnight
 * before, less 1, of 45 days. `h`: the same of 10,000 / (first ask * 1.00002) euros. `p`: profit of each round trip.
 */
const COMPUTED = {
  netProfit: -41.8144218000034,
  maxDrawdown: 0.004673344571567539, // max(1 - e / cummax(e))
  exposure: 0.9844906893004115, // time between fills at which a position is held
  sharpe: -9.077167230137142, // mean(r) / std(r, ddof=1) * sqrt(365)
  sortino: -8.951698699296527, // mean(r) / sqrt(sum(min(r, 0) ** 2) / 45) * sqrt(365)
  calmar: -7.150376054936672, // ((e[-1] / 10000) ** (365 / 45) - 1) / maxDrawdown
  betaToHold: -0.011861737212611552, // cov(r, h) / var(h)
  alphaToHold: -0.035044822025919437, // (mean(r) - beta * mean(h)) * 365
  informationRatio: 1.8456285242924868, // mean(r - h) / std(r - h, ddof=1) * sqrt(365)
  var95: 0.0003976920626413749, // -quantile(r, 0.05)
  psr: 0.0006981105601750483, // norm.cdf(sr * sqrt(44) / sqrt(1 - skew * sr + (kurtosis - 1) / 4 * sr ** 2))
  skew: -0.40654557447064205, // scipy.stats.skew(r, bias=False)
  kurtosis: 1.0703898078684846, // scipy.stats.kurtosis(r, bias=False)
  holdReturn: -0.011072649193100692,
  holdSizeReturn: -0.0015357739400000403, // 1,000 euros from the first ask to the last bid, and one fee
  trades: 225,
  won: 54,
  profitFactor: 0.5188109591167407, // p[p > 0].sum() / -p[p < 0].sum()
  sqn: -2.8956232267717135, // sqrt(225) * mean(p / stake) / std(p / stake, ddof=1)
  mae: 0.0003413432594558172, // mean of the worst of 1 - closing price / entry, from the standing bar to the exit
  volume: 623221.09,
  spreadCost: 27.829999999997106, // half of ask - bid of the bar that was ordered on, times size
  feeCost: 12.4644218,
  slippageCost: 0,
};

test.runIf(atHand)(title, async () => {
  const cwd = folder();
  const [, ...rows] = gunzipSync(readFileSync(BARS)).toString().trim().split('\n');
  const begin = Number(rows[0]?.split(',')[0]);
  // Each minute takes three, so that fifteen days become 45.
  const slow = rows.map((row) => row.replace(/^\d+/, (at) => String(begin + (Number(at) - begin) * 3)));
  const file = path.join(cwd, 'bars.csv');
  writeFileSync(file, `time,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close\n${slow.join('\n')}\n`);
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1000, feePercentage: 0.002, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  await importFile({ file, map: { unit: 'auto' }, ticks, out: path.join(cwd, 'recordings') });
  const config = configOf(
    `strategies: [{ id: sma, use: sma-cross, product: eurusd, amount: { base: 1000 }, params: { fast: 20, slow: 100 } }]
account: { allowShort: [eurusd] }
backtest: { latency: 100 }
recording: { dir: recordings }
journal: { path: kairos.db }
`,
    { cwd },
  );
  const session = await sessionOf(config, cwd);
  const { sections } = reportOfBacktest(session, session.play(), { curve: undefined });
  for (const [id, value] of Object.entries(COMPUTED)) expect(metricIn(sections, id), id).toBeCloseTo(value, 8);
});
