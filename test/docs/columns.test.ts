import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { expect, test } from 'vitest';
import { eventFile } from '#adapters/recording/event-file.ts';
import { quoteFile } from '#adapters/recording/quote-file.ts';
import { laneColumns } from '../support/report-data.ts';
import { ROOT } from '../support/root.ts';

const page = readFileSync(path.join(ROOT, 'docs/recordings.md'), 'utf8');
const [, section = ''] = page.split(/^## Columns$/m);
const columns = section.split(/^## /m)[0] ?? '';

/** Names in the tables of the section: in the first column, of those that follow from others in the second. */
const told = [...columns.matchAll(/^\| (?:\d+ \| )?((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
  [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
);

const inFile = (bytes: Uint8Array): readonly string[] =>
  parquetSchema(parquetMetadata(new Uint8Array(bytes).buffer)).children.map(({ element }) => element.name);

test('docs/recordings.md names every column of sealed quotes, and no other', () => {
  // Figures that follow from nothing, so that each stands in a column of its own.
  const quotes = laneColumns([{ at: 0, buy: 101, sell: 100 }]);
  for (const one of [quotes.buy.feeInBaseCcy, quotes.buy.feeInQuoteCcy, quotes.buy.slippagePercentage]) one[0] = 7;
  for (const one of [quotes.sell.feeInBaseCcy, quotes.sell.feeInQuoteCcy, quotes.sell.slippage, quotes.sell.slippagePercentage]) one[0] = 7;
  for (const one of [quotes.buy.value, quotes.sell.value, quotes.spread, quotes.spreadPercentage]) one[0] = 7;
  expect([...told].sort()).toEqual([...inFile(quoteFile(quotes, 'compared'))].sort());
});

test('it names every column of the other events', () => {
  for (const name of inFile(eventFile([]))) expect(columns).toContain(`\`${name}\``);
});
