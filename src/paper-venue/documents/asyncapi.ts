import { z } from 'zod';
import { type Json, schemaOfInput, schemaOfOutput } from './json-schema.ts';
import { depositConfirmed } from './records.ts';

/** The paper venue's messages as an AsyncAPI 3.0 document: the quotes feed and the webhooks. */
export function asyncApi(brand: string): Json {
  const sent: readonly (readonly [name: string, summary: string, schema: z.ZodType])[] = [
    ['ACK', 'subscription accepted', ACK],
    ['ERR', 'subscription refused; the one before goes on', ERR],
    ['TQ', 'trading quote; with an id it can be ordered on until validUntil', TQ],
    ['BQ', 'basic quote: one price, shown only', BQ],
    ['FQ', 'full quote: the order book, shown only', FQ],
  ];
  const names = sent.map(([name]) => name);
  const pointers = (channel: string, of: readonly string[]) => of.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Kairos paper venue', version: '1', description: 'Quotes twice a second, and notifications to partners.' },
    servers: { paper: { host: '127.0.0.1:8090', protocol: 'ws' } },
    channels: {
      quotes: {
        address: `/${brand}-broker/public/quotes`,
        description: 'One subscription a connection; a new request replaces the old. With userId quotes carry an id.',
        messages: {
          subscription: message('a request to subscribe', schemaOfInput(SUBSCRIPTION)),
          ...Object.fromEntries(sent.map(([name, summary, schema]) => [name, message(summary, schemaOfOutput(schema))])),
        },
        bindings: { ws: { method: 'GET', query: { type: 'object', properties: { userId: { type: 'string' } } } } },
      },
      notifications: {
        address: null,
        description: 'The URL that the partner of the user gave (venue.webhooks.url, and otherUrl for users of another partner).',
        messages: {
          DEPOSIT_CONFIRMED: {
            ...message('a user received money', schemaOfOutput(depositConfirmed(brand))),
            headers: {
              type: 'object',
              required: ['X-Webhook-Timestamp', 'X-Webhook-Signature'],
              properties: {
                'X-Webhook-Timestamp': { type: 'string', description: 'Unix time in milliseconds' },
                'X-Webhook-Signature': { type: 'string', description: 'Base64 of HMAC-SHA256 over the timestamp and the raw body' },
              },
            },
          },
        },
      },
    },
    operations: {
      subscribe: { action: 'receive', channel: { $ref: '#/channels/quotes' }, messages: pointers('quotes', ['subscription']) },
      quote: { action: 'send', channel: { $ref: '#/channels/quotes' }, messages: pointers('quotes', names) },
      notify: {
        action: 'send',
        channel: { $ref: '#/channels/notifications' },
        messages: pointers('notifications', ['DEPOSIT_CONFIRMED']),
        bindings: { http: { method: 'POST' } },
      },
    },
  };
}

function message(summary: string, payload: Json): Json {
  return { summary, contentType: 'application/json', payload };
}

/** Schemas of the quotes feed's messages (spec 2.7, 2.8), for the document. */

const input = z.union([z.number(), z.string()]).nullish();

const SUBSCRIPTION = z.object({
  quoteType: z.enum(['BASIC', 'TRADING', 'FULL']),
  productCode: z.string().nullable().describe('a product of VB; null for all of them'),
  inputSize: input.describe('TRADING only: size in base currency; exactly one of inputSize and inputValue'),
  inputValue: input.describe('TRADING only: value in quote currency'),
});

/** The message that acknowledges a subscription (spec 2.8). */
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

/** The message of a trading quote (spec 2.8). */
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
