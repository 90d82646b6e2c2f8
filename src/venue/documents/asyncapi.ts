import type { z } from 'zod';
import { ACK, BQ, ERR, FQ, SUBSCRIPTION, TQ } from './feed-messages.ts';
import { type Json, schemaOfInput, schemaOfOutput } from './json-schema.ts';
import { depositConfirmed } from './records.ts';

/** The paper venue's messages as an AsyncAPI 3.0 document: the quotes feed, and what partners are told by webhook. */
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
            ...message('money has arrived for a user', schemaOfOutput(depositConfirmed(brand))),
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
