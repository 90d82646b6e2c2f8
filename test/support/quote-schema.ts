import { z } from 'zod';
import { isValueOf } from '#adapters/service-client/figures.ts';
import { isCode } from '#adapters/service-client/quotes/decode-quote.ts';
import { isProductCode } from '#domain/names.ts';

/**
 * The `TQ` message as a schema (spec 2.8): the same as `decode-quote.ts` in the words of a library. The decoder stands on the path of
 * every quote; this one says what it must accept, and a property test keeps the two equal.
 */
const code = z.string().refine(isCode);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A figure as a number or as its text, read with the digits that a double is sure of. */
const number = z
  .union([z.number(), z.string().regex(/^-?\d{1,20}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/)])
  .transform((value) => (Math.abs(Number(value)) < 1e-50 ? 0 : Number(value)))
  .pipe(z.number().min(-1e50).max(1e50));
const positive = number.pipe(z.number().positive());
/** Not said where it cannot be read; below nothing it is no fee. */
const fee = z.unknown().refine((value) => !(Number(number.safeParse(value).data ?? 0) < 0));
const isSaid = (value: unknown): boolean => number.safeParse(value).success;

const side = z.object({
  price: positive,
  size: positive,
  value: positive.nullish(),
  feeInBaseCcy: fee.optional(),
  feeInQuoteCcy: fee.optional(),
});

/** The value is price times size, with the fee or without it, on a lane of an amount in base currency. */
function hasItsValue({ price, size, value, feeInBaseCcy, feeInQuoteCcy }: z.infer<typeof side>, feePercentage: unknown): boolean {
  if (value === undefined || value === null) return true;
  const read = (figure: unknown): number | undefined => number.safeParse(figure).data;
  const base = read(feeInBaseCcy);
  const fee = read(feeInQuoteCcy) ?? (base === undefined ? (price * size * (read(feePercentage) ?? 0)) / 100 : base * price);
  return isValueOf({ price, size, value, fee, isOfValue: false });
}

/** The `TQ` message (spec 2.8). */
export const tradingQuoteSchema = z
  .object({
    msgType: z.literal('TQ'),
    id: z.string().regex(UUID).nullish(),
    productCode: z.string().refine(isProductCode),
    baseCcy: code,
    quoteCcy: code,
    buyQuote: side,
    sellQuote: side,
    feePercentage: fee.optional(),
    validUntil: z.union([
      z.string().refine((text) => millisOf(text) !== null),
      z
        .number()
        .min(Date.UTC(2000, 0, 1))
        .lt(Date.UTC(2201, 0, 1)),
    ]),
  })
  .refine(({ feePercentage, buyQuote, sellQuote }) =>
    [buyQuote, sellQuote].every((one) => [feePercentage, one.feeInBaseCcy, one.feeInQuoteCcy].some(isSaid)),
  )
  .refine(({ feePercentage, buyQuote, sellQuote }) => [buyQuote, sellQuote].every((one) => hasItsValue(one, feePercentage)));

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** The slow way to read a time with a zone: by pattern and the platform's own calendar. Null where there is none. */
export function millisOf(text: string): number | null {
  const [, year, month, day, hour, minute, second, fraction = '', zone] = TIME.exec(text) ?? [];
  if (zone === undefined || Number(year) < 2000 || Number(year) > 2200) return null;
  if (Number(hour) > 23 || (zone !== 'Z' && Number(zone.slice(1, 3)) > 23)) return null;
  const date = `${year}-${month}-${day}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}
