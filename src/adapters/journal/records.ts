import { hash as digest } from 'node:crypto';
import type { CheckResult } from '#domain/check-result.ts';
import type { Decision, DecisionKind } from '#domain/decision.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { FillText } from '#domain/order.ts';
import type { Reason } from '#domain/reasons.ts';

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

/** The row that keeps a decision, carrying on the chain from `end`. */
export function recordOf(decision: Decision, run: string, end: ChainEnd): DecisionRecord {
  const columns = {
    seq: end.seq + 1,
    at: isoTime(decision.at),
    inbox_seq: decision.inboxSeq,
    kind: decision.kind,
    strategy: decision.strategy,
    product: decision.product,
    reason: decision.reason,
    quote_id: decision.quoteId,
    order_id: decision.orderId,
    detail: detailText(decision.detail),
    prev_hash: end.hash,
  };
  return { ...columns, run_id: run, hash: hashOf(columns) };
}

/** The decision that a row keeps. Throws JOURNAL_BROKEN, naming the row, when its detail is not JSON. */
export function decisionOf(record: DecisionRecord): Decision {
  const { at, inbox_seq, kind, strategy, product, reason, quote_id, order_id } = record;
  return {
    kind,
    at: Date.parse(at),
    inboxSeq: inbox_seq,
    strategy: strategy === null ? null : strategyId(strategy),
    product: product === null ? null : productCode(product),
    reason: reason as Reason | null,
    quoteId: quote_id === null ? null : quoteId(quote_id),
    orderId: order_id === null ? null : orderId(order_id),
    detail: detailOf(record),
  } as Decision;
}

/** The decisions of a kind that some rows keep, in their order. Throws as `decisionOf`. */
export function decisionsIn<Kind extends DecisionKind>(rows: readonly DecisionRecord[], kind: Kind): Extract<Decision, { kind: Kind }>[] {
  const isWanted = (decision: Decision): decision is Extract<Decision, { kind: Kind }> => decision.kind === kind;
  return rows.map(decisionOf).filter(isWanted);
}

/** A row's detail as plain data, for printing. Throws JOURNAL_BROKEN, naming the row. */
export function detailOf(record: Pick<DecisionRecord, 'seq' | 'detail'>): Readonly<Record<string, unknown>> {
  let detail: unknown;
  try {
    detail = JSON.parse(record.detail);
  } catch (error) {
    throw new KairosError('JOURNAL_BROKEN', `decisions row ${record.seq}: its detail is not JSON (${messageOf(error)})`);
  }
  if (typeof detail !== 'object' || detail === null) {
    throw new KairosError('JOURNAL_BROKEN', `decisions row ${record.seq}: its detail is not an object`);
  }
  return 'checks' in detail ? { ...detail, checks: unpacked(detail.checks) } : { ...detail };
}

/** The fill that a row settled an order with; null where it was settled without. Throws JOURNAL_BROKEN, naming the row. */
export function fillIn(record: Pick<DecisionRecord, 'seq' | 'detail'>): FillText | null {
  const { fill = null } = detailOf(record) as { readonly fill?: FillText | null };
  return fill;
}

/**
 * A detail as JSON. Strategies may put anything under their signals: what JSON has no form for is written as text, so
 * that no value can keep a row from being journaled, nor turn into null unseen.
 */
function detailText(detail: Decision['detail']): string {
  const kept = 'checks' in detail ? { ...detail, checks: detail.checks.map(packed) } : detail;
  try {
    return isPlain(kept, MAX_LEVELS) ? JSON.stringify(kept) : JSON.stringify(kept, plain);
  } catch {
    // A cycle, or a toJSON that throws: the members that can be written are, and the others say why not.
    return JSON.stringify(writable(kept, 3), plain);
  }
}

/** A check as a row keeps it, since each order has two dozen: `[code, figure, limit]`, and behind these `false` where it failed, and the currency of money. */
function packed({ check, passed, figure, limit, currency }: CheckResult): readonly (string | number | boolean | null)[] {
  if (currency !== undefined) return [check, figure, limit, passed, currency];
  return passed ? [check, figure, limit] : [check, figure, limit, false];
}

/** Checks as the rest of Kairos knows them. */
function unpacked(checks: unknown): unknown {
  if (!Array.isArray(checks)) return checks;
  return checks.map((one: unknown) => {
    if (!Array.isArray(one)) return one;
    const [check, figure, limit, passed = true, currency]: unknown[] = one;
    return { check, passed, figure, limit, ...(currency !== undefined && { currency }) };
  });
}

/** Deeper than any row of our own: what goes further is left to the careful way. */
const MAX_LEVELS = 8;

/** True for what JSON writes as it is, which is every row but a strategy's odd one: the replacer takes longer than the rest. */
function isPlain(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (levels === 0 || 'toJSON' in value) return false;
  for (const one of Object.values(value)) if (!isPlain(one, levels - 1)) return false;
  return true;
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  return value;
}

function writable(value: unknown, depth: number): unknown {
  try {
    JSON.stringify(value, plain);
    return value;
  } catch (error) {
    if (depth === 0 || typeof value !== 'object') return `cannot be written: ${messageOf(error)}`;
    return Object.fromEntries(Object.entries(value ?? {}).map(([key, member]) => [key, writable(member, depth - 1)]));
  }
}
