import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { createdId } from '#adapters/service-client/rest/orchestrator.ts';
import { refusalText } from '#adapters/service-client/rest/refusal-text.ts';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { checkStrategyLimits } from '#adapters/service-client/rest/strategy-limits.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneIdOf } from '#domain/names.ts';
import { productOf } from '#domain/product.ts';
import { type RemoteAsk, remoteAskOf } from '#domain/remote.ts';
import { TQ, tq } from '../../adapters/service-client/support/frames.ts';
import { serviceSettings } from '../../adapters/service-client/support/service-settings.ts';

/**
 * The client against the specification alone: a service of a few lines that keeps what it is asked and answers with what the
 * specification shows. Titles begin with what they show, as those of the venue's suite do.
 */
interface Asked {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function bench(status: number, answer: unknown) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) });
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer === undefined ? '' : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service = serviceSettings({ token: 'jwt', apiVersion: '3.1' });
  const refused: string[] = [];
  const client = new ServiceClient({
    baseUrl: `http://127.0.0.1:${port}`,
    service,
    timers: systemTimers,
    onRefusedRecord: (what, why) => refused.push(`${what}: ${why}`),
  });
  closing.push(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { client, asked, refused };
}

const ID = 'a1b2c3';
const NEW = {
  strategyType: 'AI',
  productCode: 'ethsek',
  accountId: '70311',
  aiModelVariant: 'VFM6',
  aiModelPositionMode: 'LONG',
  executionType: 'SMO_MPL',
  useInitialModelPrice: true,
  initialBaseCurrencySize: 0.5,
  initialQuoteCurrencyAmount: 1000,
  desiredNetProfitPercentage: 2.5,
  useSpikeProtection: false,
  alwaysPassive: true,
  ignoreWarnings: false,
};
const PRODUCT = productOf({ code: 'ethsek', minSize: '0.01', minNotionalValue: '100', sizeIncrement: '0.01', priceIncrement: '0.5' });

describe('2.1 strategy create input', () => {
  test.each(Object.entries(NEW))('2.1.%s goes out as %j', async (field, value) => {
    const { client, asked } = await bench(201, { strategyId: ID });
    await client.strategies.ask({ action: 'create', fields: { strategyType: 'AI', [field]: value } });
    expect(asked[0]?.body).toMatchObject({ [field]: value });
  });

  test('2.1.autoRun is always false: a strategy is started by a request that may be repeated', async () => {
    const { client, asked } = await bench(201, { strategyId: ID });
    await client.strategies.ask({ action: 'create', fields: NEW });
    expect(asked[0]?.body).toEqual({ ...NEW, autoRun: false });
    expect(() => remoteAskOf('create', { fields: { ...NEW, autoRun: true } })).toThrow('autoRun');
  });

  test('2.2.strategyId is read from the answer; without one nobody knows what was created', async () => {
    expect(createdId(JSON.stringify({ strategyId: ID, more: 1 }))).toBe(ID);
    const { client } = await bench(201, {});
    expect(await client.strategies.ask({ action: 'create', fields: NEW })).toMatchObject({ status: 'unknown', httpStatus: 201 });
  });
});

