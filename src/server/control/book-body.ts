import { decimalOf } from '#domain/decimal.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { currency as currencyOf, isProductCode } from '#domain/names.ts';
import { actOf } from './act-body.ts';

/** Movements that a person books, with who and why: of the treasury, or corrections of positions. */
export interface BookAsked {
  readonly who: string;
  readonly why: string;
  readonly entries: readonly BookedEntry[];
}

const KINDS = ['deposit', 'withdrawal', 'correction'] as const;
const AMOUNT = /^-?\d{1,16}(\.\d{1,18})?$/;
const MAX_ENTRIES = 100;
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
const isCode = (text: string): boolean => NAME.test(text);

/** Reads `{who, why, entries: [{kind, currency, amount}]}`; amounts are decimals as text. Throws USAGE. */
export function bookOf(body: unknown): BookAsked {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usage('the body must be a JSON object');
  const { entries, ...by }: Readonly<Record<string, unknown>> = { ...body };
  const { who, why } = actOf('halt', by);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_ENTRIES) {
    throw usage(`entries must be a list of 1 to ${MAX_ENTRIES} movements`);
  }
  return { who, why, entries: entries.map(entryOf) };
}

function entryOf(entry: unknown): BookedEntry {
  if (typeof entry !== 'object' || entry === null) throw usage('a movement must be an object');
  const { kind: named, book, currency, amount, product, ...foreign }: Readonly<Record<string, unknown>> = { ...entry };
  const kind = KINDS.find((known) => known === named);
  if (!kind) throw usage(`kind must be one of ${KINDS.join(', ')}`);
  const ofPosition = product !== undefined;
  if (
    Object.keys(foreign).length > 0 ||
    typeof book !== 'string' ||
    (book !== 'treasury') !== ofPosition ||
    (ofPosition && kind !== 'correction')
  ) {
    throw usage(
      'a movement has kind, book: "treasury", currency and amount; a correction of a position its strategy as book, and its product',
    );
  }
  if (ofPosition && (typeof product !== 'string' || !isProductCode(product) || !isCode(book)))
    throw usage('book and product must be names');
  if (typeof currency !== 'string' || !/^[A-Za-z0-9]{2,16}$/.test(currency)) throw usage('currency must be a code such as usd');
  if (typeof amount !== 'string' || !AMOUNT.test(amount) || decimalOf(amount).isZero())
    throw usage('amount must be a decimal in quotes, not 0');
  const wrong = (kind === 'deposit') === amount.startsWith('-') && kind !== 'correction';
  if (wrong) throw usage('a deposit is above 0, a withdrawal below');
  const movement = { kind, book, currency: currencyOf(currency), amount: decimalOf(amount).toString() };
  return typeof product === 'string' ? { ...movement, product: product.toLowerCase() } : movement;
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
