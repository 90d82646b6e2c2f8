import { describe, expect, onTestFinished, test } from 'vitest';
import { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, quoteId } from '#domain/names.ts';
import { FeedClient, firstQuote, order, rig } from '../../../paper-venue/venue-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { order as asked } from '../support/orders.ts';
import { answer, RawServer } from '../support/raw-server.ts';
import { serviceSettings } from '../support/service-settings.ts';

const QUOTE = '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11';

function queryAt(baseUrl: string, timers = new VirtualTimers()): BrokerQuery {
  const query = new BrokerQuery({ baseUrl, service: serviceSettings(), timers });
  onTestFinished(() => query.close());
  return query;
}

async function saying(bytes: string): Promise<{ readonly query: BrokerQuery; readonly server: RawServer }> {
  const server = await RawServer.start((_request, socket) => socket.write(bytes));
  onTestFinished(() => server.stop());
  return { query: queryAt(server.baseUrl), server };
}

const told = async (body: string, status = 200): Promise<unknown> => {
  const { query } = await saying(answer(status, body));
  return query.order(QUOTE, asked({ quoteId: quoteId(QUOTE) })).catch((error: Error) => error.message.replace(/http:\/\/\S+/, 'it'));
};

describe('a venue that offers more than the specification', () => {
  test('tells what became of an order by its quote, and the balances, to the last decimal', async () => {
    const there = await rig({ capabilities: ['order-query', 'balances'] });
    const query = queryAt(there.venue.url, there.timers);
    const quote = await firstQuote(await new FeedClient(there.venue).open());
    expect(await query.order(quote.id)).toEqual({ kind: 'none', body: '[]' });
    expect((await order(there, { quoteId: quote.id })).status).toBe(201);
    const [execution] = there.venue.executions();
    const { price, size, value, fee } = execution ?? {};
    const { buyQuote } = quote;
    const figures = {
      price: decimalOf(buyQuote.price),
      size: decimalOf(buyQuote.size),
      value: decimalOf(buyQuote.value),
      fee: decimalOf(buyQuote.feeInQuoteCcy),
      feeCcy: currency('usd'),
    };
    expect(await query.order(quote.id.toUpperCase(), asked({ quoteId: quoteId(quote.id), figures }))).toMatchObject({
      kind: 'executed',
      figures: { price, size, value, fee, feeCcy: 'usd' },
    });
    expect(Object.fromEntries(await query.balances())).toEqual(there.venue.balances('1205'));
  });

  test.each([
    [['balances'] as const, 'order', /outcome of the order .* with 404; .*service\.capabilities/],
    [['order-query'] as const, 'balances', /balances with 404; .*service\.capabilities/],
  ] as const)('with %j alone the other is answered with 404', async (capabilities, what, message) => {
    const there = await rig({ capabilities });
    const query = queryAt(there.venue.url, there.timers);
    await expect(what === 'order' ? query.order(QUOTE) : query.balances()).rejects.toThrow(message);
  });
});

describe('an answer that leaves any doubt settles nothing', () => {
  test.each([
    ['an order without status', `[{"quoteId":"${QUOTE}"}]`, /without status/],
    ['one that came to nothing', `[{"quoteId":"${QUOTE}","status":"REJECTED"}]`, /REJECTED/],
    [
      'one that says an error',
      `[{"quoteId":"${QUOTE}","status":"FILLED","error":"x"}]`,
      /error "x".*service\.filledStatuses.*service\.rejectedStatuses.*service\.ignoredFields/,
    ],
    [
      'one of another size',
      `[{"quoteId":"${QUOTE}","status":"FILLED","size":5000}]`,
      /5000.*0\.1.*settle the order.*service\.ignoredFields: \[size\]/,
    ],
    ['another order', '[{"quoteId":"other","status":"FILLED"}]', /another quote/],
    ['two', `[{"quoteId":"${QUOTE}","status":"FILLED"},{}]`, /more or fewer than one order/],
    ['HTML', '<html></html>', /no list/],
    ['an object', '{}', /no list/],
    ['null', '[null]', /more or fewer than one order/],
  ])('%s', async (_, body, message) => {
    const said = String(await told(body));
    expect(said).toContain(QUOTE);
    expect(said.slice(said.indexOf(QUOTE) + QUOTE.length)).toMatch(message);
  });

  test.each([301, 401, 429, 500])('status %d', async (status) => {
    expect(await told('[]', status)).toContain(`with ${status}`);
  });

  test.each(['[]', '{"btc":"1e3"}', '{"btc":"NaN"}', '{"b c":"1"}', '{"btc":{}}', 'no'])('balances %s', async (body) => {
    const { query } = await saying(answer(200, body));
    await expect(query.balances()).rejects.toThrow(/answered the question for the balances with/);
  });
});

test('I13 the path is signed with its query, under the user, with an empty body', async () => {
  const { query, server } = await saying(answer(200, '[]'));
  await query.order(QUOTE);
  const [request = ''] = server.requests;
  expect(request).toMatch(new RegExp(`^GET /svc-broker/api/orders\\?quoteId=${QUOTE} HTTP/1\\.1\r\n`));
  expect(request).toMatch(/\r\nX-API-User-ID: 1205\r\n/i);
  expect(request.split('\r\n\r\n')[1]).toBe('');
});
