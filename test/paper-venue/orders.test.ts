import { describe, expect, test } from 'vitest';
import { Decimal } from '#domain/decimal.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { FeedClient, firstQuote, order, type Rig, rig, signedGet, type Tq } from './venue-rig.ts';

interface Desk extends Rig {
  readonly client: FeedClient;
  readonly quote: Tq;
}

/** A venue with a user who has a quote. */
async function desk(overrides: Partial<VenueSettings> = {}): Promise<Desk> {
  const there = await rig(overrides);
  const client = await new FeedClient(there.venue).open();
  return { ...there, client, quote: await firstQuote(client) };
}

const executed = ({ venue }: Rig) => venue.executions().length;

describe('an order on a quote (spec 4.4)', () => {
  test('conserves money over many orders, big and small, to the last decimal', async () => {
    const there = await rig();
    const client = await new FeedClient(there.venue).open();
    const before = there.venue.balances('1205');
    const amounts = [
      { inputSize: 0.00011 },
      { inputSize: '3.33333' },
      { inputValue: 777.77 },
      { inputSize: 20 },
      { inputValue: '12345.6789' },
    ];
    for (let turn = 0; turn < 40; turn += 1) {
      there.timers.advance(700);
      const product = ['btcusd', 'ethusd', 'eurusd'][turn % 3] ?? 'btcusd';
      const ack = await client.ask({ quoteType: 'TRADING', productCode: product, ...amounts[turn % amounts.length] });
      if (ack.msgType !== 'ACK') continue;
      const { id } = await client.nextQuote();
      await order(there, { quoteId: id, side: turn % 2 === 0 ? 'BUY' : 'SELL' });
    }
    const sums = new Map<string, Decimal>();
    const move = (currency: string, amount: Decimal) => sums.set(currency, (sums.get(currency) ?? new Decimal(0)).plus(amount));
    for (const { product, side, size, value, fee, feeCcy } of there.venue.executions()) {
      const sign = side === 'buy' ? 1 : -1;
      move(product.slice(0, 3), new Decimal(size).times(sign));
      move(product.slice(3), new Decimal(value).times(-sign));
      move(feeCcy, new Decimal(fee).negated());
    }
    const after = there.venue.balances('1205');
    for (const [currency, opening] of Object.entries(before)) {
      expect(after[currency]).toBe(new Decimal(opening).plus(sums.get(currency) ?? 0).toString());
    }
    expect(executed(there)).toBeGreaterThan(20);
  });

  test('that the balance does not cover is refused whole: 422, nothing booked', async () => {
    const there = await rig();
    const client = await new FeedClient(there.venue).open();
    const { id } = await firstQuote(client, { inputSize: 30 });
    expect(await order(there, { quoteId: id })).toMatchObject({ status: 422, body: { errorCode: 'INSUFFICIENT_FUNDS' } });
    expect(there.venue.balances('1205')).toMatchObject({ usd: '1000000', btc: '100' });
    expect(await order(there, { quoteId: id, side: 'SELL' })).toMatchObject({ status: 201 });
  });

  test('is committed before it is answered, and answered after the configured delay', async () => {
    const there = await desk({ answerDelayMs: 300 });
    const answer = order(there, { quoteId: there.quote.id });
    while (executed(there) === 0) await there.client.rest();
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await there.client.rest();
    expect(answered).toBe(false);
    there.timers.advance(300);
    expect(await answer).toMatchObject({ status: 201 });
  });

  test('an answer that is made to come late does not hold up a stop: it is never given', async () => {
    const there = await desk({ answerDelayMs: 40_000 });
    const answer = order(there, { quoteId: there.quote.id }).catch((error: unknown) => error);
    while (executed(there) === 0) await there.client.rest();
    await there.venue.close();
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe('a quote that cannot be traded on: 422, nothing executed', () => {
  test('I02 a quote used twenty times at once is executed once', async () => {
    const there = await desk();
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(there, { quoteId: there.quote.id })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(executed(there)).toBe(1);
  });

  test('F15 an expired quote, counted as late', async () => {
    const there = await desk();
    there.timers.advance(3001);
    const late = await order(there, { quoteId: there.quote.id });
    expect(late).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_EXPIRED' } });
    expect(there.venue.counts().lateOrders).toBe(1);
    there.timers.advance(600_000);
    expect(await order(there, { quoteId: there.quote.id })).toMatchObject({ body: { errorCode: 'QUOTE_EXPIRED' } });
  });

  test('F15 in its last millisecond a quote still serves', async () => {
    const there = await desk();
    there.timers.advance(3000);
    expect(await order(there, { quoteId: there.quote.id })).toMatchObject({ status: 201 });
  });
});

describe("the specification's errors (7)", () => {
  test('the error body says when, where, what, and which field', async () => {
    const there = await desk();
    const { body } = await order(there, { quoteId: there.quote.id, user: '99' });
    expect(body).toEqual({
      timestamp: '2026-01-01T00:00:00.000Z',
      status: 400,
      path: '/svc-broker/api/orders',
      errorCode: 'INVALID_USER',
      error: 'X-API-User-ID is incorrect',
      errors: [{ fields: ['X-API-User-ID'], description: 'X-API-User-ID is incorrect' }],
    });
  });
});

describe('a request that is no order', () => {
  test('every field at fault is named', async () => {
    const there = await desk();
    const { body } = await order(there, { body: '{"orderType":1}' });
    expect(body.errors).toMatchObject([{ fields: ['orderType'], rejectedValue: 1 }, { fields: ['quoteId'] }, { fields: ['side'] }]);
  });
});

describe('the signature (spec 5.1, notes)', () => {
  const at = 1_767_225_600_000;

  test('covers bodies beyond ASCII by their bytes', async () => {
    const there = await rig();
    const headers = { 'x-api-signature': '/+3NuloUBj0mHs6I/q0HPd+6rgPkQuN6dwhbqCK5zLU=', 'x-api-user-id': null };
    expect(await order(there, { body: '{"note":"blåbær"}', timestamp: String(at), headers })).toMatchObject({
      status: 400,
      body: { errorCode: 'INVALID_USER' },
    });
  });
});

describe('orders and balances can be read only where the configuration says so', () => {
  test('off as it comes', async () => {
    const there = await desk();
    for (const target of [`/svc-broker/api/orders?quoteId=${there.quote.id}`, '/svc-broker/api/balances']) {
      expect((await signedGet(there, target)).status).toBe(404);
    }
  });

  test('on: by quote, for its own user alone, and signed', async () => {
    const there = await desk({ capabilities: ['order-query', 'balances'] });
    const target = `/svc-broker/api/orders?quoteId=${there.quote.id}`;
    expect((await signedGet(there, target)).body).toEqual([]);
    const placed = await order(there, { quoteId: there.quote.id });
    expect((await signedGet(there, target)).body).toEqual([placed.body]);
    expect((await signedGet(there, target, '1206')).body).toEqual([]);
    expect((await signedGet(there, '/svc-broker/api/orders')).status).toBe(400);
    expect((await fetch(`${there.venue.url}${target}`)).status).toBe(401);
    expect((await signedGet(there, '/svc-broker/api/balances')).body).toEqual(there.venue.balances('1205'));
    expect((await signedGet(there, '/svc-broker/api/balances', '2001')).status).toBe(403);
  });
});
