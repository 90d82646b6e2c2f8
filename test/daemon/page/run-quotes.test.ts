import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { RunQuotes } from '#daemon/page/run-quotes.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { isoTime, productCode } from '#domain/names.ts';
import { folder, RUN, START } from '../../adapters/journal/rows.ts';
import { BTC, quote } from '../../support/market-data.ts';

const ETH = productCode('ethusd');

test('charts of one product read and keep nothing but that of the run that goes on, from their time on, and all pages share it', () => {
  const dir = folder();
  const lane = laneFor(ETH, { base: decimalOf(1) }).id;
  const lines = Array.from({ length: 60 }, (_, n) =>
    [quote({}), quote({ product: ETH, lane })].map((one, of) => quoteLine(2 * n + of + 1, START + n * 1_000, one)).join(''),
  );
  mkdirSync(join(dir, RUN));
  writeFileSync(join(dir, RUN, 'inbox.ndjson'), `${headerLine(RUN, 'paper')}${lines.join('')}`);
  let now = 0;
  const read: unknown[] = [];
  class Seen extends RunQuotes {
    override of(run: string, filter: { readonly from?: number; readonly product?: string } = {}) {
      read.push(filter);
      return super.of(run, filter);
    }
  }
  const quotes = new Seen(dir, () => now);
  const runs = [{ run_id: RUN, started_at: isoTime(START), ended_at: null }];
  const [early, late] = [START + 20_000, START + 30_000];
  const chart = (product: string, from: number) =>
    [...quotes.between(runs, { product, from, to: START + 60_000 })].flat().map(({ product: of, at, length }) => [of, at[0], length]);
  expect(chart(BTC, late)).toEqual([[BTC, late, 30]]);
  expect(chart(BTC, early)).toEqual([[BTC, early, 40]]);
  expect(chart(ETH, late)).toEqual([[ETH, late, 30]]);
  for (const from of [early, late]) expect(chart(BTC, from)).toHaveLength(1);
  expect(read).toEqual([
    { from: late, product: BTC },
    { from: early, product: BTC },
    { from: late, product: ETH },
  ]);
  now = 15_000;
  expect(chart(BTC, late)).toEqual([[BTC, late, 30]]);
});
