import type { JournalEye } from './journal-eye.ts';

/** A check as a row has it: its name, the figure, the limit, whether it passed (where not), and the currency of both. */
export type RowCheck = readonly [
  check: string,
  figure: string | number,
  limit: string | number | null,
  passed?: boolean,
  currency?: string,
];

interface FillText {
  readonly side: 'buy' | 'sell';
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
}

/** Figures of an order or of a fill: sizes in base currency, the others in quote currency; the fee in its own. */
export type FillFigures = Pick<FillText, 'side' | 'baseCcy' | 'quoteCcy' | 'feeCcy'> &
  Readonly<Record<'price' | 'size' | 'value' | 'fee', number>>;

/** What rows of these kinds tell. */
export interface RowDetail {
  readonly order?: FillText;
  readonly fill?: FillText | null;
  readonly as?: 'accepted' | 'rejected';
  readonly retryAfterMs?: number;
  readonly entries?: readonly {
    readonly kind: string;
    readonly book: string;
    readonly product?: string;
    readonly currency: string;
    readonly amount: string;
  }[];
  readonly anew?: true;
  readonly leaves?: string;
  readonly checks?: readonly RowCheck[];
  readonly repeated?: number;
  readonly side?: 'buy' | 'sell';
  /** In words, or what a person asked for. */
  readonly wants?: string | { readonly upTo?: string; readonly strategy?: string | null; readonly product?: string | null };
  readonly why?: string;
  readonly who?: string;
  readonly name?: string;
  readonly action?: string;
  readonly status?: string;
  readonly dueAt?: string;
  readonly askedAt?: string;
  readonly missed?: string;
  readonly intent?: { readonly side: 'buy' | 'sell'; readonly wants: string; readonly quote: RowQuote };
  readonly quote?: RowQuote;
  readonly body?: string;
  readonly figure?: string;
  readonly limit?: string;
  readonly price?: string;
  readonly average?: string;
  readonly size?: string;
}

interface RowQuote {
  readonly buy: number;
  readonly sell: number;
}

/** A row of the journal. */
export interface JournalRow {
  readonly run_id: string;
  readonly at: number;
  readonly kind: string;
  readonly strategy: string;
  readonly product: string;
  readonly reason: string;
  readonly order_id: string;
  readonly detail: RowDetail;
}

const KINDS = [
  ...[
    'started',
    'approved',
    'sent',
    'accepted',
    'rejected',
    'resolved',
    'unknown',
    'expired',
    'not_sent',
    'booked',
    'intent',
    'refused',
    'exit',
  ],
  ...['armed', 'disarmed', 'reducing', 'halted', 'paused', 'resumed', 'disabled', 'enabled', 'action', 'by_hand'],
];

/** All rows that say what was held, counted and latched, in their order. */
export function rowsOf(eye: JournalEye): readonly JournalRow[] {
  const rows = eye.rows<Omit<JournalRow, 'at' | 'detail'> & Readonly<Record<'at' | 'detail', string>>>(
    `SELECT run_id, at, kind, coalesce(strategy, '') AS strategy, coalesce(product, '') AS product, coalesce(reason, '') AS reason,
       coalesce(order_id, '') AS order_id, detail
     FROM decisions WHERE kind IN (${KINDS.map((kind) => `'${kind}'`).join(', ')}) ORDER BY seq`,
  );
  return rows.map((row) => ({ ...row, at: Date.parse(row.at), detail: JSON.parse(row.detail) }));
}

/** Figures as numbers. */
export function figuresOf({ price, size, value, fee, ...rest }: FillText): FillFigures {
  return { ...rest, price: Number(price), size: Number(size), value: Number(value), fee: Number(fee) };
}
