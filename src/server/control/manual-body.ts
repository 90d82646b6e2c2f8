import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { ManualAmount, ManualRequest } from '#domain/manual-request.ts';
import { productCode } from '#domain/names.ts';
import { actOf } from './act-body.ts';

/** What may be asked of the desk. */
export const MANUAL_ACTS = ['close', 'flatten', 'order'] as const;

type ManualAct = (typeof MANUAL_ACTS)[number];

const NAME = /^[\x21-\x7e]{1,64}$/;
const AMOUNT = /^\d{1,16}(\.\d{1,18})?$/;

/**
 * Reads what a person asks of the desk: `close {strategy, product, pct, upTo}`, `flatten {resume}`, `order {product, side, size |
 * value | least}`, each with `who` and `why`. Amounts are decimals as text. Throws USAGE.
 */
export function handOf(act: ManualAct, body: unknown): ManualRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usage('the body must be a JSON object');
  const { who: saidWho, why: saidWhy, ...fields }: Readonly<Record<string, unknown>> = { ...body };
  const { who, why } = actOf('halt', {
    ...(saidWho !== undefined && { who: saidWho }),
    ...(saidWhy !== undefined && { why: saidWhy }),
  });
  switch (act) {
    case 'close': {
      const { strategy, product = null, pct = 100, upTo } = only(fields, ['strategy', 'product', 'pct', 'upTo']);
      if (typeof pct !== 'number' || !(pct > 0 && pct <= 100)) throw usage('pct must be a number above 0 and at most 100');
      return {
        act,
        strategy: nameIn('strategy', strategy),
        product: product === null ? null : productCode(nameIn('product', product)),
        pct,
        ...(upTo !== undefined && { upTo: decimalIn('upTo', upTo) }),
        who,
        why,
      };
    }
    case 'flatten': {
      const { resume = false } = only(fields, ['resume']);
      if (typeof resume !== 'boolean') throw usage('resume must be true or false: may it end a halt?');
      return { act, resume, who, why };
    }
    case 'order': {
      const { product, side, ...amount } = only(fields, ['product', 'side', 'size', 'value', 'least']);
      if (side !== 'buy' && side !== 'sell') throw usage('side must be buy or sell');
      return { act, product: productCode(nameIn('product', product)), side, amount: amountIn(amount), who, why };
    }
  }
}

function amountIn({ size, value, least }: Readonly<Record<string, unknown>>): ManualAmount {
  const given = [size, value, least].filter((one) => one !== undefined).length;
  if (given !== 1) throw usage('an order has one of size (base units), value (quote currency) and least');
  if (size !== undefined) return { base: decimalIn('size', size) };
  if (value !== undefined) return { quote: decimalIn('value', value) };
  if (least !== true) throw usage('least must be true');
  return { least };
}

function decimalIn(name: string, text: unknown): string {
  if (typeof text !== 'string' || !AMOUNT.test(text) || !decimalOf(text).gt(0)) throw usage(`${name} must be a decimal in quotes, above 0`);
  return decimalOf(text).toString();
}

function nameIn(field: string, name: unknown): string {
  if (typeof name !== 'string' || !NAME.test(name)) throw usage(`${field} must be the name of one`);
  return name;
}

function only(fields: Readonly<Record<string, unknown>>, known: readonly string[]): Readonly<Record<string, unknown>> {
  const foreign = Object.keys(fields).find((name) => !known.includes(name));
  if (foreign === undefined) return fields;
  throw usage(`unknown field ${JSON.stringify(foreign.slice(0, 50))}; there are who, why, ${known.join(', ')}`);
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
