import { expect, test } from 'vitest';
import { z } from 'zod';
import * as messages from '#paper-venue/documents/asyncapi.ts';
import { asyncApi } from '#paper-venue/documents/asyncapi.ts';
import { openApi } from '#paper-venue/documents/openapi.ts';
import { ACCOUNT, ORDER, ORDER_ANSWER, PRODUCT } from '#paper-venue/documents/records.ts';
import { orderBodyOf } from '#paper-venue/http/broker.ts';
import { asker } from './orchestrator-rig.ts';
import { FeedClient, firstQuote, order, rig } from './venue-rig.ts';

test.each(['/openapi.json', '/asyncapi.json'])('%s is served, with the brand of the venue in its paths', async (path) => {
  const { venue } = await rig({ brand: 'acme' });
  const response = await fetch(`${venue.url}${path}`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(path === '/openapi.json' ? openApi('acme') : asyncApi('acme'));
});

test('every path of the document answers to its method, with and without a token, as the document says', async () => {
  const there = await asker();
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))) })
    .parse(openApi('svc'));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const url = `${there.venue.url}${path.replace('{strategyAppId}', 'x')}`;
      const bare = await fetch(url, { method: method.toUpperCase() });
      expect([path, method, bare.status]).not.toEqual([path, method, 404]);
      expect([path, method, Object.keys(responses)]).toEqual([path, method, expect.arrayContaining([String(bare.status)])]);
      if (!path.startsWith('/strategy-orchestrator/strategies')) continue;
      const { status } = await there.ask(
        method.toUpperCase(),
        path.replace('{strategyAppId}', 'x').slice('/strategy-orchestrator/strategies'.length),
      );
      expect([path, method, Object.keys(responses)]).toEqual([path, method, expect.arrayContaining([String(status)])]);
    }
  }
});

test('each operation has an id of its own, and says what it asks of who calls it: nothing, a token or a signature', () => {
  const operation = z.object({
    operationId: z.string().regex(/^[a-z][A-Za-z]*$/),
    security: z.array(z.record(z.string(), z.array(z.never()))),
  });
  const { paths, components } = z
    .object({
      paths: z.record(z.string(), z.record(z.string(), operation)),
      components: z.object({ securitySchemes: z.record(z.string(), z.unknown()) }),
    })
    .parse(openApi('svc'));
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  const schemes = new Set(all.flatMap(({ security }) => security.flatMap((one) => Object.keys(one))));
  expect([...schemes].sort()).toEqual(Object.keys(components.securitySchemes).sort());
  expect(paths['/svc-broker/api/orders']?.post).toMatchObject({ operationId: 'orders', security: [{ apiSignature: [] }] });
});

test('what is sent is what the documents say', async () => {
  const there = await rig();
  const client = await new FeedClient(there.venue).open();
  for (const [quoteType, schema] of [
    ['BASIC', messages.BQ],
    ['FULL', messages.FQ],
  ] as const) {
    messages.ACK.strict().parse(await client.ask({ quoteType, productCode: 'btcusd' }));
    schema.strict().parse(await client.next());
  }
  messages.ERR.strict().parse(await client.ask({ quoteType: 'TRADING', productCode: 'btcusd' }));
  const quote = await firstQuote(client);
  messages.TQ.strict().parse(quote);
  ORDER_ANSWER.strict().parse((await order(there, { quoteId: quote.id })).body);
  const products = await (await fetch(`${there.venue.url}/mms/v2/productDetails`)).json();
  z.array(PRODUCT).min(7).parse(products);
  const signedIn = await fetch(`${there.venue.url}/httpserver/main/v2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'paper@example.com', password: 'paper' }),
  });
  const headers = { authorization: signedIn.headers.get('authorization') ?? '' };
  z.array(ACCOUNT.strict())
    .length(2)
    .parse(await (await fetch(`${there.venue.url}/as/v3/accounts`, { headers })).json());
});

test.each([
  { orderType: 'MARKET', quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', side: 'BUY' },
  { orderType: 'MARKET', quoteId: '5F1D7A52-0C4E-4B7E-9A57-2F0E6D3B8C11', side: 'SELL' },
  { orderType: 'LIMIT', quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', side: 'BUY' },
  { orderType: 'MARKET', quoteId: 'x', side: 'BUY' },
  { orderType: 'MARKET', quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', side: 'HOLD' },
  {},
])('the order schema and the check of orders agree on %j', (body) => {
  expect('fault' in orderBodyOf(Buffer.from(JSON.stringify(body)))).toBe(!ORDER.safeParse(body).success);
});
