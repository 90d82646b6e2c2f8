import { z } from 'zod';

/** Amounts on the wire: finite, not negative, and exact in a double (B01, B02, B03). */
const amount = z.number().min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER);
const word = z.string().min(1, 'must not be empty').max(64);

/** Fields that create and modify share, whatever the type (notes, "Strategies"). */
const SHARED = {
  priceLimit: amount.nullish().describe('opens only at this price or better'),
  orderMaxSize: amount.nullish().describe('largest size of one order'),
  size: amount.nullish().describe('size in base currency'),
  triggerPrice: amount.nullish().describe('at least the smallest price of the product'),
  alwaysPassive: z.boolean().nullish().describe('post-only'),
  ignoreWarnings: z.boolean().nullish().describe('act despite warnings'),
};

const IDENTITY = {
  accountId: word.describe('id of an exchange account'),
  productCode: word.describe('product of the exchange of that account'),
  autoRun: z.boolean().nullish().describe('start right after the creation'),
};

const INITIAL = {
  initialBaseCurrencySize: amount.nullish().describe('size in base currency'),
  initialQuoteCurrencyAmount: amount.nullish().describe('amount in quote currency'),
};

/** Create, variant AI (spec 2.1). */
export const AI_BODY = z.looseObject({
  strategyType: z.literal('AI'),
  ...IDENTITY,
  ...INITIAL,
  ...SHARED,
  aiModelVariant: word.nullish(),
  aiModelPositionMode: word.nullish(),
  executionType: word.nullish(),
  useInitialModelPrice: z.boolean().nullish(),
  desiredNetProfitPercentage: amount.nullish(),
  useSpikeProtection: z.boolean().nullish(),
});

/** Create, every other variant: shared fields are checked, others are kept as sent. */
export const OPEN_BODY = z.looseObject({
  strategyType: word.describe('SMO, Slicer, TWAP, TARB, ALO, TMM, Follower or another'),
  ...IDENTITY,
  ...INITIAL,
  ...SHARED,
});

/** Modify, variant AI: the fields that may change; null erases, a missing field is unchanged (spec 4.1). */
export const AI_CHANGES = z.looseObject({
  ...SHARED,
  useSpikeProtection: z.boolean().nullish(),
  desiredNetProfitPercentage: amount.nullish(),
});

/** Modify, every other variant. */
export const OPEN_CHANGES = z.looseObject({ ...INITIAL, ...SHARED });

const moment = z.iso.datetime({ offset: true, error: 'must be a date-time with a zone, such as 2026-01-01T00:00:00Z' });

/** The times of an opening pause (spec 2.4). */
export const OPENING_PAUSE_BODY = z.object({ fromTime: moment, toTime: moment });

/** Shares of the present position to keep, in percent (spec 2.4). */
export const FLUSH_BODY = z.object({ longPositionTargetPercentage: z.number(), shortPositionTargetPercentage: z.number() });

/** Answer of create (spec 2.2). */
export const CREATED = z.object({ strategyId: z.string() });

/** One strategy in the answer of `find` (notes, "Strategies"). */
export const FOUND = z.object({
  strategyId: z.string(),
  version: z.number().int(),
  engineVer: z.number().int(),
  eventTime: z.iso.datetime(),
  state: z.record(z.string(), z.string()),
  uiParams: z.record(z.string(), z.looseObject({})),
  uiData: z.string(),
});

export type CreateBody = z.infer<typeof AI_BODY> | z.infer<typeof OPEN_BODY>;
