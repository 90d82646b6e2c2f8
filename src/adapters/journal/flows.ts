import type Database from 'better-sqlite3';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';

/** Sums of amounts with as many decimal places, without their point, in two parts of which neither can overflow. */
interface Sum {
  readonly currency: string;
  readonly places: bigint;
  readonly high: bigint;
  readonly low: bigint;
}

interface Amount {
  readonly currency: string;
  readonly amount: string;
}

/** Amounts that SQLite adds exactly, as integers: plain digits that fit 64 bits. */
const PLAIN = `length(amount) <= 18 AND amount NOT GLOB '*[^-.0-9]*'`;
const OWN = `kind <> 'opening' AND entry_id > @after AND entry_id <= @upTo`;
const PART = 1_000_000_000n;

/** Rows of the ledger: behind one, up to another. */
interface Entries {
  readonly after: number;
  readonly upTo: number;
}

/** Everything that those entries booked but opening balances, added up by currency, as decimal text. Journals of years have millions of them. */
export function flowsOf(database: Database.Database, entries: Entries): Record<string, string> {
  const totals = new Map<string, Decimal>();
  const add = (currency: string, amount: Decimal): void => {
    totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  };
  const sums = database
    .prepare<[Entries], Sum>(
      `SELECT currency, places, sum(digits / ${PART}) AS high, sum(digits % ${PART}) AS low
       FROM (SELECT lower(currency) AS currency, CAST(replace(amount, '.', '') AS INTEGER) AS digits,
               CASE instr(amount, '.') WHEN 0 THEN 0 ELSE length(amount) - instr(amount, '.') END AS places
             FROM ledger WHERE ${OWN} AND ${PLAIN}) GROUP BY currency, places`,
    )
    .safeIntegers()
    .all(entries);
  for (const { currency, places, high, low } of sums) add(currency, decimalOf(`${high * PART + low}e-${places}`));
  const others = database.prepare<[Entries], Amount>(
    `SELECT lower(currency) AS currency, amount FROM ledger WHERE ${OWN} AND NOT (${PLAIN})`,
  );
  for (const { currency, amount } of others.all(entries)) add(currency, decimalOf(amount));
  return Object.fromEntries([...totals].map(([currency, total]) => [currency, total.toString()]));
}
