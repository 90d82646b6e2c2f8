import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { Bot, until } from './bot.ts';
import { dec, show } from './figures.ts';
import { HOUSE, type Reading, type Reply } from './reading.ts';
import { CREDENTIALS, Service, sign } from './service.ts';

const ORDERS = '/svc-broker/api/orders';
const STRATEGIES = '/strategy-orchestrator/strategies';
const SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

let service: Service;
let bot: Bot;
let webhooks = '';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const read = (change: Partial<Reading>): void => {
  service.reading = { ...service.reading, ...change };
};
/** Orders that came, in one product or in all. */
const sent = (product?: string): number =>
  service.of(ORDERS).filter(({ body }) => {
    const { quoteId } = JSON.parse(body) as { quoteId: string };
    return product === undefined || service.feed.quotes.get(quoteId)?.product.code === product;
  }).length;
/** Ends a halt, and leaves the strategies paused. */
const calm = async (): Promise<void> => {
  await bot.post('/api/resume', { why: 'a test' });
  for (const strategy of ['see', 'saw']) await bot.post('/api/pause', { strategy, why: 'a test' });
};
const trading = async (): Promise<string> => (await bot.json<{ trading: string }>('/api/state')).trading;

/** An order by hand into euros, and what became of it. */
async function byHand(size: string): Promise<string> {
  const { body } = await bot.post('/api/order', { product: 'eurusd', side: 'buy', size, why: 'a test' });
  const ended = await until(`the end of ${JSON.stringify(body)}`, async () => {
    const act = await bot.json<{ ended: boolean }>(`/api/by-hand/${String(body.id)}`);
    return act.ended ? JSON.stringify(act) : null;
  });
  return ended;
}

/** One order by hand that meets this answer in place of the ordinary. Returns how many requests it made. */
async function meets(reply: Reply, size: string): Promise<{ requests: number; act: string }> {
  const before = sent('eurusd');
  service.turns.push({ execute: false, reply, product: 'eurusd' });
  // A machine that does not keep up refuses for a while what it would send else.
  let act = '';
  while (sent('eurusd') === before) act = await byHand(size);
  await pause(700);
  return { requests: sent('eurusd') - before, act };
}

beforeAll(async () => {
  service = await Service.open();
  const port = await freePort();
  webhooks = `http://127.0.0.1:${port}/webhooks`;
  const lanes = [
    '  - { id: see, use: ./seesaw.ts, product: btcusd, amount: { base: 0.01 } }',
    '  - { id: saw, use: ./seesaw.ts, product: ethsek, amount: { quote: 5000 } }',
  ].join('\n');
  bot = await Bot.at(service, lanes, {
    'service.answerMs': '900',
    'service.apiVersion': '2024-06',
    'lanes.waitMs': '5000',
    'webhooks.enabled': 'true',
    'webhooks.port': String(port),
  });
  await bot.start();
  await until('orders', () => service.executed.length >= 8);
});

afterAll(async () => {
  await bot?.dispose();
  await service?.close();
});

describe('the judge', () => {
  test('signs as the published vectors do, or it could pass what the real service refuses', () => {
    const body = '{"orderType": "MARKET", "quoteId": "5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11", "side": "BUY"}';
    expect(sign(SECRET, `1767225600000POST${ORDERS}1205${body}`)).toBe('RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo=');
    expect(sign(SECRET, `1767225600000GET${ORDERS}?limit=2&from=a%20b`)).toBe('VODdAbaYT8PXPKP8V3Roct84+wXQILN4qbZzVAcqjK8=');
  });

  test('refuses what breaks a rule, or its silence would prove nothing', async () => {
    const judge = await Service.open();
    const order = async (timestamp: number, body: string, also: Readonly<Record<string, string>> = {}): Promise<number> => {
      const headers = {
        'Content-Type': 'application/json',
        'X-API-Key': CREDENTIALS.apiKey,
        'X-API-Timestamp': String(timestamp),
        'X-API-User-ID': CREDENTIALS.userId,
        'X-API-Signature': sign(CREDENTIALS.apiSecret, `${timestamp}POST${ORDERS}${CREDENTIALS.userId}${body}`),
        ...also,
      };
      return (await fetch(judge.url + ORDERS, { method: 'POST', headers, body })).status;
    };
    try {
      const body = '{"orderType":"MARKET","quoteId":"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11","side":"BUY"}';
      const statuses = [
        await order(judge.now() - 5100, body),
        await order(judge.now(), body, { 'X-API-Key': 'x' }),
        await order(judge.now(), body, { 'X-API-User-ID': '4712' }),
        await order(judge.now(), body.replace('}', ',"size":1}')),
        await order(judge.now(), body),
      ];
      expect(statuses).toEqual([401, 401, 401, 400, 422]);
      expect(judge.faults).toHaveLength(5);
    } finally {
      await judge.close();
    }
  });

  test('counts money as the quotes say', () => {
    expect(show(dec('1e-8'))).toBe('0.00000001');
    expect(show(dec('-61800.50'), 2)).toBe('-61800.50');
  });
});

