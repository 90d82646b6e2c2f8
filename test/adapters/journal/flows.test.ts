import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { flowsOf } from '#adapters/journal/journal-state.ts';
import { MIGRATIONS } from '#adapters/journal/schema.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { fc, test } from '../../support/property.ts';

const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, places]) => decimalOf(`${digits}e-${places}`));
const rows = fc.array(fc.tuple(fc.constantFrom('usd', 'btc'), fc.constantFrom('fill', 'fee', 'opening'), amounts), { maxLength: 60 });

test.prop([rows])('flows are the exact sum of every movement but opening balances, however long the amounts', (entries) => {
  const database = new Database(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
  const insert = database.prepare(`INSERT INTO ledger (run_id, at, book, kind, currency, amount) VALUES ('run', '2026', 'sma', ?, ?, ?)`);
  const sums = new Map<string, Decimal>();
  for (const [currency, kind, amount] of entries) {
    insert.run(kind, currency, amount.toString());
    if (kind !== 'opening') sums.set(currency, (sums.get(currency) ?? ZERO).plus(amount));
  }
  const flows = flowsOf(database, { after: 0, upTo: entries.length });
  database.close();
  expect(flows).toEqual(Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum.toString()])));
});
