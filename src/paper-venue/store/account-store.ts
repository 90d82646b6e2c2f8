import type Database from 'better-sqlite3';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';

/** Balances of the exchange accounts on which strategies trade. */
export class AccountStore {
  private readonly one: Database.Statement<[string, string], { readonly amount: string }>;
  private readonly all: Database.Statement<[string], { readonly currency: string; readonly amount: string }>;
  private readonly set: Database.Statement<[string, string, string]>;

  /** Credits each account's opening balances, once. */
  constructor(db: Database.Database, openings: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    this.one = db.prepare('SELECT amount FROM account_balances WHERE account_id = ? AND currency = ?');
    this.all = db.prepare('SELECT currency, amount FROM account_balances WHERE account_id = ? ORDER BY currency');
    this.set = db.prepare(
      'INSERT INTO account_balances VALUES (?, ?, ?) ON CONFLICT (account_id, currency) DO UPDATE SET amount = excluded.amount',
    );
    const open = db.prepare('INSERT INTO account_balances VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    db.transaction(() => {
      for (const [accountId, amounts] of Object.entries(openings)) {
        for (const [currency, amount] of Object.entries(amounts)) open.run(accountId, currency, amount);
      }
    }).immediate();
  }

  balance(accountId: string, currency: string): Decimal {
    const row = this.one.get(accountId, currency);
    return row ? decimalOf(row.amount) : ZERO;
  }

  balances(accountId: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.all.all(accountId).map(({ currency, amount }) => [currency, amount]));
  }

  add(accountId: string, currency: string, amount: Decimal): void {
    this.set.run(accountId, currency, this.balance(accountId, currency).plus(amount).toString());
  }
}
