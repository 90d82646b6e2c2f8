import Database from 'better-sqlite3';
import { Decimal } from 'decimal.js';

/** Rows of a database that another process may be writing; none while the file or its tables are not there yet. */
export function rowsOf<Row>(file: string, sql: string): readonly Row[] {
  let database: Database.Database;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
  } catch {
    // The process that makes the file has not come to it yet.
    return [];
  }
  try {
    return database.prepare<[], Row>(sql).all();
  } catch (error) {
    // The file is there and its tables are not yet; anything else is a fault of the test.
    if (error instanceof Error && error.message.startsWith('no such table')) return [];
    throw error;
  } finally {
    database.close();
  }
}

interface Amount {
  readonly currency: string;
  readonly amount: string;
}

/** What the ledger of a journal moved in each currency, as text; openings are no movement. */
export function ledgerChanges(journal: string): Readonly<Record<string, string>> {
  return sums(rowsOf<Amount>(journal, "SELECT currency, amount FROM ledger WHERE kind <> 'opening'"));
}

/** What the paper venue's balances of user 1205 changed by since its database was made, as text. */
export function venueChanges(database: string): Readonly<Record<string, string>> {
  return sums(
    rowsOf<Amount>(
      database,
      `SELECT currency, amount FROM balances WHERE user_id = '1205'
       UNION ALL SELECT currency, '-' || amount FROM openings WHERE user_id = '1205'`,
    ),
  );
}

/** Sums by currency to the last decimal; currencies that did not move are left out. */
function sums(rows: readonly Amount[]): Readonly<Record<string, string>> {
  const totals = new Map<string, Decimal>();
  for (const { currency, amount } of rows) totals.set(currency, (totals.get(currency) ?? new Decimal(0)).plus(amount));
  return Object.fromEntries([...totals].filter(([, total]) => !total.isZero()).map(([currency, total]) => [currency, total.toFixed()]));
}
