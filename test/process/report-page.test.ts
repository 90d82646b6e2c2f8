import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeReportPage } from '#assembly/reporting.ts';
import { writeComparison } from '#daemon/operations/report/compared-runs.ts';
import { seeded } from '#domain/seeded.ts';
import { comparedReport } from '#report/comparison/compared.ts';
import { comparisonOf } from '#report/comparison/comparison.ts';
import { reportJson } from '#report/json.ts';
import { reportPage } from '#report/page/page.ts';
import { foldsPage } from '#report/page/search-page.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { type Page, withPage } from '../support/browser.ts';
import { expectReadable, inThemeOfSystem } from '../support/readable.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;

/** Three months of a coin that trades twice a day, with names that would do harm if they were taken for markup. */
function lively(): RunReport {
  const random = seeded('page');
  let price = 60_000;
  const quotes = Array.from({ length: 90 * 24 }, (_, n) => {
    price *= 1 + (random.next() - 0.497) * 0.01;
    return { at: MONDAY + n * HOUR, buy: price * 1.0002, sell: price * 0.9998 };
  });
  const fills = Array.from({ length: 360 }, (_, n): FillParts => {
    const row = n * 6;
    const { at, buy, sell } = quotes[row] ?? { at: 0, buy: 0, sell: 0 };
    const buys = n % 2 === 0;
    const why = n % 6 === 1 ? '</script><img src=x onerror="window.harmed=1">' : 'fast below slow';
    // A month without a decision that names it, but for one.
    const signals = n < 120 || n === 180 || n >= 240 ? { fast: buy } : {};
    return { at, side: buys ? 'buy' : 'sell', price: buys ? buy : sell, size: 0.1, fee: 6, row, why, signals };
  });
  const flows = [
    { at: MONDAY, kind: 'opening', amount: 10_000 },
    { at: MONDAY + 20 * DAY, kind: 'deposit', amount: 5_000 },
  ] as const;
  const record = recordOf({ from: MONDAY, to: MONDAY + 90 * DAY, flows, fills, mode: 'backtest' });
  const latencies = [0, 50, 100, 250, 500, 1000].map((latencyMs) => ({ latencyMs, netProfit: 400 - latencyMs, trades: 180 }));
  return makeReport(record, [laneColumns(quotes, { size: 0.1, feePercentage: 0.1 })], { latencies });
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kairos-report-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(use: (page: Page) => Promise<void>): Promise<void> {
  const file = path.join(folder, 'report.html');
  writeReportPage(lively(), file);
  const url = pathToFileURL(file).href;
  await withPage(async (page) => {
    await page.size(1200, 900);
    await page.open(url);
    await use(page);
    expect(page.errors).toEqual([]);
    expect(page.requests.filter((one) => one !== url && !one.startsWith('data:'))).toEqual([]);
  });
}

const CELLS = (column: number): string =>
  `[...document.querySelectorAll('#trade-table tbody tr')].map((row) => Number(row.cells[${column}].textContent.replace(/[^-.0-9]/g, '')))`;

describe('the report in a real browser', { tags: 'chromium' }, () => {
  test('draws, asks for nothing, and takes no name for markup', async () => {
    await opened(async (page) => {
      expect(await page.value("document.querySelectorAll('.chart > svg').length")).toBe(5);
      expect(await page.value("document.querySelectorAll('.chart path').length")).toBeGreaterThan(200);
      expect(await page.value("[...document.querySelectorAll('svg *')].some((one) => /NaN|undefined/.test(one.outerHTML))")).toBe(false);
      // A line joins no values of a signal that it was not computed between.
      expect(await page.value("document.querySelector('[data-chart=price] path.sig0.thin').getAttribute('d').match(/M/g).length")).toBe(2);
      expect(await page.value("document.querySelectorAll('[data-chart=price] circle.sig0').length")).toBe(1);
      const marked = (from: string, to: string) =>
        page.value(`charts.timeTicks(Date.parse('${from}'), Date.parse('${to}'), 4).map(([, text]) => text)`);
      expect(await marked('2026-01-05', '2026-03-05'), 'one year').toEqual(['01-07', '01-22', '02-06', '02-21']);
      const years = (await marked('2025-01-05', '2026-11-23')) as string[];
      expect(
        years.map((text) => text.slice(0, 4)),
        'over a hole of years',
      ).toEqual(['2025', '2025', '2026', '2026']);
      expect(await page.value('window.harmed')).toBeUndefined();
      expect(await page.value("document.querySelectorAll('img').length")).toBe(0);
      expect(await page.value("document.body.innerText.includes('onerror')")).toBe(true);
    });
  });

  test('sorts and filters the trades, and says what is shown', async () => {
    await opened(async (page) => {
      expect(await page.value("document.getElementById('shown').textContent")).toMatch(/^180 of 180, profit /);
      expect(await page.value("document.querySelectorAll('#trade-table tbody tr').length")).toBe(25);
      for (const _ of [1, 2]) await page.value("document.getElementById('more').click()");
      expect(await page.value("document.querySelectorAll('#trade-table tbody tr').length")).toBe(180);
      await page.value("document.querySelectorAll('#trade-table th button')[9].click()");
      const profits = (await page.value(CELLS(9))) as number[];
      expect(profits).toEqual([...profits].sort((a, b) => b - a));
      expect(profits[0]).toBeGreaterThan(profits.at(-1) ?? 0);
      await page.value("document.querySelectorAll('#trade-table th button')[9].click()");
      expect(await page.value(CELLS(9))).toEqual([...profits].sort((a, b) => a - b));
      expect(await page.value("document.querySelectorAll('#trade-table th')[9].getAttribute('aria-sort')")).toBe('ascending');
      await page.value(
        "(() => { const f = document.getElementById('filter'); f.value = 'onerror'; f.dispatchEvent(new Event('input')); })()",
      );
      expect(await page.value("document.getElementById('shown').textContent")).toMatch(/^60 of 180, /);
    });
  });

  test('leads from a row of the trades to its place on the chart, and from a mark there to its row', async () => {
    await opened(async (page) => {
      const caption = "document.querySelector('[data-chart=price] .readout').textContent";
      const marks = "document.querySelectorAll('[data-chart=price] .live').length";
      const all = Number(await page.value(marks));
      await page.value("document.querySelectorAll('#trade-table tbody button')[3].click()");
      expect(await page.value("document.querySelectorAll('.trade').length")).toBe(1);
      expect(await page.value(caption)).toMatch(/^cross: 2026-04-0.* profit -?[\d.]+ usd to its row$/);
      expect(Number(await page.value(marks))).toBeLessThan(all / 4);
      await page.value(
        "[...document.querySelectorAll('[data-chart=price] .live')].at(-1).dispatchEvent(new MouseEvent('click', { bubbles: true }))",
      );
      expect(await page.value("document.querySelectorAll('.chosen-row').length")).toBe(1);
      await page.value("[...document.querySelectorAll('.tools button')].at(-1).click()");
      expect(await page.value(marks)).toBe(all);
      expect(await page.value("document.querySelectorAll('.trade').length")).toBe(0);
      // A time without quotes breaks the line, and nobody comes closer to it.
      await page.value('for (const one of Object.values(charts.data.prices[0].points)) if (Array.isArray(one)) one.fill(null, 400, 900)');
      const press = (place: number) => page.value(`[...document.querySelectorAll('.tools button')].at(${place}).click()`);
      const line = "document.querySelector('[data-chart=price] path.one').getAttribute('d')";
      await press(-1);
      expect(String(await page.value(line)).match(/M/g)).toHaveLength(2);
      for (let n = 0; n < 4; n++) await press(0);
      expect(String(await page.value(line)).match(/L/g)?.length).toBeGreaterThan(20);
    });
  });

  test('fits a phone and a screen, in light and dark, and is moved along by keys', async () => {
    await opened(async (page) => {
      await expectReadable(page, 'report', [390, 1280, 1600], inThemeOfSystem);
      const ground = 'getComputedStyle(document.body).backgroundColor';
      await page.size(1200, 844);
      const light = await page.value(ground);
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
      const dark = await page.value(ground);
      expect(dark).not.toBe(light);
      await page.value("document.getElementById('theme').click()");
      expect(await page.value(ground)).toBe(light);
      await page.value("document.querySelector('.chart > svg').focus()");
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'ArrowLeft', code: 'ArrowLeft', windowsVirtualKeyCode: 37 });
      expect(await page.value("document.querySelector('.readout').textContent")).toMatch(/^2026-04-0\d .* usd, its largest position held /);
    });
  });

  test('results side by side have their curves over each other, and fit a phone', async () => {
    const file = path.join(folder, 'both.html');
    const one = JSON.parse(JSON.stringify(reportJson(lively())));
    const other = { ...one, run: { ...one.run, startedAt: '2025-01-06T00:00:00.000Z' }, settings: { harm: '</script><img src=x>' } };
    writeComparison(comparisonOf([comparedReport('one.json', one), comparedReport('other.json', other)]), file);
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      expect(await page.value("document.querySelectorAll('[data-chart=curves] path[class^=run]').length")).toBe(4);
      expect(await page.value("document.querySelectorAll('img').length")).toBe(0);
      await page.value("document.getElementById('only').click()");
      expect(await page.value("[...document.querySelectorAll('.alike')].some((row) => row.checkVisibility())")).toBe(false);
      await expectReadable(page, 'comparison', [390, 1280], inThemeOfSystem);
      expect(page.errors).toEqual([]);
    });
  });

  test('a search has its heat map, whose parameters can be chosen, and its scatter, and fits a phone', async () => {
    const file = path.join(folder, 'sweep.html');
    const points = [5, 10, 20].flatMap((fast) =>
      [50, 100].flatMap((slow) =>
        [1, 2].map((stop) => ({ values: [fast, slow, stop], figures: [(fast - slow / 10) / stop], isRanked: true })),
      ),
    );
    const halves = [0.01, -0.02, 0.03].map((one, n) => ({ label: `trial ${n}`, inSample: one, outOfSample: -one, isChosen: n === 2 }));
    const search = {
      ...{
        summary: 'The best of 12 trials',
        parameters: ['cross.fast', 'cross.slow', 'cross.stop'],
        points,
        first: 0,
        plateau: 'A plateau.',
      },
      ...{ figures: [{ name: 'net profit', isShare: false }], luck: ['verdict: luck'] },
      halves: { x: 'first half', y: 'second half', points: halves, says: 'It says little.' },
    };
    const unranked = { ...search, points: points.map((one) => ({ ...one, isRanked: false })), first: null, plateau: null };
    const page = reportPage({ ...lively(), search: unranked });
    expect(page).toContain(
      '<p class="none">Nothing to draw: no trial can be ranked, since each failed, never traded or has no net profit in one currency.</p>',
    );
    expect(page).not.toContain('<figure class="chart" data-chart="heat">');
    expect(page).not.toContain('that stands first');
    writeReportPage({ ...lively(), search }, file);
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      expect(await page.value("document.querySelectorAll('.field').length")).toBe(6);
      expect(await page.value("document.querySelectorAll('.first-field').length")).toBe(1);
      expect(await page.value("document.querySelectorAll('[data-chart=scatter] circle').length")).toBe(3);
      await page.value(
        "(() => { const up = document.querySelectorAll('#heat-tools select')[1]; up.value = '2'; up.dispatchEvent(new Event('change')); })()",
      );
      expect(await page.value("[...document.querySelectorAll('.in-field')].map((one) => one.textContent).join(' ')")).toBe(
        '-2.5 -1.25 2.5 1.25 12.5 6.25',
      );
      await expectReadable(page, 'sweep-report', [390, 1280], inThemeOfSystem);
      expect(page.errors).toEqual([]);
    });
  });

  test('the chained tests of a walk-forward are one line through the ends of all days', async () => {
    const file = path.join(folder, 'folds.html');
    const equity = Array.from({ length: 35 }, (_, n) => ({ at: MONDAY + (n + 1) * DAY, value: 1 + n / 300 }));
    const view = { title: 'Walk-forward', summary: '', headlines: [], scatter: 'none', table: { head: [], rows: [] }, luck: [] };
    writeFileSync(file, foldsPage({ ...view, equity, from: MONDAY, to: MONDAY + 35 * DAY }));
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      const line = "document.querySelector('[data-chart=chained] path.sig0')?.getAttribute('d').replace(/[^ML]/g, '')";
      expect(await page.value(line)).toBe(`M${'L'.repeat(35)}`);
      expect(await page.value("document.querySelectorAll('[data-chart=chained] circle').length")).toBe(36);
      expect(page.errors).toEqual([]);
    });
  });

  test('its size is bounded, and a file that cannot be written is told in one line', () => {
    const report = lively();
    const file = path.join(folder, 'report.html');
    const [trade] = report.trades;
    const many = trade ? Array.from({ length: 50_000 }, () => trade) : [];
    writeReportPage({ ...report, trades: many }, file);
    expect(statSync(file).size).toBeLessThan(1_500_000);
    expect(readFileSync(file, 'utf8')).toContain('the newest 5000 of 50000');
    const nowhere = path.join(folder, 'none', 'report.html');
    expect(() => writeReportPage(report, nowhere)).toThrow(/cannot be written .*: name a file in a folder that exists/);
  });
});
