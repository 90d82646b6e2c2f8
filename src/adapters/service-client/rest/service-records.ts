import { z } from 'zod';
import { isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { decimalOf } from '#domain/decimal.ts';
import { isProductCode, productCode } from '#domain/names.ts';
import type { Account, Product } from '#domain/product.ts';
import type { RemoteStrategy } from '#domain/remote.ts';

/** A limit of a product: a number of at least 0, or the same as plain decimal text (notes to the specification). */
const limit = z
  .union([z.number().nonnegative(), z.string().regex(/^[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?$/, 'is not a decimal')])
  .transform((value) => decimalOf(value).abs());

/** A product record; unknown fields are dropped (spec 2.6). */
export const productRecord = z
  .object({
    productCode: z.string().refine(isProductCode, 'is not a code'),
    minSize: limit,
    minNotionalValue: limit,
    sizeIncrement: limit,
    priceIncrement: limit,
  })
  .transform(({ productCode: said, ...limits }): Product => {
    const code = productCode(said);
    return { code, ...(code !== said && { spelled: said }), ...limits };
  });

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

/** The answer to a sign-in; the token itself comes in a header (notes to the specification, "Bearer token"). */
export const loginAnswer = z
  .object({
    expirationTime: z.number().nonnegative().nullish(),
    refreshToken: z.string().max(8192).nullish(),
    awsUsername: z.string().max(8192).nullish(),
    session: z.string().max(8192).nullish(),
    challengeName: z.string().nullish(),
    status: z.string().max(200).nullish(),
  })
  .partial();

export type LoginAnswer = z.infer<typeof loginAnswer>;

/** The answer to a create (spec 2.2). */
export const createdAnswer = z.object({
  strategyId: z.union([z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/), z.number().int().transform(String)]),
});

const isWord = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A state as a map of words, or as one word; nothing where it is something else. */
const words = z.unknown().transform((state): Record<string, string> => {
  if (isWord(state)) return { state: String(state) };
  if (!isFields(state)) return {};
  return Object.fromEntries(Object.entries(state).flatMap(([name, value]) => (isWord(value) ? [[name, String(value)]] : [])));
});

/** A strategy as `find` reads it back; nothing but its id is needed (notes, "Strategies"), as text or as number. */
export const strategyRecord = z
  .object({
    strategyId: z.union([z.string().min(1).max(128), z.number().int().nonnegative().transform(String)]),
    version: z.number().nullish().catch(null),
    eventTime: z.string().nullish().catch(null),
    state: words.optional(),
    status: words.optional(),
    uiParams: z.record(z.string(), z.unknown()).nullish().catch(null),
  })
  .transform(
    ({ strategyId, version, eventTime, state, status, uiParams }): RemoteStrategy => ({
      strategyId,
      version: version ?? null,
      eventTime: eventTime ?? null,
      state: { ...(status?.state === undefined ? {} : { status: status.state }), ...state },
      uiParams: uiParams ?? {},
    }),
  );

/** What is wrong with one field, or several together, as the service says it. */
export interface FieldError {
  readonly fields: readonly string[];
  readonly description: string;
  readonly rejectedValue?: unknown;
}

const fieldError = z
  .object({
    fields: z.array(z.string()).nullish(),
    firstField: z.string().nullish(),
    description: z.string().nullish(),
    rejectedValue: z.unknown().optional(),
  })
  .transform(
    ({ fields, firstField, description, rejectedValue }): FieldError => ({
      fields: fields ?? (firstField == null ? [] : [firstField]),
      description: description ?? '',
      ...(rejectedValue !== undefined && { rejectedValue }),
    }),
  );

/** The body of a refusal (notes, "Errors of the strategy endpoints"); every field may be missing. */
export const errorBody = z.object({
  error: z.string().nullish(),
  errorCode: z.union([z.string(), z.number()]).nullish(),
  errors: z.array(fieldError).nullish().catch(null),
});
