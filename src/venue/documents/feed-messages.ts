import { z } from 'zod';

/** The messages of the quotes feed (spec 2.7, 2.8), as a document tells them. */

const input = z.union([z.number(), z.string()]).nullish();

export const SUBSCRIPTION = z.object({
  quoteType: z.enum(['BASIC', 'TRADING', 'FULL']),
  productCode: z.string().nullable().describe('a product of VB; null for all of them'),
  inputSize: input.describe('TRADING only: size in base currency; exactly one of inputSize and inputValue'),
  inputValue: input.describe('TRADING only: value in quote currency'),
});

export const ACK = z.object({
  msgType: z.literal('ACK'),
  userId: z.number().optional().describe('absent on a connection without a user'),
  query: z.object({
    quoteType: z.string(),
    productCode: z.string().nullable(),
    inputSize: z.number().nullable(),
    inputValue: z.number().nullable(),
  }),
  config: z.looseObject({}),
});

export const ERR = z.object({ msgType: z.literal('ERR'), errorMsg: z.string() });

const side = z.object({
  price: z.number(),
  size: z.number(),
  value: z.number(),
  feeInBaseCcy: z.number(),
  feeInQuoteCcy: z.number(),
  slippage: z.number(),
  slippagePercentage: z.number(),
});

const names = { productCode: z.string(), baseCcy: z.string(), quoteCcy: z.string() };

export const TQ = z.object({
  msgType: z.literal('TQ'),
  id: z.uuid().optional().describe('absent in anonymous quotes'),
  ...names,
  buyQuote: side,
  sellQuote: side,
  avgQuote: z.object({ size: z.number(), value: z.number(), feeInBaseCcy: z.number(), feeInQuoteCcy: z.number() }),
  feePercentage: z.number(),
  spread: z.number(),
  spreadPercentage: z.number(),
  dailyChangePercentage: z.number(),
  validUntil: z.iso.datetime(),
});

export const BQ = z.object({ msgType: z.literal('BQ'), ...names, price: z.number(), time: z.iso.datetime() });

const levels = z.array(z.object({ price: z.number(), size: z.number() })).describe('best first');

export const FQ = z.object({ msgType: z.literal('FQ'), ...names, bids: levels, asks: levels, time: z.iso.datetime() });
