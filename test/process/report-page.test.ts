import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReportPage } from '#assembly/reporting.ts';
import { writeComparison } from '#daemon/operations/report/compared-runs.ts';
import { seeded } from '#domain/seeded.ts';
import { comparedReport } from '#report/comparison/compared.ts';
import { comparisonOf } from '#report/comparison/comparison.ts';
import { reportJson } from '#report/json.ts';
import { reportPage } from '#report/page/page.ts';
import { foldsPage } from '#report/page/search-page.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { endBrowser, type Page, withPage } from '../support/browser.ts';
import { folderOfTests } from '../support/folder.ts';
import { expectReadable, inThemeOfSystem, WIDTHS } from '../support/readable.ts';
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

const report = lively();
const folder = folderOfTests();
const url = pathToFileURL(path.join(folder, 'lively.html')).href;
beforeAll(() => writeReportPage(report, fileURLToPath(url)));
afterAll(endBrowser);

async function opened(use: (page: Page) => Promise<void>, before = ''): Promise<void> {
  await withPage(async (page) => {
    await page.size(1200, 900);
    if (before !== '') await page.send('Page.addScriptToEvaluateOnNewDocument', { source: before });
    await page.open(url);
    await use(page);
    expect(page.errors).toEqual([]);
    expect(page.requests.filter((one) => one !== url && !one.startsWith('data:'))).toEqual([]);
  });
}

const CELLS = (column: number): string =>
  `[...document.querySelectorAll('#trade-table tbody tr')].map((row) => Number(row.cells[${column}].textContent.replace('\u2212', '-').replace(/[^-.0-9]/g, '')))`;
const ROWS = "document.querySelectorAll('#trade-table tbody tr').length";
const SHOWN = "document.getElementById('shown').textContent";
/** A chart of the library that has drawn. */
const DRAWN = (chart: string): string => `document.querySelector('[data-chart=${chart}] .chart canvas')?.width > 100`;
const LEGEND = (chart: string): string => `document.querySelector('[data-chart=${chart}] :is(.legend-values, .market-legend)').innerText`;

const OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true";

