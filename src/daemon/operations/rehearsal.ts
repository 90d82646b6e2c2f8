import { figuresTold, isMisfit } from '#adapters/service-client/orders/answer-figures.ts';
import { classifyAnswer } from '#adapters/service-client/orders/outcomes.ts';
import { isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import type { Settings } from '#config/settings.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { jsonIn } from '#domain/json-in.ts';
import { orderOf } from '#domain/order.ts';
import type { ExecutedOrder } from './manual-requests.ts';

type Balances = ReadonlyMap<string, string>;
/** Balances by currency, decimal text; null if nobody says them. */
export type AskedBalances = Balances | null;

interface KnownFee {
  readonly by: 'account' | 'answer' | 'sale';
  readonly fee: string;
  readonly currency: string;
}

/** The fee that was really taken for one order, and its evidence. */
export type TrueFee = KnownFee | { readonly by: 'unknown'; readonly why: string };

type FeeSide = 'base' | 'quote';

/** Maximum fee as a share of the value; a larger change has another cause. */
const MAX_FEE_SHARE = 0.05;
/** Balances may be rounded to eight decimals. */
const ROUNDING = decimalOf('0.00000002');

/**
 * The fee of an executed order: by the account's balances before and after, if the service reports them; else by its
 * answer, if that names fee and currency; else unknown, with the reason.
 */
export function trueFee(order: ExecutedOrder, before: AskedBalances, after: AskedBalances): TrueFee {
  const told = toldFee(order);
  if (before === null || after === null)
    return told ?? { by: 'unknown', why: 'the answer tells no fee with its currency, and balances cannot be asked' };
  const { side, size, value, baseCcy, quoteCcy } = order;
  const moved = (currency: string): Decimal => decimalOf(after.get(currency) ?? '0').minus(before.get(currency) ?? '0');
  const sign = side === 'buy' ? 1 : -1;
  const inBase = decimalOf(size).times(sign).minus(moved(baseCcy));
  const inQuote = decimalOf(value).times(-sign).minus(moved(quoteCcy));
  const isFee = (fee: Decimal, whole: string): boolean => fee.gte(ROUNDING.negated()) && fee.lte(decimalOf(whole).times(MAX_FEE_SHARE));
  if (!isFee(inBase, size) || !isFee(inQuote, value)) {
    return told ?? { by: 'unknown', why: 'the account moved by something else than this order meanwhile' };
  }
  const isBase = inBase.gt(ROUNDING);
  if (isBase && inQuote.gt(ROUNDING))
    return { by: 'unknown', why: `both currencies are short: ${inBase} ${baseCcy} and ${inQuote} ${quoteCcy}` };
  return { by: 'account', fee: (isBase ? inBase : Decimal.max(ZERO, inQuote)).toString(), currency: isBase ? baseCcy : quoteCcy };
}

function toldFee({ body, baseCcy, quoteCcy }: ExecutedOrder): TrueFee | undefined {
  const told = feeInAnswer(body);
  return told && [baseCcy, quoteCcy].includes(told.currency) ? { by: 'answer', ...told } : undefined;
}

/** The fee and its currency in the body of an answer; undefined where it does not tell both. */
export function feeInAnswer(body: string): { readonly fee: string; readonly currency: string } | undefined {
  const fields = jsonIn(body);
  if (!isFields(fields)) return undefined;
  const told = figuresTold(fields, []);
  if (isMisfit(told) || !told.fee || !told.feeCcy) return undefined;
  return { fee: told.fee.figure.abs().toString(), currency: told.feeCcy.currency.toLowerCase() };
}

/**
 * The fee of a purchase by what could be sold of it, where the account held less of the coin before than the fee: all that was bought,
 * so that the fee was not taken of it, or not all. Undefined where that proves nothing.
 */
export function feeBySale(
  bought: ExecutedOrder,
  { held, sold }: { readonly held: Decimal; readonly sold: ExecutedOrder | undefined },
): KnownFee | undefined {
  const { baseCcy, quoteCcy, price, size, fee, feeCcy } = bought;
  const inBase = feeCcy === baseCcy ? decimalOf(fee) : decimalOf(fee).div(price);
  if (inBase.isZero() || held.gte(inBase) || sold?.asked?.size !== size) return undefined;
  if (sold.state === 'accepted') return { by: 'sale', fee: inBase.times(price).toString(), currency: quoteCcy };
  return sold.state === 'rejected' && sold.httpStatus !== null ? { by: 'sale', fee: inBase.toString(), currency: baseCcy } : undefined;
}

/** What an order of unknown outcome taught. */
export interface OutcomeEvidence {
  /** What came of it, as the account shows; null where nobody has seen. */
  readonly as: 'accepted' | 'rejected' | null;
  /** Settings by which such an answer is read so from now on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why its answer leaves it unknown, with what to set where a person knows better; empty where it says nothing. */
  readonly why: string;
}

/** What came of an order of unknown outcome by the balances before and after it, and the `service.outcomes` by which its answer says so. */
export function learnedFrom(
  order: ExecutedOrder,
  { before, after, service }: { readonly before: AskedBalances; readonly after: AskedBalances; readonly service: Settings['service'] },
): OutcomeEvidence {
  const { asked, httpStatus: status, body } = order;
  const as = before && after && movedAs(order, before, after);
  if (status === null || asked === null) return { as, settings: {}, why: '' };
  const readBy = (outcomes: Settings['service']['outcomes']) =>
    classifyAnswer({ status, body, complete: true, retryAfter: null }, { ...service, outcomes }, orderOf(asked));
  const { why = '' } = readBy(service.outcomes);
  const outcomes = { ...service.outcomes, ...(as && { [status]: as }) };
  return { as, settings: as && readBy(outcomes).outcome === as ? { 'service.outcomes': JSON.stringify(outcomes) } : {}, why };
}

/** What the answers to orders that were booked as executed mean. */
interface AnswersRead {
  readonly line: string;
  /** `service.outcomes` where the account did not move by one of them: such an answer says nothing. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why a person must look before anything else trades; null where nothing is wrong. */
  readonly failure: string | null;
}

/** What each status meant by which an order counts as executed, and whether the account's balances bear it out. */
export function answersRead(
  legs: readonly { readonly order: ExecutedOrder; readonly before: AskedBalances; readonly after: AskedBalances }[],
  { outcomes }: Pick<Settings['service'], 'outcomes'>,
): AnswersRead {
  const seen = legs.map(({ order, before, after }) => ({ ...order, moved: before && after && movedAs(order, before, after) }));
  const unmoved = seen.find(({ moved }) => moved === 'rejected');
  const statuses = [...new Set(seen.flatMap(({ httpStatus }) => httpStatus ?? []))].join(', ');
  if (unmoved === undefined) {
    const shown = seen.every(({ moved }) => moved === 'accepted') ? 'as the account shows' : 'as the answers say';
    return { line: `service.outcomes: ${statuses} means accepted, ${shown}; nothing is to be set`, settings: {}, failure: null };
  }
  const { orderId, httpStatus: status } = unmoved;
  return {
    line: `service.outcomes: ${status} was read as accepted, and the account did not move by order ${orderId}`,
    settings: status === null ? {} : { 'service.outcomes': JSON.stringify({ ...outcomes, [status]: 'unknown' }) },
    failure: `order ${orderId} is booked as executed, and the account did not move by it: look there first, then kairos reconcile`,
  };
}

/** Executed where both currencies moved by the order's figures but for a fee, not where neither did; null for anything else. */
function movedAs({ side, size, value, baseCcy, quoteCcy }: ExecutedOrder, before: Balances, after: Balances): OutcomeEvidence['as'] {
  const moved = (currency: string): Decimal => decimalOf(after.get(currency) ?? '0').minus(before.get(currency) ?? '0');
  const sign = side === 'buy' ? 1 : -1;
  const amounts = [
    [moved(baseCcy).times(sign), decimalOf(size)],
    [moved(quoteCcy).times(-sign), decimalOf(value)],
  ] as const;
  if (amounts.every(([one]) => one.abs().lte(ROUNDING))) return 'rejected';
  const isOrder = amounts.every(([one, whole]) => one.minus(whole).abs().lte(whole.times(MAX_FEE_SHARE)));
  return isOrder ? 'accepted' : null;
}

/** The currency of a fee; undefined if it is unknown, or if none was taken. */
export function sideOf(fee: TrueFee, { baseCcy }: Pick<ExecutedOrder, 'baseCcy'>): FeeSide | undefined {
  if (fee.by === 'unknown' || decimalOf(fee.fee).isZero()) return undefined;
  return fee.currency === baseCcy ? 'base' : 'quote';
}

/** The value of `service.feeIn` for these fees; undefined if none fits or too little is known. */
export function feeInOf(buy: FeeSide | undefined, sell: FeeSide | undefined): 'base' | 'quote' | 'received' | undefined {
  if (buy === 'base') return sell === 'base' ? 'base' : 'received';
  return buy === 'quote' && sell !== 'base' ? 'quote' : undefined;
}

/**
 * Whether the account's base currency is back at its amount before. Only the account's balance is evidence: without it
 * nothing counts as flat, whatever the books say.
 */
export function flatness(
  { baseCcy, quoteCcy }: Pick<ExecutedOrder, 'baseCcy' | 'quoteCcy'>,
  { left, before, after }: { readonly left: Decimal; readonly before: AskedBalances; readonly after: AskedBalances },
): { readonly flat: boolean | null; readonly agree: boolean | null; readonly line: string } {
  if (before === null || after === null) {
    const books = left.isZero() ? 'the book manual is where it was' : `${left} is left in the book manual`;
    return {
      flat: null,
      agree: null,
      line: `${books}; whether the account is, nobody has seen: \`kairos reconcile --check --actual ${baseCcy}=...,${quoteCcy}=...\` compares it; name balances in service.capabilities where the service can be asked`,
    };
  }
  const change = decimalOf(after.get(baseCcy) ?? '0').minus(before.get(baseCcy) ?? '0');
  const agree = change.minus(left).abs().lte(ROUNDING);
  if (agree && left.isZero()) return { flat: true, agree, line: `flat again: book and account have the ${baseCcy} that they had` };
  const had = `the account has ${signed(change)} ${baseCcy} against before, the book manual ${signed(left)}`;
  return {
    flat: false,
    agree,
    line: agree ? `book and account agree, and are not flat: ${had}, which no order can close` : `not flat: ${had}`,
  };
}

const signed = (amount: Decimal): string => (amount.isPositive() && !amount.isZero() ? `+${amount}` : amount.toString());
