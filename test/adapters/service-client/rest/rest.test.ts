import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { sign, signingKey } from '#adapters/service-client/orders/signature.ts';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { expiryMs } from '#adapters/service-client/rest/sign-in.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { askAndLook } from '#daemon/operations/remote/remote-service.ts';
import type { RemoteAsk } from '#domain/remote.ts';
import type { Timers } from '#ports/timers.ts';
import { freePort } from '../../../support/free-port.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/test-certificate.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Behave = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function service(behave: Behave): Promise<{ baseUrl: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url}`);
      behave(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`, asked };
}

/** Real time, but waits between tries pass at once: what is tested is how often and what, not how long. */
const hasty: Timers = { ...systemTimers, after: (delayMs, run) => systemTimers.after(delayMs >= 4000 ? delayMs : 0, run) };

function client(baseUrl: string, changes: Partial<ServiceSettings> = {}, refused: string[] = []): ServiceClient {
  const made = new ServiceClient({
    baseUrl,
    service: serviceSettings(changes),
    timers: hasty,
    onRefusedRecord: (what, why) => refused.push(`${what}: ${why}`),
  });
  closing.push(() => made.close());
  return made;
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const PRODUCT = {
  productCode: 'btcusd',
  minSize: 0.0001,
  minNotionalValue: '5.00',
  sizeIncrement: '0.00000001',
  priceIncrement: 1e-7,
  more: [1],
};

test('products are read with limits as numbers or text, exactly, and what is broken is left out and named (B09)', async () => {
  const { baseUrl, asked } = await service((_request, response) =>
    json(response, 200, [
      PRODUCT,
      { ...PRODUCT, productCode: 'ethusd', minSize: -1 },
      { ...PRODUCT, productCode: '../x' },
      { ...PRODUCT, productCode: 'eurusd', minSize: '1,000' },
      { ...PRODUCT, productCode: 'ethsek', sizeIncrement: undefined },
      'nonsense',
      { ...PRODUCT, productCode: 'solusd', minSize: 0, sizeIncrement: 9007199254740994 },
    ]),
  );
  const refused: string[] = [];
  const products = await client(baseUrl, {}, refused).products('VB');
  expect(asked).toEqual(['GET /mms/v2/productDetails?exchangeCode=VB']);
  expect(products.map(({ code }) => code)).toEqual(['btcusd', 'solusd']);
  expect(products[0]?.minNotionalValue.toString()).toBe('5');
  expect(products[0]?.sizeIncrement.toString()).toBe('0.00000001');
  expect(products[0]?.priceIncrement.toString()).toBe('0.0000001');
  expect(refused).toHaveLength(5);
  expect(refused.join('\n')).toContain('product ethusd: minSize');
});

test('an exchange code that would rewrite the address is refused', async () => {
  await expect(client('http://127.0.0.1:1').products('VB&x=1')).rejects.toThrow(/exchange code/);
});

test('I15 accounts come without their keys', async () => {
  const account = {
    id: '70311',
    name: 'main',
    exchangeCode: 'OKX',
    apiKey: 'sesame-open',
    accountType: 'SUB_ACCOUNT',
    isMain: true,
    spot: { isActive: true },
  };
  const { baseUrl } = await service((request, response) =>
    json(response, request.headers.authorization === 'Bearer abc.def' ? 200 : 401, [account]),
  );
  const accounts = await client(baseUrl, { token: 'abc.def' }).accounts();
  expect(accounts).toEqual([
    { id: '70311', name: 'main', exchangeCode: 'OKX', accountType: 'SUB_ACCOUNT', isMain: true, spotActive: true, futuresActive: false },
  ]);
  expect(JSON.stringify(accounts)).not.toContain('sesame');
});

test('a refused token says what to do, and shows no token', async () => {
  const { baseUrl, asked } = await service((_request, response) => json(response, 401, { error: 'token expired' }));
  const failure = client(baseUrl, { token: 'secret.token' }).accounts();
  await expect(failure).rejects.toMatchObject({ code: 'SERVICE_REFUSED', message: expect.stringContaining('KAIROS_TOKEN') });
  await expect(failure).rejects.not.toThrow('secret.token');
  // The API key may do where a token does not.
  expect(asked).toHaveLength(2);
});

test('the client signs in by itself, shares the token, and renews it once when it is refused (F18)', async () => {
  let issued = 0;
  let valid = '';
  const { baseUrl, asked } = await service((request, response, body) => {
    if (request.url?.endsWith('/auth/login') === true) {
      expect(JSON.parse(body)).toEqual(issued === 0 ? { username: 'paper@example.com', password: 'paper' } : { refreshToken: 'r' });
      issued += 1;
      valid = `token${issued}`;
      json(response, 200, { refreshToken: 'r', expirationTime: 3600, isAppConnected: true }, { authorization: `Bearer ${valid}` });
    } else json(response, request.headers.authorization === `Bearer ${valid}` ? 200 : 401, []);
  });
  const made = client(baseUrl, { username: 'paper@example.com', password: 'paper' });
  await Promise.all([made.accounts(), made.products(), made.accounts()]);
  expect(issued).toBe(1);
  valid = 'revoked';
  await made.accounts();
  expect(issued).toBe(2);
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(2);
});

test('a sign-in with a second factor or a wrong password ends with one clear line', async () => {
  const challenge = { awsUsername: 'a', session: 's', challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' };
  const first = await service((_request, response) => json(response, 200, challenge));
  await expect(client(first.baseUrl, { username: 'u', password: 'p' }).accounts()).rejects.toThrow(/second factor.*KAIROS_TOTP_SECRET/);
  const second = await service((_request, response) => json(response, 401, {}));
  const failure = client(second.baseUrl, { username: 'u', password: 'open-sesame' }).accounts();
  await expect(failure).rejects.toThrow(/service\.username/);
  await expect(failure).rejects.not.toThrow('open-sesame');
});

test('expirationTime is read as lifetime, Unix seconds or Unix milliseconds by its size', () => {
  expect(expiryMs(3600, 1000)).toBe(3_601_000);
  expect(expiryMs(1_767_225_600, 0)).toBe(1_767_225_600_000);
  expect(expiryMs(1_767_225_600_000, 0)).toBe(1_767_225_600_000);
  expect(expiryMs(null, 0)).toBe(Number.POSITIVE_INFINITY);
});

test('F17 a pause that met a broken backend is asked for again until it is taken', async () => {
  let tries = 0;
  const { baseUrl, asked } = await service((request, response) => {
    tries += 1;
    if (tries === 1) request.socket.destroy();
    else if (tries === 2) json(response, 503, {});
    else response.writeHead(202).end();
  });
  const asked1 = await client(baseUrl, { token: 't', apiVersion: '2' }).strategies.ask({ action: 'pauseAll' });
  expect(asked1).toEqual({ status: 'asked', httpStatus: 202, response: '' });
  expect(asked).toEqual(Array(3).fill('PUT /strategy-orchestrator/strategies/pauseAll'));
});

test.each<[RemoteAsk, RemoteAsk, boolean]>([
  [{ action: 'resumeAll' }, { action: 'pauseAll' }, true],
  [{ action: 'start', strategyId: 'a' }, { action: 'pauseAll' }, true],
  [{ action: 'resumeAll' }, { action: 'pause', strategyId: 'a' }, true],
  [{ action: 'start', strategyId: 'a' }, { action: 'pause', strategyId: 'a' }, true],
  [{ action: 'start', strategyId: 'a' }, { action: 'start', strategyId: 'b' }, false],
  [{ action: 'pauseAll' }, { action: 'modify', strategyId: 'a', changes: { priceLimit: 1 } }, false],
  [{ action: 'pause', strategyId: 'a' }, { action: 'modify', strategyId: 'a', changes: { priceLimit: 1 } }, false],
  [{ action: 'modify', strategyId: 'a', changes: { size: 1 } }, { action: 'modify', strategyId: 'a', changes: { priceLimit: 1 } }, false],
  [
    { action: 'modify', strategyId: 'a', changes: { size: 1 } },
    { action: 'modify', strategyId: 'a', changes: { size: 2, priceLimit: 1 } },
    true,
  ],
  [{ action: 'stop', strategyId: 'a' }, { action: 'pauseAll' }, false],
  [{ action: 'delete', strategyId: 'a' }, { action: 'pauseAll' }, false],
])('F17 %j that is still retried does not undo %j: it ends, %s', async (older, newer, ends) => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { baseUrl, asked } = await service(async (_request, response) => {
    if (asked.length > 1) return void response.writeHead(202).end();
    begun.resolve();
    await held.promise;
    json(response, 503, {});
  });
  const { strategies } = client(baseUrl, { token: 't' });
  const first = strategies.ask(older);
  await begun.promise;
  const second = strategies.ask(newer);
  if (ends)
    await client(baseUrl, { token: 't' })
      .strategies.find(expect.unreachable)
      .catch(() => {});
  else await second;
  // The newer one does not overtake the try that is on its way.
  expect(asked.filter((line) => !line.endsWith('/find'))).toHaveLength(ends ? 1 : 2);
  held.resolve();
  expect(await first).toMatchObject(ends ? { status: 'unverified', response: '{}; ended by a newer request' } : { status: 'asked' });
  expect(await second).toMatchObject({ status: 'asked' });
  expect(asked).toHaveLength(3);
});

test('a refused pause is not asked for again, and says why', async () => {
  const { baseUrl, asked } = await service((_request, response) => json(response, 422, { error: 'no strategies' }));
  const answer = await client(baseUrl, { token: 't' }).strategies.ask({ action: 'pauseAll' });
  expect(answer).toEqual({ status: 'failed', httpStatus: 422, response: '{"error":"no strategies"}' });
  expect(asked).toHaveLength(1);
});

test('a GET is redirected within the service, three times at most, and never to another one', async () => {
  const { baseUrl, asked } = await service((request, response) => {
    if (request.url === '/moved/list') json(response, 200, [PRODUCT]);
    else response.writeHead(307, { location: '/moved/list' }).end();
  });
  expect(await client(baseUrl).products()).toHaveLength(1);
  expect(asked).toEqual(['GET /mms/v2/productDetails', 'GET /moved/list']);
  const round = await service((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end());
  await expect(client(round.baseUrl).products()).rejects.toMatchObject({ code: 'SERVICE_REFUSED' });
  expect(round.asked).toHaveLength(4);
  const away = await service((_request, response) => response.writeHead(302, { location: `${baseUrl}/moved/list` }).end());
  await expect(client(away.baseUrl).products()).rejects.toMatchObject({ code: 'SERVICE_REFUSED' });
  expect(away.asked).toHaveLength(1);
});

test('a list by key is redirected too, signed anew for the place it leads to', async () => {
  const { baseUrl, asked } = await service((request, response) => {
    const { 'x-api-signature': signature, 'x-api-timestamp': at, 'x-api-user-id': user } = request.headers;
    const text = `${at}GET${request.url}${user}`;
    if (signature !== sign(signingKey(serviceSettings().apiSecret ?? ''), text)) return json(response, 401, { error: 'key' });
    if (request.url?.startsWith('/moved')) return json(response, 200, [PRODUCT]);
    return response.writeHead(307, { location: `/moved${request.url}` }).end();
  });
  expect(await client(baseUrl, { listAuth: 'key' }).products()).toHaveLength(1);
  expect(asked).toEqual(['GET /mms/v2/productDetails', 'GET /moved/mms/v2/productDetails']);
});

test('F11 a request that changes something is never redirected', async () => {
  const { baseUrl, asked } = await service((_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  const made = client(baseUrl, { token: 'a.b' });
  await made.strategies.ask({ action: 'start', strategyId: 's-1' });
  expect(asked.every((one) => !one.includes('/elsewhere'))).toBe(true);
});

test('every request says who asks', async () => {
  const agents: unknown[] = [];
  const { baseUrl } = await service((request, response) => {
    agents.push(request.headers['user-agent']);
    json(response, 200, []);
  });
  await client(baseUrl).products();
  expect(agents).toEqual(['kairos']);
});

const [A, B, C] = ['btcusd', 'ethusd', 'eurusd'].map((productCode) => ({ ...PRODUCT, productCode }));
const PAGES: readonly [string, Behave][] = [
  ['in content', (_request, response) => json(response, 200, { content: [A, B, C] })],
  ['in data.items', (_request, response) => json(response, 200, { success: true, data: { items: [A, B, C], total: 3 } })],
  ['in products', (_request, response) => json(response, 200, { products: [A, B, C], next: null })],
  ['behind a byte order mark', (_request, response) => response.writeHead(200).end(`\ufeff${JSON.stringify([A, B, C])}`)],
  [
    'page by page by the header Link',
    ({ url }, response) =>
      url?.includes('page=2')
        ? json(response, 200, [C])
        : json(response, 200, [A, B], {
            link: '</mms/v2/productDetails?page=1>; rel="first", </mms/v2/productDetails?page=2>; rel="next"',
          }),
  ],
  [
    'page by page by next',
    ({ url }, response) =>
      json(response, 200, url?.includes('from=2') ? { items: [C], next: null } : { items: [A, B], next: '/mms/v2/productDetails?from=2' }),
  ],
  [
    'page by page by a cursor',
    ({ url }, response) => json(response, 200, url?.includes('cursor=x') ? { data: [C] } : { data: [A, B], nextCursor: 'x' }),
  ],
  [
    'page by page by number',
    ({ url }, response) =>
      json(
        response,
        200,
        url?.includes('page=1') ? { content: [C], last: true, number: 1 } : { content: [A, B], last: false, number: 0, totalPages: 2 },
      ),
  ],
];
test.each(PAGES)('a list of products %s is read whole', async (_how, behave) => {
  const { baseUrl } = await service(behave);
  expect((await client(baseUrl).products('VB')).map(({ code }) => code)).toEqual(['btcusd', 'ethusd', 'eurusd']);
});

test('a list that does not end, or goes on at another service, is one clear line', async () => {
  const { baseUrl } = await service((_request, response) => json(response, 200, { items: [A], next: '/mms/v2/productDetails' }));
  await expect(client(baseUrl).products()).rejects.toThrow(/the list of products does not end: page 2 is \/mms\/v2\/productDetails/);
  const away = await service((_request, response) => json(response, 200, { items: [A], next: 'https://other.example/list' }));
  await expect(client(away.baseUrl).products()).rejects.toThrow(/goes on at another service, https:\/\/other\.example\/list/);
  const nowhere = await service((_request, response) => json(response, 200, { items: [A], next: 'https://[' }));
  await expect(client(nowhere.baseUrl).products()).rejects.toThrow(/goes on at another service, https:\/\/\[/);
  const two = await service((_request, response) => json(response, 200, { items: [A], products: [B] }));
  await expect(client(two.baseUrl).products()).rejects.toThrow(/instead of a list of products/);
});

test('lists that want the API key are asked with its signature, accounts likewise, and never where service.listAuth says token', async () => {
  const signed: string[] = [];
  const { baseUrl, asked } = await service((request, response) => {
    const { 'x-api-signature': signature, 'x-api-timestamp': at, 'x-api-user-id': user } = request.headers;
    const text = `${at}GET${request.url}${user}`;
    if (signature !== sign(signingKey(serviceSettings().apiSecret ?? ''), text)) return json(response, 401, { error: 'key' });
    signed.push(String(request.url));
    return json(response, 200, request.url?.includes('accounts') ? [] : [A]);
  });
  const made = client(baseUrl);
  expect(await made.products('VB')).toHaveLength(1);
  expect(await made.accounts()).toEqual([]);
  expect(await made.products('VB')).toHaveLength(1);
  expect(signed).toHaveLength(3);
  // What the key is for is known after the first answer.
  expect(asked).toHaveLength(4);
  const failure = client(baseUrl, { listAuth: 'token', token: 'a.b' }).products('VB');
  await expect(failure).rejects.toThrow(/401.*KAIROS_TOKEN.*service\.listAuth/);
});

test.each([
  ['an HTML page', '<!doctype html><p>hello'],
  ['half of a list', '[{"productCode":'],
  ['an object', '{"error":"none"}'],
  ['nothing', ''],
])('%s instead of a list of products is one clear line', async (_name, text) => {
  const { baseUrl } = await service((_request, response) => response.writeHead(200).end(text));
  await expect(client(baseUrl).products()).rejects.toMatchObject({
    code: 'SERVICE_UNREADABLE',
    message: expect.stringContaining('service.baseUrl'),
  });
});

test('nobody there: tried for the time of a call, then one clear line', async () => {
  const port = await freePort();
  // Waits pass at once and the clock by a second a look, so that the deadline comes.
  let nowMs = 0;
  const timers: Timers = {
    ...hasty,
    monotonicMs: () => {
      nowMs += 1000;
      return nowMs;
    },
  };
  const made = new ServiceClient({ baseUrl: `http://127.0.0.1:${port}`, service: serviceSettings(), timers });
  closing.push(() => made.close());
  await expect(made.products()).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') });
});

