import { expect, test } from 'vitest';
import { pageData } from '#report/page/report-data.ts';
import { makeReport } from '#report/report.ts';
import { oneCurrency, shownWords } from '../../web/report/series.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;

/** A round trip in each product, on an account in usd; no quote leads from sek to usd. */
function runOf(...products: readonly string[]) {
  const quotes = Array.from({ length: 48 }, (_, n) => ({ at: MONDAY + n * HOUR, buy: 100 + n }));
  const fills = products.flatMap((product, n): FillParts[] => [
    { at: MONDAY + n * 2 * HOUR, side: 'buy', price: 100, row: 0, product },
    { at: MONDAY + (n * 2 + 1) * HOUR, side: 'sell', price: 110, row: 1, product },
  ]);
  const flows = [{ at: MONDAY, kind: 'opening', amount: 1_000 }] as const;
  const record = recordOf({ from: MONDAY, to: MONDAY + 2 * DAY, flows, fills });
  const { run } = pageData(
    makeReport(
      record,
      products.map((product) => laneColumns(quotes, { product })),
    ),
  );
  if (!run) throw new Error('no run');
  return run;
}

test('money of round trips is in their own currency, and is not added up over several', () => {
  const [both, sek, usd] = [runOf('btcusd', 'ethsek'), runOf('ethsek'), runOf('btcusd')];
  expect(both.currencies).toEqual({ btcusd: 'usd', ethsek: 'sek' });
  expect([both, sek, usd].map(oneCurrency)).toEqual([undefined, 'sek', 'usd']);
  const shown = [both, sek, usd].map((run) => shownWords(run.trades, run).replaceAll('\u00a0', ' '));
  expect(shown).toEqual(['2 of 2', '1 of 1, profit 10.00 sek', '1 of 1, profit 10.00 usd']);
  const ofEth = both.trades.filter(([, , product]) => product === 'ethsek');
  expect(shownWords(ofEth, both).replaceAll('\u00a0', ' ')).toBe('1 of 2, profit 10.00 sek');
  expect(shownWords([], usd).replaceAll('\u00a0', ' ')).toBe('0 of 1, profit 0.00 usd');
});
