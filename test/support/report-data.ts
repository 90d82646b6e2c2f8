import { columnsOver, ROW_BYTES } from '#domain/columns-memory.ts';
import type { Decision } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import { currency, isoTime, laneIdOf, type Millis, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { writeId } from '#domain/quote-columns.ts';
import type { LedgerMovement, RunRecord } from '#report/record.ts';

export const DAY = 86_400_000;
export const MONDAY = Date.UTC(2026, 0, 5);

export interface QuotePoint {
  readonly at: Millis;
  readonly buy: number;
  /** As `buy` without it. */
  readonly sell?: number;
}

export interface LaneParts {
  readonly product?: string;
  readonly base?: string;
  readonly quote?: string;
  readonly size?: number;
  readonly feePercentage?: number;
}

/** Quotes of one lane as columns, each valid for three seconds, with ids by their place. */
export function laneColumns(points: readonly QuotePoint[], parts: LaneParts = {}): QuoteColumns {
  const { product = 'btcusd', base = product.slice(0, 3), quote = product.slice(3), size = 1, feePercentage = 0 } = parts;
  const rows = points.length;
  const names = {
    lane: laneIdOf(`${product}@base:${size}`),
    product: productCode(product),
    baseCcy: currency(base),
    quoteCcy: currency(quote),
  };
  const columns = columnsOver(new SharedArrayBuffer(rows * ROW_BYTES), rows, { names, oddIds: new Map() });
  for (const [row, { at, buy, sell = buy }] of points.entries()) {
    columns.n[row] = row + 1;
    columns.at[row] = at;
    columns.validUntil[row] = at + 3000;
    columns.feePercentage[row] = feePercentage;
    for (const [side, price] of [
      [columns.buy, buy],
      [columns.sell, sell],
    ] as const) {
      side.price[row] = price;
      side.size[row] = size;
      side.value[row] = price * size;
    }
    writeId(idOf(product, row), columns.ids, row * 16);
  }
  return columns;
}

/** Id of the quote at a place of a lane's columns. */
export function idOf(product: string, row: number): string {
  const head = [...product]
    .reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
    .toString(16)
    .padStart(8, '0');
  return `${head}-0000-4000-8000-${row.toString(16).padStart(12, '0')}`;
}

export interface FillParts {
  readonly at: Millis;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size?: number;
  readonly fee?: number;
  readonly product?: string;
  readonly strategy?: string;
  /** Place of the quote in its lane's columns. */
  readonly row?: number;
  readonly why?: string;
  readonly tag?: string;
  readonly signals?: Readonly<Record<string, unknown>>;
}

export interface Flow {
  readonly at: Millis;
  readonly kind: 'opening' | 'deposit' | 'withdrawal';
  readonly amount: number;
  readonly currency?: string;
}

export interface RecordParts {
  readonly from: Millis;
  readonly to: Millis;
  readonly flows: readonly Flow[];
  readonly fills?: readonly FillParts[];
  readonly currency?: string;
  readonly mode?: string;
  readonly decisions?: readonly Decision[];
}

/** A run as its journal would tell it. */
export function recordOf({ from, to, flows, fills = [], currency: valued = 'usd', mode = 'paper', decisions }: RecordParts): RunRecord {
  const rows: LedgerMovement[] = flows.map(({ at, kind, amount, currency: of = valued }) => ({
    at,
    book: 'cross',
    product: null,
    kind,
    currency: of,
    amount: String(amount),
  }));
  const past: PastFill[] = [];
  const told: Decision[] = [];
  for (const [
    n,
    { at, side, price, size = 1, fee = 0, product = 'btcusd', strategy = 'cross', row = n, why = 'test', tag = null, signals = {} },
  ] of fills.entries()) {
    const [baseCcy, quoteCcy] = [product.slice(0, 3), product.slice(3)];
    const id = `${n + 1}-1`;
    const fill = {
      side,
      baseCcy,
      quoteCcy,
      price: String(price),
      size: String(size),
      value: String(price * size),
      fee: String(fee),
      feeCcy: quoteCcy,
    };
    const order = {
      ...fill,
      id,
      strategy,
      product,
      quoteId: idOf(product, row),
      lane: `${product}@base:${size}`,
      validUntil: at + 3000,
      intentAt: at,
    };
    past.push({ orderId: id, strategy, product, at, fill });
    const sign = side === 'buy' ? 1 : -1;
    const move = { at, book: strategy, product } as const;
    rows.push({ ...move, kind: 'fill', currency: baseCcy, amount: String(sign * size) });
    rows.push({ ...move, kind: 'fill', currency: quoteCcy, amount: String(-sign * price * size) });
    rows.push({ ...move, kind: 'fee', currency: quoteCcy, amount: String(-fee) });
    const common = {
      at,
      inboxSeq: n + 1,
      strategy: strategyId(strategy),
      product: productCode(product),
      quoteId: quoteId(order.quoteId),
      orderId: orderId(id),
    };
    const quote = {
      lane: order.lane,
      buy: price,
      sell: price,
      size,
      spreadPercentage: 0,
      validUntil: isoTime(at + 3000),
      timeLeftMs: 3000,
    };
    told.push({ ...common, kind: 'intent', reason: null, detail: { side, why, tag, wants: `${size} base`, signals, quote } });
    told.push({ ...common, kind: 'approved', reason: null, detail: { order, checks: [], timeLeftMs: 3000 } });
    told.push({ ...common, kind: 'sent', reason: null, detail: { sentAt: isoTime(at + 2), timeLeftMs: 2998, signatureAgeMs: 0 } });
    told.push({ ...common, kind: 'accepted', reason: 'HTTP_OK', detail: { fill, httpStatus: 201, roundTripMs: 20, body: '' } });
  }
  return {
    run: 'run-1',
    book: 'paper',
    mode,
    version: 'test',
    configHash: 'hash',
    config: '{}',
    startedAt: from,
    endedAt: to,
    endState: 'stopped',
    isRunning: false,
    latches: [],
    strategies: [{ id: 'cross', use: 'sma-cross', product: 'btcusd', params: { fast: 5, slow: 20 }, enabled: true }],
    currency: valued,
    earlier: { fills: [], ledger: [] },
    fills: past,
    ledger: rows.sort((a, b) => a.at - b.at),
    decisions: decisions ?? told,
    begun: [],
    tags: new Map(),
  };
}
