import { hash as digest } from 'node:crypto';

/** A row of `decisions` as the table holds it. */
export interface DecisionRecord {
  readonly seq: number;
  readonly run_id: string;
  readonly at: string;
  readonly inbox_seq: number;
  readonly kind: string;
  readonly strategy: string | null;
  readonly product: string | null;
  readonly reason: string | null;
  readonly quote_id: string | null;
  readonly order_id: string | null;
  readonly detail: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The end of a chain, to which the next row is linked. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The link of the first row. */
export const CHAIN_START: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/**
 * The hash of a row: SHA-256, in hex, over the hash of the row before it and the JSON array of its columns. `run_id` is
 * left out, so that the same decisions of two runs have the same chain.
 */
export function hashOf(row: Omit<DecisionRecord, 'run_id' | 'hash'>): string {
  const { seq, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail } = row;
  const columns = JSON.stringify([seq, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail]);
  return digest('sha256', row.prev_hash + columns, 'hex');
}

/** What is wrong with a row that should follow `end`, or null. */
export function breakIn(end: ChainEnd, row: DecisionRecord): string | null {
  if (row.seq !== end.seq + 1) return `rows are missing: ${end.seq} is followed by ${row.seq}`;
  if (row.prev_hash !== end.hash) return `it does not follow row ${end.seq}: prev_hash is another`;
  if (row.hash !== hashOf(row)) return 'its hash does not match its columns: the row was changed';
  return null;
}