test('B36 an unusable address or token is refused before anything is sent', () => {
  expect(() => client('http://service.example')).toThrow(/https/);
  expect(() => client('https://service.example', { token: 'a b\r\n' })).toThrow(/service\.token/);
});

test.each<[string, unknown, unknown]>([
  ['ids as numbers', [{ strategyId: 77, state: { status: 'ACTIVE' } }], [{ strategyId: '77', state: { status: 'ACTIVE' } }]],
  [
    'a state as a text',
    [{ strategyId: 's', state: 'PAUSED', version: 'three' }],
    [{ strategyId: 's', state: { state: 'PAUSED' }, version: null }],
  ],
  ['a status beside it', [{ strategyId: 's', status: 'PAUSED' }], [{ strategyId: 's', state: { status: 'PAUSED' } }]],
  ['a list in content', { content: [{ strategyId: 's' }] }, [{ strategyId: 's', state: {} }]],
])('strategies are read back with %s', async (_how, body, read) => {
  const { baseUrl } = await service((_request, response) => json(response, 200, body));
  expect(await client(baseUrl, { token: 'a.b' }).strategies.find(() => expect.unreachable())).toMatchObject(read as object);
});

test('strategies that come page by page are read back whole; a page that cannot be read is told of, beside what could', async () => {
  const pages = (last: number) =>
    service(({ url }, response) => {
      const page = Number(/page=(\d)/.exec(url ?? '')?.[1] ?? 0);
      if (page > last) return json(response, 403, { error: 'no more' });
      const content = [{ strategyId: `s-${Math.max(0, page - 1)}` }, { strategyId: `s-${page}` }];
      json(response, 200, { content, last: page === 2, number: page, totalPages: 3 });
    });
  const whole = await pages(2);
  const read = async (baseUrl: string, unread: string[]) =>
    (await client(baseUrl, { token: 'a.b' }).strategies.find((why) => unread.push(why)))?.map(({ strategyId }) => strategyId);
  const none: string[] = [];
  expect(await read(whole.baseUrl, none)).toEqual(['s-0', 's-1', 's-2']);
  expect(none).toEqual([]);
  expect(whole.asked).toEqual(['', '?page=1', '?page=2'].map((query) => `POST /strategy-orchestrator/strategies/find${query}`));
  const unread: string[] = [];
  expect(await read((await pages(1)).baseUrl, unread)).toEqual(['s-0', 's-1']);
  expect(unread).toEqual([expect.stringMatching(/with 403 \(no more\)/)]);
});

