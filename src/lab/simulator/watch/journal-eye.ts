import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

/** An order in the journal. */
export interface JournalOrder {
  readonly order_id: string;
  readonly run_id: string;
  readonly strategy: string;
  readonly product: string;
  readonly side: 'buy' | 'sell';
  readonly quote_id: string;
  readonly state: string;
  readonly intent_at: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly fee_ccy: string;
}

/** Reads the journal's file directly, without Kairos's code. */
export class JournalEye {
  private readonly file: string;
  private database: Database.Database | null = null;
  private readonly statements = new Map<string, Database.Statement<unknown[]>>();

  constructor(file: string) {
    this.file = file;
  }

  rows<Row>(sql: string, ...given: readonly (string | number)[]): readonly Row[] {
    if (this.database === null && !existsSync(this.file)) return [];
    this.database ??= new Database(this.file, { readonly: true });
    const statement = this.statements.get(sql) ?? this.database.prepare<unknown[], Row>(sql);
    this.statements.set(sql, statement);
    const rows: readonly unknown[] = statement.all(...given);
    return rows as readonly Row[];
  }

  order(quoteId: string): JournalOrder | undefined {
    return this.rows<JournalOrder>('SELECT * FROM orders WHERE quote_id = ?', quoteId)[0] ?? this.permitted('quote_id', quoteId);
  }

  quoteOf(orderId: string): string | undefined {
    const [row] = this.rows<JournalOrder>('SELECT * FROM orders WHERE order_id = ?', orderId);
    return (row ?? this.permitted('order_id', orderId))?.quote_id;
  }

  /** An order that was permitted and whose row has not followed yet. */
  private permitted(column: 'quote_id' | 'order_id', value: string): JournalOrder | undefined {
    return this.rows<JournalOrder>(
      `SELECT order_id, run_id, strategy, product, quote_id, 'intent' AS state, detail ->> '$.order.side' AS side, at AS intent_at,
         detail ->> '$.order.price' AS price, detail ->> '$.order.size' AS size, detail ->> '$.order.value' AS value,
         detail ->> '$.order.fee' AS fee, detail ->> '$.order.feeCcy' AS fee_ccy
       FROM decisions WHERE seq > (SELECT seq FROM watermarks WHERE name = 'orders') AND kind = 'approved' AND ${column} = ?`,
      value,
    )[0];
  }

  /** Call it before the disk is restored, and at the end. */
  close(): void {
    this.statements.clear();
    this.database?.close();
    this.database = null;
  }
}
