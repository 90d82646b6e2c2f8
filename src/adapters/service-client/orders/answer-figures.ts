import { type Fields, isCode, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { bare, ORDER_INSIDE, words } from './answer-fields.ts';

export type FigureName = 'price' | 'size' | 'value' | 'fee';

/** One figure of an answer and the field that told it. */
export interface AnswerFigure {
  readonly field: string;
  readonly figure: Decimal;
  /** The name says that it is of the execution, not of what was asked for. */
  readonly executed: boolean;
}

export interface AnswerFigures extends Partial<Readonly<Record<FigureName, AnswerFigure>>> {
  readonly feeCcy?: { readonly field: string; readonly currency: string };
}

/** A field that holds no figure, or one that another field contradicts. */
export interface Misfit {
  readonly field: string;
  readonly why: string;
}

/** Names of figures of an execution, by bare form in the order of their weight, then names that may be those of the request. */
export const FIGURE_FIELDS: Readonly<Record<FigureName, { readonly executed: readonly string[]; readonly plain: readonly string[] }>> = {
  price: {
    executed: words('avgPrice averagePrice executedPrice executionPrice execPrice filledPrice fillPrice avgFillPrice avgPx priceAvg'),
    plain: ['price'],
  },
  size: {
    executed: words(`
      filledSize filledQty filledQuantity filled executedSize executedQty executedQuantity execQty cumQty cumExecQty cumulativeQty
      fillSize fillQty fillQuantity filledBase accFillSz
    `),
    plain: ['size', 'qty', 'quantity', 'baseSize', 'baseQty', 'baseAmount'],
  },
  value: {
    executed: words(`
      filledValue executedValue cumQuote cummulativeQuoteQty cumulativeQuoteQty cumExecValue executedQuoteQty fillValue
      filledQuote
    `),
    plain: ['value', 'notional', 'quoteSize', 'quoteQty', 'quoteAmount'],
  },
  fee: { executed: ['fee', 'fees', 'feeAmount', 'feePaid', 'totalFee', 'commission', 'commissionAmount', 'cumExecFee'], plain: [] },
};

/** Names of the fee's currency. */
export const FEE_CURRENCY: readonly string[] = [
  'feeCcy',
  'feeCurrency',
  'feeAsset',
  'feeCoin',
  'commissionAsset',
  'commissionCurrency',
  'commissionCcy',
];
/** Inside a fee that is an object. */
const FEE_INSIDE: ReadonlyMap<string, 'fee' | 'feeCcy'> = new Map([
  ...['amount', 'value', 'cost', 'fee'].map((name) => [name, 'fee'] as const),
  ...['currency', 'ccy', 'asset', 'coin', 'code', 'feeccy', 'feecurrency'].map((name) => [name, 'feeCcy'] as const),
]);
/** Lists of the parts of an execution. */
export const PARTS: readonly string[] = ['fills', 'executions', 'trades', 'deals'];

type FigurePlace = { readonly name: FigureName | 'feeCcy'; readonly executed: boolean };

const SLOT_OF: ReadonlyMap<string, FigurePlace> = new Map([
  ...(Object.keys(FIGURE_FIELDS) as FigureName[]).flatMap((name) => [
    ...FIGURE_FIELDS[name].plain.map((field): [string, FigurePlace] => [bare(field), { name, executed: false }]),
    ...FIGURE_FIELDS[name].executed.map((field): [string, FigurePlace] => [bare(field), { name, executed: true }]),
  ]),
  ...FEE_CURRENCY.map((field): [string, FigurePlace] => [bare(field), { name: 'feeCcy', executed: true }]),
]);

const DEEPEST = 6;
/** Figures beyond these are no price, size or value of anything. */
const LEAST = decimalOf('1e-18');
const MOST = decimalOf('1e18');

/**
 * The figures that an answer tells, or the field that cannot be one. A figure of the execution goes before one that may be an
 * echo of the request; two of the same kind must be equal.
 */
export function figuresTold(body: Fields, ignoredFields: readonly string[]): AnswerFigures | Misfit {
  const told: Telling = {};
  const ignored = new Set(ignoredFields.map(bare));
  const seen: FigureField[] = [];
  collect(body, { path: [], inFee: false, ignored, seen });
  for (const one of seen) {
    const { name } = one.slot;
    if (one.value === null || one.value === '') continue;
    const wrong = name === 'feeCcy' ? tellCurrency(told, one) : tellFigure(told, name, one);
    if (wrong !== undefined) return wrong;
  }
  return told;
}

type Telling = { -readonly [Name in keyof AnswerFigures]: AnswerFigures[Name] };

function tellCurrency(told: Telling, { field, value }: FigureField): Misfit | undefined {
  if (typeof value !== 'string' || !isCode(value)) return { field, why: 'is no currency' };
  if (told.feeCcy !== undefined && told.feeCcy.currency.toLowerCase() !== value.toLowerCase())
    return { field, why: `is not ${told.feeCcy.field}` };
  told.feeCcy ??= { field, currency: value };
  return undefined;
}

function tellFigure(told: Telling, name: FigureName, { field, slot: { executed }, value }: FigureField): Misfit | undefined {
  const figure = figureOf(value);
  // What an order without a limit has for one.
  const isNoLimit = name === 'price' && !executed && figure?.isZero() === true;
  if (isNoLimit || typeof value === 'boolean') return undefined;
  if (figure === null || (name !== 'fee' && figure.isNegative())) return { field, why: 'is no figure' };
  const before = told[name];
  if (before === undefined || (executed && !before.executed)) told[name] = { field, figure, executed };
  else if (before.executed === executed && !before.figure.eq(figure)) return { field, why: `is not ${before.field}, ${before.figure}` };
  return undefined;
}

export const isMisfit = (read: object): read is Misfit => 'why' in read;

interface FigureField {
  readonly field: string;
  readonly slot: FigurePlace;
  readonly value: unknown;
}

function collect(
  body: Fields,
  at: { readonly path: readonly string[]; readonly inFee: boolean; readonly ignored: ReadonlySet<string>; readonly seen: FigureField[] },
): void {
  for (const [name, value] of Object.entries(body)) {
    const key = bare(name);
    if (at.ignored.has(key) || at.path.length > DEEPEST) continue;
    const path = [...at.path, name];
    const field = path.join('.');
    const slot = at.inFee ? feeSlotOf(key) : SLOT_OF.get(key);
    const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (slot?.name === 'fee' && isFields(one)) collect(one, { ...at, path, inFee: true });
    else if (slot !== undefined && !(Array.isArray(value) && value.length === 0)) at.seen.push({ field, slot, value });
    else if (ORDER_INSIDE.includes(key) && isFields(one)) collect(one, { ...at, path });
    else if (PARTS.includes(key) && Array.isArray(value)) at.seen.push(...partsSeen(value, field, at.ignored));
  }
}

function feeSlotOf(key: string): FigurePlace | undefined {
  const name = FEE_INSIDE.get(key);
  return name && { name, executed: true };
}

/** The size that the parts of an execution add up to; nothing where one of them has none. */
function partsSeen(parts: readonly unknown[], field: string, ignored: ReadonlySet<string>): FigureField[] {
  let size = ZERO;
  for (const part of parts) {
    const seen: FigureField[] = [];
    if (isFields(part)) collect(part, { path: [field], inFee: false, ignored, seen });
    const own = figureOf(seen.find(({ slot }) => slot.name === 'size')?.value);
    if (own === null) return [];
    size = size.plus(own);
  }
  if (parts.length === 0) return [];
  return [{ field: `${field}[].size`, slot: { name: 'size', executed: true }, value: size.toString() }];
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?$/;

/** A number, or a text of plain digits; null for everything else. */
function figureOf(value: unknown): Decimal | null {
  const isText = typeof value === 'string' && DECIMAL.test(value.trim());
  if (!isText && !(typeof value === 'number' && Number.isFinite(value))) return null;
  const decimal = decimalOf(isText ? value.trim() : value);
  const size = decimal.abs();
  return size.gt(MOST) || (!size.isZero() && size.lt(LEAST)) ? null : size.isZero() ? ZERO : decimal;
}