describe('4.1 strategy endpoints', () => {
  const rows: readonly (readonly [string, RemoteAsk, string, unknown])[] = [
    ['stop', { action: 'stop', strategyId: ID }, `PUT /strategy-orchestrator/strategies/${ID}/action/stop`, undefined],
    ['start', { action: 'start', strategyId: ID }, `PUT /strategy-orchestrator/strategies/${ID}/action/start`, undefined],
    ['pause', { action: 'pause', strategyId: ID }, `PUT /strategy-orchestrator/strategies/${ID}/action/pause`, undefined],
    [
      'schedule-opening-pause',
      { action: 'schedule-opening-pause', strategyId: ID, fromTime: '2026-01-01T00:00:00Z', toTime: '2026-01-02T00:00:00Z' },
      `PUT /strategy-orchestrator/strategies/${ID}/action/schedule-opening-pause`,
      { fromTime: '2026-01-01T00:00:00Z', toTime: '2026-01-02T00:00:00Z' },
    ],
    [
      'flush',
      { action: 'flush', strategyId: ID, longPositionTargetPercentage: 0, shortPositionTargetPercentage: 12.5 },
      `PUT /strategy-orchestrator/strategies/${ID}/action/flush`,
      { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 12.5 },
    ],
    ['resumeAll', { action: 'resumeAll' }, 'PUT /strategy-orchestrator/strategies/resumeAll', undefined],
    ['pauseAll', { action: 'pauseAll' }, 'PUT /strategy-orchestrator/strategies/pauseAll', undefined],
    [
      'modify',
      { action: 'modify', strategyId: ID, changes: { priceLimit: 7 } },
      `PATCH /strategy-orchestrator/strategies/${ID}/action/modify`,
      { priceLimit: 7 },
    ],
    ['delete', { action: 'delete', strategyId: ID }, `DELETE /strategy-orchestrator/strategies/${ID}/action/delete`, undefined],
    ['deleteAll', { action: 'deleteAll' }, 'DELETE /strategy-orchestrator/strategies/deleteAll', undefined],
  ];

  test.each(rows)('4.1.%s: method, path, body, token and se-api-version (9.1, 9.4); 202 means asked', async (_name, ask, line, body) => {
    const { client, asked } = await bench(202, undefined);
    expect(await client.strategies.ask(ask)).toEqual({ status: 'asked', httpStatus: 202, response: '' });
    expect(asked).toMatchObject([{ line, headers: { authorization: 'Bearer jwt', 'se-api-version': '3.1' } }]);
    expect(asked[0]?.body).toEqual(body);
  });

  test('4.1.create: POST of JSON, answered 201; no se-api-version', async () => {
    const { client, asked } = await bench(201, { strategyId: ID });
    expect(await client.strategies.ask({ action: 'create', fields: NEW })).toMatchObject({ status: 'confirmed', httpStatus: 201 });
    expect(asked).toMatchObject([
      {
        line: 'POST /strategy-orchestrator/strategies/action/create',
        headers: { authorization: 'Bearer jwt', 'content-type': 'application/json' },
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('se-api-version');
  });

  test('4.1.modify.1 null goes out as null, 4.1.modify.2 what is not named stays out, 4.1.modify.3 any field may be named', async () => {
    const { client, asked } = await bench(202, undefined);
    await client.strategies.ask({ action: 'modify', strategyId: ID, changes: { priceLimit: null, anything: 'else' } });
    expect(asked[0]?.body).toStrictEqual({ priceLimit: null, anything: 'else' });
    expect(() => remoteAskOf('modify', { strategyId: ID, changes: { priceLimit: Number.NaN } })).toThrow('priceLimit');
  });

  test.each([
    ['priceLimit', 7.5],
    ['ignoreWarnings', true],
  ])('2.3.%s goes out as %j', async (field, value) => {
    const { client, asked } = await bench(202, undefined);
    await client.strategies.ask({ action: 'modify', strategyId: ID, changes: { [field]: value } });
    expect(asked[0]?.body).toEqual({ [field]: value });
  });

  test.each([
    ['schedule-opening-pause', 'fromTime', { toTime: '2026-01-02T00:00:00Z' }],
    ['schedule-opening-pause', 'toTime', { fromTime: '2026-01-01T00:00:00Z' }],
    ['flush', 'longPositionTargetPercentage', { shortPositionTargetPercentage: 0 }],
    ['flush', 'shortPositionTargetPercentage', { longPositionTargetPercentage: 0 }],
  ])('2.4.%s.%s is required before anything is sent', (action, field, rest) => {
    expect(() => remoteAskOf(action, { strategyId: ID, ...rest })).toThrow(field);
  });

  test('7.7 a refused create says field by field what is wrong', async () => {
    const body = { status: 422, errors: [{ fields: ['accountId'], description: 'is not an account' }] };
    const { client } = await bench(422, body);
    const answer = await client.strategies.ask({ action: 'create', fields: NEW });
    expect(answer).toMatchObject({ status: 'failed', httpStatus: 422 });
    expect(refusalText(answer.response)).toContain('accountId');
    expect(refusalText(answer.response)).toContain('is not an account');
  });

  test.each([
    ['initialBaseCurrencySize', 0.005, 'minSize'],
    ['initialBaseCurrencySize', 0.015, 'sizeIncrement'],
    ['initialQuoteCurrencyAmount', 99.5, 'minNotionalValue'],
    ['priceLimit', 7.25, 'priceIncrement'],
  ])('1.flow.4 and 8.8 %s %d breaks %s: refused before anything is sent', (field, value, limit) => {
    expect(() => checkStrategyLimits({ [field]: value }, PRODUCT)).toThrow(limit);
  });
});

describe('2.5 and 4.2 accounts', () => {
  const ACCOUNT = {
    id: '70311',
    createdAt: '2025-01-01T00:00:00Z',
    userId: '1205',
    name: 'main',
    exchangeCode: 'VB',
    exchange: 'VB',
    description: 'words',
    apiKey: 'in-clear-on-the-wire',
    validatedAt: '2025-01-02T00:00:00Z',
    spot: { isActive: true },
    futures: { isActive: false, settings: { leverage: 3 } },
    isMain: true,
    eventTime: '2025-01-03T00:00:00Z',
    accountType: 'SUB_ACCOUNT',
    whitelistedIps: [''],
    permissions: [{ any: 'shape' }],
  };
  const READ = {
    id: '70311',
    name: 'main',
    exchangeCode: 'VB',
    accountType: 'SUB_ACCOUNT',
    isMain: true,
    spotActive: true,
    futuresActive: false,
  };

  test('4.2 and 9.2: GET /as/v3/accounts is answered with an array of records', async () => {
    const { client, asked } = await bench(200, [ACCOUNT, { ...ACCOUNT, id: '70312' }]);
    expect(await client.accounts()).toEqual([READ, { ...READ, id: '70312' }]);
    expect(asked).toMatchObject([{ line: 'GET /as/v3/accounts', headers: { authorization: 'Bearer jwt' } }]);
  });

  test.each([
    ['id', '70311'],
    ['name', 'main'],
    ['exchangeCode', 'VB'],
    ['accountType', 'SUB_ACCOUNT'],
    ['isMain', true],
  ])('2.5.%s is read', async (field, value) => {
    const { client } = await bench(200, [ACCOUNT]);
    expect(await client.accounts()).toMatchObject([{ [field]: value }]);
  });

  test.each([
    ['spot', 'spotActive'],
    ['futures', 'futuresActive'],
  ])('2.5.%s is read as %s', async (field, read) => {
    const { client } = await bench(200, [
      { ...ACCOUNT, [field]: { isActive: true } },
      { ...ACCOUNT, [field]: { isActive: false } },
    ]);
    expect(await client.accounts()).toMatchObject([{ [read]: true }, { [read]: false }]);
  });

  test.each(['createdAt', 'userId', 'exchange', 'description', 'apiKey', 'validatedAt', 'eventTime', 'whitelistedIps', 'permissions'])(
    '2.5.%s is taken in any shape, and not kept',
    async (field) => {
      const { client, refused } = await bench(200, [
        ACCOUNT,
        { ...ACCOUNT, [field]: { of: ['any', 'shape'] } },
        { ...ACCOUNT, [field]: undefined },
      ]);
      expect(await client.accounts()).toEqual([READ, READ, READ]);
      expect(refused).toEqual([]);
    },
  );
});

describe('2.6 and 4.3 products', () => {
  const RECORD = { productCode: 'ethsek', minSize: '0.01', minNotionalValue: 100, sizeIncrement: '0.01', priceIncrement: 0.5, more: 1 };

  test('4.3: GET /mms/v2/productDetails, of one exchange with exchangeCode (9.2)', async () => {
    const { client, asked } = await bench(200, [RECORD]);
    expect(await client.products()).toEqual([PRODUCT]);
    await client.products('VB');
    expect(asked.map(({ line }) => line)).toEqual(['GET /mms/v2/productDetails', 'GET /mms/v2/productDetails?exchangeCode=VB']);
  });

  test.each(['productCode', 'minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'])(
    '2.6.%s is read, and a record without it is left out and named',
    async (field) => {
      const { client, refused } = await bench(200, [RECORD, { ...RECORD, [field]: undefined }]);
      expect(await client.products()).toEqual([PRODUCT]);
      expect(refused).toEqual([expect.stringContaining(field)]);
    },
  );

  test('1.flow.1, 1.flow.2 and 1.flow.3: what accounts and products say is what a create names', async () => {
    const products = await (await bench(200, [RECORD])).client.products('VB');
    const { client, asked } = await bench(201, { strategyId: ID });
    await client.strategies.ask({ action: 'create', fields: { ...NEW, productCode: products[0]?.code ?? '', accountId: '70311' } });
    expect(asked[0]?.body).toMatchObject({ productCode: 'ethsek', accountId: '70311' });
    expect(products[0]?.minSize).toEqual(decimalOf('0.01'));
  });
});

describe('2.8 messages of the feed', () => {
  const ORIGIN = { lane: laneIdOf('btcusd@base:0.1'), epoch: 1 };
  const decoded = (changes: Readonly<Record<string, unknown>> = {}) => {
    const frame = decodeFrame(tq(changes), ORIGIN);
    return frame.kind === 'quote' ? frame.quote : undefined;
  };

  test.each([
    ['productCode', 'product', 'btcusd'],
    ['baseCcy', 'baseCcy', 'btc'],
    ['quoteCcy', 'quoteCcy', 'usd'],
    ['feePercentage', 'feePercentage', 0.1],
    ['spread', 'spread', 10],
    ['spreadPercentage', 'spreadPercentage', 0.02],
    ['dailyChangePercentage', 'dailyChangePercentage', -1.5],
    ['validUntil', 'validUntil', Date.UTC(2026, 0, 1, 0, 0, 3, 123)],
    ['id', 'id', TQ.id],
  ])('2.8.TQ.%s is read as %s', (_field, name, value) => {
    expect(decoded()).toMatchObject({ [name]: value });
  });

  test('2.8.TQ.msgType says what it is, and another kind is no quote', () => {
    expect(decoded({ msgType: 'XQ' })).toBeUndefined();
  });

  test('2.8.TQ.buyQuote, 2.8.TQ.sellQuote: both sides, 2.8.TQ.avgQuote is never traded on (2.8.3)', () => {
    expect(decoded()).toMatchObject({ buy: TQ.buyQuote, sell: TQ.sellQuote });
    expect(JSON.stringify(decoded({ avgQuote: { value: 77_777 } }))).not.toContain('77777');
    expect(decoded({ buyQuote: undefined })).toBeUndefined();
    expect(decoded({ sellQuote: undefined })).toBeUndefined();
  });

  test.each(['price', 'size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy', 'slippage', 'slippagePercentage'])(
    '2.8.side.%s is read',
    (field) => {
      const { price, size } = TQ.buyQuote;
      // A value is price x size.
      const along = { price: { value: 0.25 * size }, size: { value: price * 0.25 }, value: { size: 0.25 / price } };
      const side = { ...TQ.buyQuote, ...Object.entries(along).find(([name]) => name === field)?.[1], [field]: 0.25 };
      expect(decoded({ buyQuote: side })?.buy).toMatchObject({ [field]: 0.25 });
    },
  );
});
