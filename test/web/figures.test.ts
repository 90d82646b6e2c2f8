import { expect, test } from 'vitest';
import { typeset } from '#domain/money-text.ts';
import { reportJson } from '#report/json.ts';
import { tiles } from '#report/page/figure-cards.ts';
import { makeReport } from '#report/report.ts';
import { reportText } from '#report/text.ts';
import { isClockWrong } from '../../web/words/clock.ts';
import { money, signedMoney } from '../../web/words/numbers.ts';
import { DAY, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

test.each([
  [1_234_567.891, '1,234,567.89'],
  [-4.5, '\u22124.50'],
  ['-0.0954', '\u22120.10'],
  [0.004, '<0.01'],
  [0, '0.00'],
  [null, '\u2013'],
])('money of %s is %s on the page, as in the commands', (value, text) => expect(money(value, 'usd')).toBe(text));

test('a profit has its sign', () => {
  expect([0.5, -0.5, 0.001, 0, null].map((one) => signedMoney(one, 'usd'))).toEqual(['+0.50', '\u22120.50', '+<0.01', '0.00', '\u2013']);
});

test('a machine that is late has a clock that is right', () => {
  expect(([null, 'LAG', 'CLOCK_OLD'] as const).map((reason) => isClockWrong({ reason }))).toEqual([false, false, true]);
});

test('the key figures of a report are those of `backtest`, as text and as JSON, to the digit', () => {
  const quotes = Array.from({ length: 60 * 24 }, (_, n) => ({
    at: MONDAY + n * (DAY / 24),
    buy: 60_000 - n * 3.7,
    sell: 59_990 - n * 3.7,
  }));
  const fills = Array.from({ length: 120 }, (_, n) => {
    const row = n * 12;
    const { at, buy, sell } = quotes[row] ?? { at: 0, buy: 0, sell: 0 };
    return { at, side: n % 2 === 0 ? 'buy' : 'sell', price: n % 2 === 0 ? buy : sell, size: 0.1, fee: 6, row } as const;
  });
  const flows = [{ at: MONDAY, kind: 'opening', amount: 100_000 }] as const;
  const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 60 * DAY, flows, fills, mode: 'backtest' }), [
    laneColumns(quotes, { size: 0.1, feePercentage: 0.1 }),
  ]);
  const said = reportText(report).flatMap((block) => (block.kind === 'lines' ? block.lines : []));
  const shown = [...tiles(report).matchAll(/<b class="[^"]*">([^<]*)<\/b>/g)].map(([, text = '']) => text.replace('\u00a0', ' '));
  const { figures } = JSON.parse(JSON.stringify(reportJson(report)));
  const ids = ['totalReturn', 'netProfit', 'maxDrawdown', 'sharpe', 'profitFactor', 'winRate', 'totalCost', 'trades'];
  expect(shown).toHaveLength(ids.length);
  for (const [n, text] of shown.entries()) {
    const { label, value, unit } = figures[ids[n] ?? ''];
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`^  ${label} +${text}(  |$)`)));
    const places = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
    expect(text.replaceAll(',', '').split(' ')[0], label).toBe(typeset((unit === 'share' ? value * 100 : value).toFixed(places)));
  }
  expect(tiles(report)).toContain('<b class="down">\u2212');
});
