import { z } from 'zod';
import { decimalOf } from '../domain/decimal.ts';
import { productCode } from '../domain/names.ts';
import type { Account, Product } from '../domain/product.ts';
import { isCode } from './decode-quote.ts';

/** A limit of a product: a number of at least 0, or the same as plain decimal text (notes to the specification). */
const limit = z
  .union([z.number().nonnegative(), z.string().regex(/^[0-9]{1,30}(?:\.[0-9]{1,30})?$/, 'is not a plain decimal')])
  .transform((value) => decimalOf(value).abs());

/** A product record; unknown fields are dropped (spec 2.6). */
export const productRecord = z
  .object({
    productCode: z.string().refine(isCode, 'is not a code'),
    minSize: limit,
    minNotionalValue: limit,
    sizeIncrement: limit,
    priceIncrement: limit,
  })
  .transform(({ productCode: code, ...limits }): Product => ({ code: productCode(code), ...limits }));

const active = z
  .object({ isActive: z.boolean() })
  .nullish()
  .transform((market) => market?.isActive ?? false);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** An account record; everything not named here is dropped, first of all `apiKey`, which arrives in clear (spec 2.5). */
export const accountRecord = z
  .object({
    id: z.union([z.string().min(1), z.number().int().nonnegative().transform(String)]),
    name: text,
    exchangeCode: text,
    accountType: text,
    isMain: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    spot: active,
    futures: active,
  })
  .transform(({ spot, futures, ...account }): Account => ({ ...account, spotActive: spot, futuresActive: futures }));

/** The answer to a sign-in; the token itself comes in a header (notes to the specification). */
export const loginAnswer = z.object({
  expirationTime: z.number().nonnegative().nullish(),
  challengeName: z.string().nullish(),
});