test.each<[string, unknown]>([
  ['createdByUserId alone', [{ createdByUserId: '1000' }]],
  ['an id that no number keeps', [{ strategyId: 2 ** 60 }]],
  ['one of two without an id', [{ strategyId: 's' }, { version: 1 }]],
  ['the first of several pages', { content: [], last: false, number: 0, totalPages: 2 }],
])('what is read back as %s is not taken for done: it is unverified', async (_how, body) => {
  const { baseUrl } = await service((request, response) =>
    request.url?.includes('find') ? json(response, 200, body) : json(response, 202, {}),
  );
  const { strategies } = client(baseUrl, { token: 'a.b' });
  const unread: string[] = [];
  await strategies.find((why) => unread.push(why));
  expect(unread).toHaveLength(1);
  const told: string[] = [];
  await askAndLook({ action: 'delete', strategyId: 's-1' }, { strategies, timers: hasty }, (answer) =>
    told.push(`${answer.status} ${answer.response}`),
  );
  expect(told.at(-1)).toMatch(/^unverified .*could not be read back/);
});

test('I27 a client that is closed while it waits for its next try, or for an answer, leaves no timer and tries no more', async () => {
  const { baseUrl, asked } = await service((_request, response) => (asked.length === 1 ? json(response, 503, {}) : undefined));
  const waiting = new Set<object>();
  const timers: Timers = {
    ...systemTimers,
    after: (delayMs, run) => {
      const one = {};
      waiting.add(one);
      // The next try is far off, so that the wait for it is seen.
      const cancel = systemTimers.after(delayMs * 100, () => {
        waiting.delete(one);
        run();
      });
      return () => {
        waiting.delete(one);
        cancel();
      };
    },
  };
  for (const known of [1, 2]) {
    const one = new ServiceClient({ baseUrl, service: serviceSettings(), timers, onRefusedRecord: () => {} });
    const answer = expect(one.products('VB')).rejects.toMatchObject({ code: expect.stringMatching(/^SERVICE_/) });
    await expect.poll(() => asked.length).toBe(known);
    await one.close();
    await answer;
    expect({ asked: asked.length, waiting: waiting.size }).toEqual({ asked: known, waiting: 0 });
  }
  // What must never be asked twice has a connection of its own: it may have been taken all the same.
  const one = new ServiceClient({ baseUrl, service: serviceSettings({ token: 't' }), timers, onRefusedRecord: () => {} });
  const flush = { action: 'flush', strategyId: 's-1', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 } as const;
  const flushed = one.strategies.ask(flush);
  await expect.poll(() => asked.length).toBe(3);
  await one.close();
  expect(waiting.size).toBe(0);
  expect(await flushed).toMatchObject({ status: 'unverified' });
  await one.strategies.ask(flush);
  expect(asked).toHaveLength(3);
});

test('F02: a certificate that nobody vouches for is told at once: it is asked once', async () => {
  let connections = 0;
  const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await expect(client(`https://127.0.0.1:${port}`).products()).rejects.toThrow(/self-signed certificate/);
  expect(connections).toBe(1);
});