describe('orders at a service nobody has told the client about', () => {
  test('are executed, and both keep the same books', async () => {
    await calm();
    expect(service.executed.length).toBeGreaterThanOrEqual(8);
    expect(new Set(service.executed.map(({ side, product }) => side + product.code)).size).toBe(4);
    expect(await bot.differences()).toEqual([]);
  });

  test('carry one of each header, and a signature over the very bytes that came (5.1)', () => {
    const wire = ['X-API-Key', 'X-API-Timestamp', 'X-API-Signature', 'X-API-User-ID'];
    for (const { method, path, rawHeaders, body, at } of service.of(ORDERS)) {
      const values = wire.map((name) =>
        rawHeaders.filter((_, i) => rawHeaders[i - 1]?.toLowerCase() === name.toLowerCase() && i % 2 === 1),
      );
      expect(values.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
      const [key, timestamp, signature, user] = values.flat();
      expect({ key, user, method, path }).toEqual({ key: CREDENTIALS.apiKey, user: CREDENTIALS.userId, method: 'POST', path: ORDERS });
      expect(signature).toBe(sign(CREDENTIALS.apiSecret, `${timestamp}POST${ORDERS}${CREDENTIALS.userId}${body}`));
      expect(Math.abs(Number(timestamp) - at)).toBeLessThan(5000);
      expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(['orderType', 'quoteId', 'side']);
    }
  });

  test('use a quote once, while it lives, and the one that was executed is the one they name', () => {
    const ids = service.of(ORDERS).map(({ body }) => (JSON.parse(body) as { quoteId: string }).quoteId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { at, quoteId } of service.executed) expect(at).toBeLessThan(service.feed.quotes.get(quoteId)?.validUntil ?? 0);
  });

  test('come on lanes with one connection and one subscription each, opened as the user (4.5)', () => {
    const lanes = service.feed.connections.filter(({ requests }) => /btcusd|inputValue/.test(requests[0] ?? ''));
    expect(lanes.map(({ requests }) => requests.length)).toEqual([1, 1]);
    expect(service.feed.connections.every(({ userId }) => userId === CREDENTIALS.userId)).toBe(true);
    expect(lanes.flatMap(({ requests }) => requests.map((text) => JSON.parse(text) as object)).sort()).toEqual([
      { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 },
      { quoteType: 'TRADING', productCode: 'ethsek', inputValue: 5000 },
    ]);
  });
});

describe('orders that must not go out', () => {
  /** Lets the strategy of bitcoins try for a while, and returns how many orders came. */
  async function tried(change: Partial<Reading>, back: Partial<Reading>, enough: (before: number) => Promise<unknown> = () => pause(1100)) {
    read(change);
    await pause(600);
    const before = sent();
    await bot.post('/api/resume', { strategy: 'see', why: 'a test' });
    await enough(before);
    const came = sent() - before;
    await bot.post('/api/pause', { strategy: 'see', why: 'a test' });
    read(back);
    await until('the end of what is on its way', async () => (await bot.json<{ orders: unknown[] }>('/api/state')).orders.length === 0);
    return came;
  }

  test('the strategy orders when nothing is wrong, or the tests below show nothing', async () => {
    expect(await tried({}, {}, (before) => until('an order', () => sent() > before))).toBeGreaterThan(0);
  });

  test('on an anonymous quote: nobody could execute it', async () => {
    expect(await tried({ quote: ({ id: _, ...quote }) => quote }, { quote: HOUSE.quote })).toBe(0);
  });

  test('on a quote that has expired when it comes', async () => {
    expect(await tried({ validForMs: -500 }, { validForMs: HOUSE.validForMs })).toBe(0);
  });

  test('on a quote whose expiry cannot be read', async () => {
    expect(await tried({ validUntil: () => 'soon' }, { validUntil: HOUSE.validUntil })).toBe(0);
  });

  test('on a quote of another product than the lane subscribed', async () => {
    expect(await tried({ quote: (quote) => ({ ...quote, productCode: 'eurusd' }) }, { quote: HOUSE.quote })).toBe(0);
  });

  test('on a quote of another size than the lane subscribed', async () => {
    const twice = (side: unknown) => ({ ...(side as object), size: 0.02 });
    const change = (quote: Readonly<Record<string, unknown>>) => ({
      ...quote,
      buyQuote: twice(quote.buyQuote),
      sellQuote: twice(quote.sellQuote),
    });
    expect(await tried({ quote: change as Reading['quote'] }, { quote: HOUSE.quote })).toBe(0);
  });

  test('on a subscription whose ACK echoes another query', async () => {
    read({ ack: (ack) => ({ ...ack, query: { quoteType: 'TRADING', productCode: 'eurusd', inputSize: 77, inputValue: null } }) });
    const before = sent('eurusd');
    const act = await byHand('41');
    read({ ack: HOUSE.ack });
    expect(sent('eurusd') - before).toBe(0);
    expect(act).toMatch(/refused|LANE/);
  });

  test('on quotes of the subscription before, which go on until the new one is acknowledged', async () => {
    read({ replaceAfterMs: 700 });
    const before = service.executed.length;
    for (const size of ['30', '31', '32']) {
      // A machine that does not keep up refuses for a while what it would send else.
      for (const already = sent('eurusd'); sent('eurusd') === already; ) await byHand(size);
    }
    read({ replaceAfterMs: HOUSE.replaceAfterMs });
    const sizes = service.executed
      .slice(before)
      .filter(({ product }) => product.code === 'eurusd')
      .map(({ size }) => show(size));
    expect(sizes).toEqual(['30', '31', '32']);
    const reused = service.feed.connections.filter(({ requests }) => requests.length > 1);
    expect(reused.length).toBeGreaterThan(0);
  });
});

describe('orders that are refused or lost', () => {
  afterEach(calm);

  test('422 is a refusal: asked once, nothing is booked', async () => {
    const { requests, act } = await meets(HOUSE.problem(422, 'Unprocessable', 'price has moved'), '50');
    expect(requests).toBe(1);
    expect(act).toContain('HTTP_REFUSED');
    expect(await bot.differences()).toEqual([]);
  });

  test('one 401 is a refusal, the second in a row stops trading before a lock-out (7.1)', async () => {
    expect((await meets(HOUSE.problem(401, 'Unauthorized', 'no such key'), '51')).requests).toBe(1);
    expect(await trading()).toBe('ACTIVE');
    // An order of a strategy that is executed in between ends the row.
    while ((await trading()) === 'ACTIVE') {
      expect((await meets(HOUSE.problem(401, 'Unauthorized', 'no such key'), '52')).requests).toBe(1);
    }
    expect(await trading()).toBe('HALTED');
  });

  test('403 stops trading: the user is not registered through the caller (7.5)', async () => {
    expect((await meets(HOUSE.problem(403, 'Forbidden', 'not your user'), '53')).requests).toBe(1);
    expect(await trading()).toBe('HALTED');
  });

  test('400 that names the user stops trading (7.4)', async () => {
    expect((await meets(HOUSE.problem(400, 'Bad Request', 'X-API-User-ID is incorrect'), '54')).requests).toBe(1);
    expect(await trading()).toBe('HALTED');
  });

  test('without an answer an order is unknown and never sent again; a person settles it and the books are equal', async () => {
    const before = sent('eurusd');
    service.turns.push({ execute: true, reply: 'none', product: 'eurusd' });
    while (sent('eurusd') === before) await byHand('55');
    const { order } = await until('an unknown order', async () => {
      const { orders } = await bot.json<{ orders: { order: string; state: string }[] }>('/api/state');
      return orders.find(({ state }) => state === 'unknown');
    });
    await pause(1500);
    expect(sent('eurusd') - before).toBe(1);
    expect((await bot.differences()).length).toBeGreaterThan(0);
    expect((await bot.post('/api/resolve', { order, as: 'accepted', why: 'seen in the account' })).status).toBe(200);
    expect(await bot.differences()).toEqual([]);
  });
});

describe('notifications of the service', () => {
  const deposit = (transferId: string, amount: string, also = ''): string =>
    `{"amount":"${amount}","currency":"SEK","notificationType":"DEPOSIT_CONFIRMED","source":"bank","transferId":"${transferId}","svcUserId":"4711"${also}}`;
  const statuses = async (): Promise<string[]> => {
    const { out } = await bot.command('notifications', 'list', '--json');
    return [...out.matchAll(/"status": ?"(\w+)"/g)].map(([, status]) => status ?? '').sort();
  };
  const one = '0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42';

  test('are verified, kept once and booked; what is not authentic or not in time moves nothing (5.4, 6.1)', async () => {
    const body = deposit(one, '250.50');
    const wrong = Buffer.from('another secret than was agreed').toString('base64');
    const answers = [
      await service.notify(webhooks, body, { secret: wrong }),
      await service.notify(webhooks, body, { signature: '' }),
      await service.notify(webhooks, body, { timestamp: service.now() - 60_000 }),
      await service.notify(webhooks, body),
      await service.notify(webhooks, body),
      await service.notify(webhooks, deposit(one, '250.50', ',"memo":{"of":"later"}')),
      await service.notify(webhooks, deposit('1b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42', '1').replace('4711', '4712')),
      await service.notify(webhooks, '{"notificationType":"MARGIN_CALL","svcUserId":"4711","level":3}'),
      await service.notify(webhooks, '[]'),
    ];
    expect(answers.slice(0, 2)).toEqual([401, 401]);
    expect(answers[2]).toBeGreaterThanOrEqual(400);
    expect(answers.slice(3, 8).every((status) => status >= 200 && status < 300)).toBe(true);
    expect(answers[8]).toBeGreaterThanOrEqual(400);
    service.balances.set('sek', (service.balances.get('sek') ?? 0n) + dec('250.50'));
    expect(await bot.differences()).toEqual([]);
    expect(await statuses()).toEqual(['booked', 'other_user', 'unknown_type']);
  });
});

describe('what a user asks of the service', () => {
  const body = ({ body: text }: { readonly body: string }): unknown => (text === '' ? '' : JSON.parse(text));

  test('accounts and products are read with what is unknown in them, and no key of an exchange is shown', async () => {
    const [accounts, products, quotes] = await Promise.all([
      bot.command('accounts', '--json'),
      bot.command('products', '--exchange', 'VB', '--json'),
      bot.command('quotes', 'ethsek', '--value', '700', '--count', '2', '--json'),
    ]);
    expect([accounts.code, products.code, quotes.code]).toEqual([0, 0, 0]);
    expect(accounts.out).toContain('90210');
    expect(accounts.out).toContain('KRK');
    expect(accounts.out + accounts.err + bot.log).not.toContain('an-exchange-key-in-clear');
    expect(products.out).toContain('0.00000001');
    expect(products.out).not.toContain('bin-btc-usdt');
    expect(quotes.out).toContain('276');
  });

  test('strategies are created, changed and stopped by the methods, paths and bodies of 4.1', async () => {
    const from = service.seen.length;
    const remote = async (...words: readonly string[]) => {
      const answer = await bot.command('remote', ...words, '--yes', '--json');
      expect(`${words[0]}: ${answer.code} ${answer.err}`).toMatch(new RegExp(`^${words[0]}: 0 `));
      return answer;
    };
    await remote('create', '--account', '90210', '--product', 'btcusd', '--amount', '500.25');
    await Promise.all([
      remote('modify', 'st-1', '--price-limit', '61000.5', '--erase', 'ignoreWarnings'),
      remote('flush', 'st-1', '--long', '12.5', '--short', '0'),
      remote('pause-openings', 'st-1', '--from', '2026-12-24T12:00:00+01:00', '--to', '2026-12-27T00:00:00Z'),
    ]);
    await remote('start', 'st-1');
    await remote('pause', 'st-1');
    await Promise.all([remote('pause-all'), remote('resume-all')]);
    await remote('stop', 'st-1');
    await remote('delete', 'st-1');
    await remote('delete-all');
    const asked = service.seen.slice(from).filter(({ path }) => path.startsWith(STRATEGIES) && !path.includes('/find'));
    const of = (act: string) => asked.filter(({ method, path }) => `${method} ${path.slice(STRATEGIES.length)}` === act);
    const plain = ['PUT /st-1/action/start', 'PUT /st-1/action/pause', 'PUT /st-1/action/stop', 'DELETE /st-1/action/delete'];
    for (const act of [...plain, 'PUT /pauseAll', 'PUT /resumeAll', 'DELETE /deleteAll'])
      expect([act, ...of(act).map(body)]).toEqual([act, '']);
    const [created] = of('POST /action/create').map(body);
    expect(created).toMatchObject({ strategyType: 'AI', productCode: 'btcusd', accountId: '90210', initialQuoteCurrencyAmount: 500.25 });
    expect(of('PATCH /st-1/action/modify').map(body)).toEqual([{ priceLimit: 61000.5, ignoreWarnings: null }]);
    expect(of('PUT /st-1/action/flush').map(body)).toEqual([{ longPositionTargetPercentage: 12.5, shortPositionTargetPercentage: 0 }]);
    const [opening] = of('PUT /st-1/action/schedule-opening-pause').map(body) as { fromTime: string; toTime: string }[];
    expect([opening?.fromTime, opening?.toTime].map((time) => Date.parse(time ?? ''))).toEqual([1798110000000, 1798329600000]);
    expect(asked).toHaveLength(11);
    for (const { path, headers } of asked) {
      expect(headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
      expect(headers['se-api-version']).toBe(path.endsWith('/create') ? undefined : '2024-06');
    }
  });

  test('a create that is refused is sent once, and the user hears of it', async () => {
    const from = service.seen.length;
    const refused = await bot.command('remote', 'create', '--account', '1', '--product', 'btcusd', '--amount', '500', '--yes');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('400');
    expect(service.seen.slice(from).filter(({ path }) => path.endsWith('/create'))).toHaveLength(1);
  });

  // 7.7 promises an explanation, and leaves its shape open.
  test('a create that is refused is told in the words of the service, or the user cannot mend it', async () => {
    const refused = await bot.command('remote', 'create', '--account', '1', '--product', 'btcusd', '--amount', '500', '--yes');
    expect(refused.out + refused.err).toContain('accountId: there is no such account');
  });

  test('a password may be a phrase, or its owner cannot sign in', async () => {
    const other = await Service.open();
    other.password = 'correct horse battery';
    const asking = await Bot.at(other);
    try {
      const { code, err } = await asking.command('accounts', '--json');
      expect(`${code} ${err}`).toBe('0 ');
    } finally {
      await asking.dispose();
      await other.close();
    }
  });

  test('a sign-in with a second factor gives the token that accounts are asked with', async () => {
    const other = await Service.open({ secondFactor: true });
    const asking = await Bot.at(other);
    try {
      const { code, out, err } = await asking.command('accounts', '--json');
      expect(`${code} ${err}`).toBe('0 ');
      expect(out).toContain('90211');
      expect(other.of('/httpserver')).toHaveLength(2);
      expect(other.faults).toEqual([]);
    } finally {
      await asking.dispose();
      await other.close();
    }
  });
});

describe('in the end', () => {
  test('the books are equal still', async () => {
    expect(await bot.differences()).toEqual([]);
    expect(service.balance('eur')).toBe('1148');
  });

  test('nothing that came broke a rule of the specification', () => {
    expect([...new Set(service.faults)]).toEqual([]);
  });
});
