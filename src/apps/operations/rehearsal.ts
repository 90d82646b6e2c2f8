import { figuresTold, isMisfit } from '#adapters/service/orders/answer-figures.ts';
import { isFields } from '#adapters/service/quotes/decode-quote.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { Executed } from './manual-requests.ts';

/** Balances by currency, decimal text; null if the service does not report them. */
type AskedBalances = ReadonlyMap<string, string> | null;

/** The fee that was really taken for one order, and its evidence. */
export type TrueFee =
  | { readonly by: 'account' | 'answer'; readonly fee: string; readonly currency: string }
  | { readonly by: 'unknown'; readonly why: string };

type FeeSide = 'base' | 'quote';

/** Maximum fee as a share of the value; a larger change has another cause. */
const MAX_FEE_SHARE = 0.05;
/** Balances may be rounded to eight decimals. */
const ROUNDING = decimalOf('0.00000002');

/**
 * The fee of an executed order: by the account's balances before and after, if the service reports them; else by its
 * answer, if that names fee and currency; else unknown, with the reason.
 */
export function trueFee(order: Executed, before: AskedBalances, after: AskedBalances): TrueFee {
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

function toldFee({ body, baseCcy, quoteCcy }: Executed): TrueFee | undefined {
  const fields = jsonIn(body);
  if (!isFields(fields)) return undefined;
  const told = figuresTold(fields, []);
  if (isMisfit(told) || !told.fee || !told.feeCcy) return undefined;
  const currency = told.feeCcy.currency.toLowerCase();
  if (currency !== baseCcy && currency !== quoteCcy) return undefined;
  return { by: 'answer', fee: told.fee.figure.abs().toString(), currency };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer without JSON has no fee.
    return undefined;
  }
}

/** The currency of a fee; undefined if it is unknown, or if none was taken. */
export function sideOf(fee: TrueFee, { baseCcy }: Pick<Executed, 'baseCcy'>): FeeSide | undefined {
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
  order: Pick<Executed, 'baseCcy'>,
  { left, before, after }: { readonly left: Decimal; readonly before: AskedBalances; readonly after: AskedBalances },
): { readonly flat: boolean | null; readonly agree: boolean | null; readonly line: string } {
  const { baseCcy } = order;
  if (before === null || after === null) {
    const books = left.isZero() ? 'the book manual is where it was' : `${left} is left in the book manual`;
    return {
      flat: null,
      agree: null,
      line: `${books}; whether the account is, nobody has seen: compare it with \`kairos ledger balances\`, or name balances in service.capabilities where the service can be asked`,
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