describe('the report in a real browser', { tags: 'chromium' }, () => {
  test('draws, asks for nothing, and takes no name for markup', async () => {
    await opened(async (page) => {
      for (const chart of ['equity', 'price']) await page.until(`a chart of ${chart}`, DRAWN(chart));
      const says = "[...document.querySelectorAll('.chart, .drawing svg')].map((one) => one.getAttribute('aria-label'))";
      expect(await page.value(says)).toEqual([
        'Growth of the initial capital, at the end 8,849.06\u00a0usd, and its drawdown.',
        expect.stringMatching(/^Prices of btcusd: now 60,319.*, from 58,0.* to 69,0.* 360 fills, 0 round trips, 0 refusals\.$/),
        'profits of trades by size',
        'net profit against latency',
      ]);
      await page.until('the last values', `${LEGEND('equity')}.includes('drawdown')`);
      expect(await page.value(LEGEND('equity'))).toMatch(
        /the run 8,849\.06\susd\s+as much as its largest position, bought and held 10,0.*\susd\s+drawdown \u221211\.51\s%/,
      );
      expect(await page.value("[...document.querySelectorAll('svg *')].some((one) => /NaN|undefined/.test(one.outerHTML))")).toBe(false);
      expect(await page.value('window.harmed')).toBeUndefined();
      expect(await page.value("document.querySelectorAll('img').length")).toBe(0);
      expect(await page.value("document.body.innerText.includes('onerror')")).toBe(true);
    });
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])('at %i x %i the first screen has the name, the key figures and the begin of the curve', async (width, height) => {
    await opened(async (page) => {
      await page.size(width, height);
      await page.until('a chart of equity', DRAWN('equity'));
      expect(await page.value("document.querySelector('h1').firstChild.textContent.trim()")).toBe('cross on btcusd');
      const tiles = "[...document.querySelectorAll('.tile')]";
      expect(await page.value(`${tiles}.map((one) => one.firstElementChild.innerText)`)).toEqual([
        ...['return', 'net profit', 'max drawdown', 'Sharpe ratio', 'profit factor', 'win rate', 'costs', 'trades'],
      ]);
      expect(await page.value(`${tiles}.every((one) => one.getBoundingClientRect().bottom < innerHeight)`)).toBe(true);
      expect(await page.value("document.querySelector('[data-chart=equity] .chart').getBoundingClientRect().top < innerHeight")).toBe(true);
      expect(await page.value("document.querySelector('.summary b').className"), 'a loss in its colour').toBe('down');
      const above = "document.querySelector('header').innerText";
      expect(await page.value(above), 'no stamps and hashes').not.toMatch(/\dT\d\d:|configuration|run-1/);
      expect(await page.value("document.querySelector('#provenance').textContent")).toMatch(/run-1[\s\S]*2026-01-05T00:00:00.000Z/);
    });
  });

  test('the drawdown has a scale in percent', async () => {
    const listen =
      'globalThis.written = new Set(); const fill = CanvasRenderingContext2D.prototype.fillText; CanvasRenderingContext2D.prototype.fillText = function (text, ...place) { written.add(text); return fill.call(this, text, ...place); };';
    await opened(async (page) => {
      await page.until(
        'two marks beside the last value',
        '[...written].filter((one) => /^\u2212?\\d+\\.\\d\\d\\u00a0%$/.test(one)).length > 2',
      );
    }, listen);
  });

  test('begins with the figures, growth and drawdown, and the trades; details are folded', async () => {
    await opened(async (page) => {
      const seen =
        "[...document.querySelectorAll('main > *')].filter((one) => !one.matches('.fold')).map((one) => one.id || one.className)";
      expect(await page.value(seen)).toEqual(['tiles', 'equity', 'trades', 'prices', 'beside']);
      const folds = "[...document.querySelectorAll('.fold > details')].map((one) => one.open)";
      expect(new Set((await page.value(folds)) as boolean[])).toEqual(new Set([false]));
    });
  });

  test('sorts and filters the trades, and says what is shown', async () => {
    await opened(async (page) => {
      expect(await page.value(SHOWN)).toMatch(/^180 of 180, profit /);
      expect(await page.value(ROWS)).toBe(10);
      await page.click('show more');
      await page.until('110 rows', `${ROWS} === 110`);
      await page.click('show more');
      await page.until('180 rows', `${ROWS} === 180`);
      const heading = "document.querySelectorAll('#trade-table th')[9]";
      await page.value(`${heading}.firstElementChild.click()`);
      await page.until('an order by profit', `${heading}.ariaSort === 'descending'`);
      const profits = (await page.value(CELLS(9))) as number[];
      expect(profits).toEqual([...profits].sort((a, b) => b - a));
      expect(profits[0]).toBeGreaterThan(profits.at(-1) ?? 0);
      await page.value(`${heading}.firstElementChild.click()`);
      await page.until('the other order', `${heading}.ariaSort === 'ascending'`);
      expect(await page.value(CELLS(9))).toEqual([...profits].sort((a, b) => a - b));
      await page.value("document.getElementById('filter').focus()");
      await page.write('onerror');
      await page.until('60 trades', `/^60 of 180, /.test(${SHOWN})`);
    });
  });

  test('leads from a row of the trades to its place on the chart, and from there to its row', async () => {
    await opened(async (page) => {
      await page.until('a chart of prices', DRAWN('price'));
      await page.value("document.querySelectorAll('#trade-table tbody button')[3].click()");
      const caption = "document.querySelector('[data-chart=price] .readout')?.innerText";
      await page.until('the trade at the chart', caption);
      expect(await page.value(caption)).toMatch(/^cross: 2026-04-0.* profit \u2212?[\d.]+\u00a0usd to its row$/);
      await page.until('the trade alone', "document.querySelector('[data-chart=price] .chart').ariaLabel.includes(' 1 round trips')");
      await page.until('the chart has the focus', "document.activeElement.matches('[data-chart=price] .chart')");
      await page.value("document.getElementById('filter').focus()");
      await page.write('onerror');
      await page.until('60 trades', `/^60 of 180, /.test(${SHOWN})`);
      await page.click('to its row');
      await page.until('its row, whatever was filtered', "document.querySelector('.chosen-row button') === document.activeElement");
      expect(await page.value(SHOWN)).toMatch(/^180 of 180/);
      await page.click('whole time');
      await page.until('no trade at the chart', `${caption} === undefined`);
    });
  });

  test('fits a phone and a screen, in light and dark, and is read along and moved by keys', async () => {
    await opened(async (page) => {
      await expectReadable(page, 'report', WIDTHS, inThemeOfSystem);
      await page.value(OPEN_ALL);
      await expectReadable(page, 'report-opened', [390, 1280], inThemeOfSystem);
      const ground = 'getComputedStyle(document.body).backgroundColor';
      await page.size(1200, 844);
      const light = await page.value(ground);
      await page.look('dark');
      await page.until('dark colours', `${ground} !== '${light}'`);
      await page.value("document.getElementById('theme').click()");
      await page.until('light colours', `${ground} === '${light}'`);
      for (const [chart, last] of [
        ['equity', '2026-04-05 00:00:00'],
        ['price', '2026-04-04 23:24:00'],
      ] as const) {
        await page.until(`a chart of ${chart}`, DRAWN(chart));
        await page.until('the last values', `${LEGEND(chart)}.includes('${last}')`);
        // A chart that is just drawn anew in other colours hears no key yet.
        const earlier = async (): Promise<unknown> => {
          await page.value(`document.querySelector('[data-chart=${chart}] .chart').focus()`);
          await page.press('ArrowLeft');
          return page.value(LEGEND(chart));
        };
        await expect.poll(earlier).toMatch(/2026-04-04 (?!23:24)\d\d:\d\d:00/);
        for (const key of ['+', '+', '-', 'Home']) await page.press(key);
      }
    });
  });

  test('on paper charts are pictures as wide as it, nothing is folded and nothing runs off', async () => {
    await opened(async (page) => {
      for (const chart of ['equity', 'price']) await page.until(`a chart of ${chart}`, DRAWN(chart));
      await page.send('Emulation.setEmulatedMedia', { media: 'print', features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
      await page.size(700, 990);
      const pictures = "[...document.querySelectorAll('canvas.printed')]";
      // Other colours draw the charts anew, a frame later: until then nothing hears of the print.
      await page.until('charts as pictures', `(dispatchEvent(new Event('beforeprint')), ${pictures}.length === 2)`);
      const isWhole = `${pictures}.map((one) => one.checkVisibility() && one.getBoundingClientRect().right <= innerWidth)`;
      expect(await page.value(isWhole)).toEqual([true, true]);
      const ground = `${pictures}.map((one) => one.getContext('2d').getImageData(2, 2, 1, 1).data.join())`;
      expect(await page.value(ground), 'light colours').toEqual(['255,255,255,255', '255,255,255,255']);
      expect(await page.value("document.querySelectorAll('details:not([open])').length")).toBe(0);
      const beyond = `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)`;
      expect(await page.value(`${beyond}.map((one) => one.outerHTML.slice(0, 100))`)).toEqual([]);
      await page.value("dispatchEvent(new Event('afterprint'))");
      await page.until('the charts again', `${pictures}.length === 0`);
    });
  });

  test('results side by side have their curves over each other, and fit a phone', async () => {
    const file = path.join(folder, 'both.html');
    const one = JSON.parse(JSON.stringify(reportJson(report)));
    const curve = { ...one.equity.curve, from: '2025-01-06T00:00:00.000Z' };
    const other = {
      ...one,
      run: { ...one.run, startedAt: curve.from },
      equity: { ...one.equity, curve },
      settings: { harm: '</script><img src=x>' },
    };
    writeComparison(comparisonOf([comparedReport('one.json', one), comparedReport('other.json', other)]), file);
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      await page.until('the curves', DRAWN('curves'));
      await page.until('the last values', `${LEGEND('curves')}.includes('B ')`);
      expect(await page.value(LEGEND('curves'))).toMatch(/^90 d\s+A 88\.49\s+B 88\.49$/);
      expect(await page.value("document.querySelectorAll('img').length")).toBe(0);
      expect(await page.value("document.querySelectorAll('#first tbody tr').length")).toBe(8);
      const beside =
        "document.querySelector('#first .scroll').getBoundingClientRect().right <= document.querySelector('[data-chart=curves]').getBoundingClientRect().left";
      expect(await page.value(beside), 'the curves stand beside the figures').toBe(true);
      await page.value(OPEN_ALL);
      await expectReadable(page, 'comparison', WIDTHS, inThemeOfSystem);
      expect(page.errors).toEqual([]);
    });
  });

  test('a search has its heat map, whose parameters can be chosen, and its scatter, and fits a phone', async () => {
    const file = path.join(folder, 'sweep.html');
    const points = [5, 10, 20].flatMap((fast) =>
      [50, 100].flatMap((slow) =>
        [1, 2].map((stop) => ({ values: [fast, slow, stop], figures: [(fast - slow / 10) / stop], isRanked: fast < 20 || slow < 100 })),
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
      ...{ figures: [{ name: 'net profit', isShare: false, currency: 'usd' }], luck: ['verdict: luck'] },
      halves: { x: 'first half', y: 'second half', points: halves, says: 'It says little.' },
    };
    const unranked = { ...search, points: points.map((one) => ({ ...one, isRanked: false })), first: null, plateau: null };
    const page = reportPage({ ...report, search: unranked });
    expect(page).toContain(
      '<p class="none">Nothing to draw: no trial can be ranked, since each failed, never traded or has no net profit in one currency.</p>',
    );
    expect(page).not.toContain('<figure data-chart="heat">');
    expect(page).not.toContain('that stands first');
    writeReportPage({ ...report, search }, file);
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      await page.until('6 fields', "document.querySelectorAll('.field').length === 6");
      expect(await page.value("document.querySelectorAll('.first-field').length")).toBe(1);
      expect(await page.value("document.querySelector('#heat .legend-values').innerText")).toContain('- no trial of it is ranked');
      expect(await page.value("document.querySelectorAll('[data-chart=scatter] circle').length")).toBe(3);
      await page.value(
        "(() => { const up = document.querySelectorAll('#heat select')[1]; up.value = '2'; up.dispatchEvent(new Event('change')); })()",
      );
      const texts = "[...document.querySelectorAll('.in-field')].map((one) => one.textContent).join(' ')";
      await page.until('the fields of the other parameter', `${texts} === '\u22122.5 \u22121.3 2.5 1.3 15.0 7.5'`);
      await page.value("document.querySelector('[data-chart=heat] svg a').focus()");
      await page.press('ArrowRight');
      await page.press('Enter');
      const trials = "[...document.querySelectorAll('[data-chart=heat] tbody tr')].map((row) => row.innerText.replaceAll('\\t', ' '))";
      await page.until('the trials of the field, the best first', `${trials}.length === 2`);
      expect(await page.value(trials)).toEqual(['10 50 1 5.00', '10 100 1 0.00']);
      expect(await page.value("document.querySelector('.scale').innerText.replaceAll('\\n', ' ')")).toBe('\u22122.5 0 15.0');
      const [mark, bar] = ["document.querySelector('.zero-mark')", "document.querySelector('.scale i')"].map(
        (one) => `${one}.getBoundingClientRect()`,
      );
      expect(await page.value(`Math.abs(${mark}.x + ${mark}.width / 2 - ${bar}.x - ${bar}.width / 7) < 1`), 'zero where it lies').toBe(
        true,
      );
      await expectReadable(page, 'sweep-report', WIDTHS, inThemeOfSystem);
      expect(page.errors).toEqual([]);
    });
  });

  test('the chained tests of a walk-forward are one line through the ends of all days', async () => {
    const file = path.join(folder, 'folds.html');
    const equity = Array.from({ length: 35 }, (_, n) => ({ at: MONDAY + (n + 1) * DAY, value: 1 + n / 300 }));
    const view = {
      title: 'Walk-forward',
      summary: '',
      verdict: null,
      headlines: [],
      scatter: 'none',
      table: { head: [], rows: [] },
      luck: [],
    };
    writeFileSync(file, foldsPage({ ...view, equity, from: MONDAY, to: MONDAY + 35 * DAY }));
    await withPage(async (page) => {
      await page.size(1200, 900);
      await page.open(pathToFileURL(file).href);
      await page.until('the line', DRAWN('chained'));
      const says = "document.querySelector('[data-chart=chained] .chart').ariaLabel";
      expect(await page.value(says)).toBe('Growth of 100 over all tests: 36 values, at the end 111.33.');
      await expectReadable(page, 'walk-forward', WIDTHS, inThemeOfSystem);
      expect(page.errors).toEqual([]);
    });
  });

  test('its size is bounded, and a file that cannot be written is told in one line', () => {
    const file = path.join(folder, 'report.html');
    const [trade] = report.trades;
    const many = trade ? Array.from({ length: 50_000 }, () => trade) : [];
    writeReportPage({ ...report, trades: many }, file);
    expect(statSync(file).size).toBeLessThan(1_500_000);
    writeReportPage({ ...report, trades: [], prices: [], equity: 'not asked for' }, file);
    expect(statSync(file).size).toBeLessThan(400_000);
    writeReportPage({ ...report, trades: many }, file);
    expect(readFileSync(file, 'utf8')).toContain('the newest 5000 of 50000');
    const nowhere = path.join(folder, 'none', 'report.html');
    expect(() => writeReportPage(report, nowhere)).toThrow(/cannot be written .*: name a file in a folder that exists/);
  });
});
