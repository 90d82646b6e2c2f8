import { z } from 'zod';

/** Schemas of the venue's HTTP bodies other than those of the orchestrator and the sign-in, for the document. */

/** The one error body (notes, "Errors of the strategy endpoints"). */
export const ERROR_BODY = z.object({
  timestamp: z.iso.datetime(),
  status: z.number().int(),
  path: z.string(),
  errorCode: z.string(),
  error: z.string(),
  errors: z.array(z.object({ fields: z.array(z.string()), description: z.string(), rejectedValue: z.unknown().optional() })),
});

/** An exchange account (spec 2.5). */
export const ACCOUNT = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  userId: z.string(),
  name: z.string(),
  exchangeCode: z.string(),
  exchange: z.string(),
  description: z.string(),
  apiKey: z.string(),
  validatedAt: z.iso.datetime(),
  spot: z.object({ isActive: z.boolean() }),
  futures: z.object({ isActive: z.boolean(), settings: z.looseObject({}) }),
  isMain: z.boolean(),
  eventTime: z.iso.datetime(),
  accountType: z.string(),
  whitelistedIps: z.array(z.string()),
  permissions: z.array(z.unknown()),
});

const limit = z.union([z.number(), z.string()]).describe('a number, or a decimal as text');

/** A product (spec 2.6), with the venue's further fields. */
export const PRODUCT = z.looseObject({
  productCode: z.string(),
  minSize: limit,
  minNotionalValue: limit,
  sizeIncrement: limit,
  priceIncrement: limit,
  exchangeCode: z.string(),
});

/** An order (spec 2.10). */
export const ORDER = z.object({ orderType: z.literal('MARKET'), quoteId: z.uuid(), side: z.enum(['BUY', 'SELL']) });

/** The answer to an executed order; our own choice, since the specification shows none. */
export const ORDER_ANSWER = z.object({
  orderId: z.string(),
  quoteId: z.string(),
  side: z.enum(['BUY', 'SELL']),
  status: z.literal('FILLED'),
  price: z.number(),
  size: z.number(),
  value: z.number(),
  fee: z.number(),
  feeCcy: z.string(),
  executedAt: z.iso.datetime(),
});

/** Amounts by currency, decimal text. */
export const BALANCES = z.record(z.string(), z.string());

/** The body of a webhook (spec 2.9); the field that names the user carries the service's name. */
export const depositConfirmed = (brand: string) =>
  z.object({
    notificationType: z.literal('DEPOSIT_CONFIRMED'),
    [`${brand}UserId`]: z.string(),
    transferId: z.uuid(),
    source: z.string(),
    currency: z.string(),
    amount: z.string(),
  });
