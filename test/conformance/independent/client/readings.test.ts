import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { Bot, type Settings, until } from './bot.ts';
import { Figure, figure, type Json } from './figures.ts';
import type { Executed, Fields, Reading, Reply } from './reading.ts';
import { Service } from './service.ts';

interface Case {
  readonly name: string;
  readonly reading?: Partial<Reading>;
  readonly settings?: Settings;
  /** Each of these answers an order that is not executed; the orders between are. */
  readonly refuse?: readonly Reply[];
  readonly product?: string;
  readonly amount?: string;
}

interface Outcome {
  readonly executed: number;
  readonly faults: readonly string[];
  readonly differences: readonly string[];
}

const double = (text: string): Json => new Figure(String(Number(text) * (1 + 2 ** -52)));
const answered =
  (body: (order: Executed) => Json, status = 200, headers: Readonly<Record<string, string>> = {}): Reading['answer'] =>
  (order) => ({ status, body: body(order), headers });
const bytes =
  (text: (order: Executed) => string, headers: Readonly<Record<string, string>>, pack = Buffer.from): Reading['answer'] =>
  (order) => ({ status: 200, body: pack(text(order)), headers });
const told = (order: Executed): Fields => ({ price: figure(order.price, 2), size: figure(order.size), value: figure(order.value) });
const filled = ({ id }: Executed): string => `{"orderId":"${id}","status":"FILLED"}`;
const flows = ({ id, side, size, value }: Executed): Json => {
  const sign = side === 'BUY' ? 1n : -1n;
  return { id, status: 2, baseAmount: figure(sign * size), quoteAmount: figure(-sign * value) };
};
const without = (quote: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(quote).filter(([name]) => !names.includes(name)));
const sides = (quote: Fields, change: (side: Fields) => Fields): Fields => ({
  ...quote,
  buyQuote: change(quote.buyQuote as Fields),
  sellQuote: change(quote.sellQuote as Fields),
});

const TRADES: readonly Case[] = [
  {
    name: 'currencies in lower case, figures with the last digit of a double, lists as pages, 201 without a body; messages in fragments and packed, an ACK 0.9 s after the request, answers after 1.2 s',
    reading: {
      ackAfterMs: 900,
      fragments: true,
      compression: true,
      answerAfterMs: 1200,
      currency: (code) => code,
      feedFigure: double,
      list: (content) => ({ content, pageable: { pageNumber: 0 }, last: true, totalElements: content.length }),
      answer: ({ id }) => ({ status: 201, headers: { location: `/svc-broker/api/orders/${id}` } }),
    },
  },
  {
    name: 'figures as texts, lists under their own name, order and quote in the answer, ids in upper case; a clock 90 s ahead, expiry with an offset and nine digits, messages of unknown kinds',
    reading: {
      clockAheadMs: 90_000,
      validUntil: (ms) => `${new Date(ms + 7_200_000).toISOString().slice(0, -1)}000000+02:00`,
      extraMessages: ['{"msgType":"WELCOME","v":2}', '{"type":"ping"}', '[]', 'hello'],
      feedFigure: (text) => text,
      list: (records, of) => ({ [of]: records, total: records.length }),
      quoteId: (id) => id.toUpperCase(),
      answer: answered(
        (order) => ({ order: { id: order.id, status: 'FILLED' }, executedQuote: { quoteId: order.quoteId, ...told(order) } }),
        201,
      ),
    },
  },
  {
    name: 'nothing for display in quotes, lists two levels deep, signed flows and a number for a status in an answer, of which the settings tell',
    settings: { 'service.ignoredFields': '[baseAmount,quoteAmount]', 'service.filledStatuses': '["2"]' },
    reading: {
      list: (records) => ({ success: true, result: { list: records } }),
      answer: answered(flows),
      quote: (quote) =>
        sides(without(quote, 'avgQuote', 'feePercentage', 'spread', 'spreadPercentage', 'dailyChangePercentage'), (side) =>
          without(side, 'slippage', 'slippagePercentage'),
        ),
    },
  },
  {
    name: 'limits as numbers such as 1e-8, an ACK with what was given alone, an answer that says at length that nothing is wrong; a clock two minutes behind, a base address with a path; every other order refused, in another form each time',
    refuse: [
      { status: 422, body: Buffer.from('<html><h1>Unprocessable</h1></html>'), headers: { 'content-type': 'text/html' } },
      { status: 404, body: { code: 40401, msg: 'quote not found' } },
      { status: 410 },
      { status: 400, body: [{ field: 'quoteId', message: 'has expired' }] },
    ],
    reading: {
      clockAheadMs: -120_000,
      prefix: '/gateway/v1',
      limitFigure: (text) => Number(text),
      ack: ({ query, ...ack }) => ({ ...ack, query: without(query as Fields, 'inputValue') }),
      answer: answered((order) => ({
        orderId: order.id,
        status: 'FILLED',
        rejectReason: 'NONE',
        message: 'Order executed without errors',
        cancelledSize: 0,
        remainingSize: 0,
        ...told(order),
      })),
    },
  },
  {
    name: 'an ACK with more than was given, JSON that calls itself text, a connection for each order; product codes with a dash and an underscore',
    product: 'VB-btcusd_1',
    reading: {
      product: (code) => `VB-${code}_1`,
      ack: ({ query, ...ack }) => ({ ...ack, query: { ...(query as Fields), subscriptionId: 7, rateMs: 500 } }),
      answer: bytes(filled, { 'content-type': 'text/plain', connection: 'close' }),
    },
  },
  {
    name: 'an ACK 0.9 s after the first quotes, an answer packed though nobody asked; product codes with a colon and a slash',
    product: 'VB:btc/usd',
    reading: {
      product: (code) => `VB:${code.slice(0, 3)}/${code.slice(3)}`,
      ackAfterMs: 900,
      quotesBeforeAck: true,
      answer: bytes(filled, { 'content-encoding': 'gzip' }, gzipSync as typeof Buffer.from),
    },
  },
  {
    name: 'fees in base currency, quotes that live for 1.5 s, an ACK 0.7 s after a request that replaces another',
    reading: { feeIn: 'base', validForMs: 1500, replaceAfterMs: 700 },
    settings: { 'service.feeIn': 'base' },
  },
  {
    name: 'quotes of a value that meet it exactly, with a size off the step',
    reading: { exactValue: true },
    product: 'ethsek',
    amount: 'quote: 5000',
  },
];

const outcomes = new Map<string, Outcome | Error>();

async function play({ reading = {}, settings = {}, refuse = [], product = 'btcusd', amount = 'base: 0.01' }: Case): Promise<Outcome> {
  const service = await Service.open(reading);
  for (const reply of refuse) service.turns.push({ execute: false, reply }, { execute: true });
  const bot = await Bot.at(service, `  - { id: see, use: ./seesaw.ts, product: '${product}', amount: { ${amount} } }`, {
    'recording.enabled': 'false',
    ...settings,
  });
  try {
    await bot.start();
    await until('orders', () => service.executed.length >= 4 || bot.log.includes('outcome unknown')).catch(() => null);
    await bot.post('/api/pause', { why: 'counted' });
    const differences = await bot.differences();
    await bot.stop();
    return { executed: service.executed.length, faults: [...new Set(service.faults)], differences };
  } finally {
    await bot.dispose();
    await service.close();
  }
}

function outcomeOf(name: string): Outcome {
  const outcome = outcomes.get(name);
  if (!outcome || outcome instanceof Error) throw outcome ?? new Error('not played');
  return outcome;
}

function hold({ name }: Case): void {
  const { executed, faults, differences } = outcomeOf(name);
  expect({ faults, differences }).toEqual({ faults: [], differences: [] });
  expect(executed).toBeGreaterThanOrEqual(4);
}

beforeAll(async () => {
  const waiting = [...TRADES];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      outcomes.set(one.name, await play(one).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))));
    }
  };
  await Promise.all([worker(), worker()]);
});

describe('a service that reads the specification in its own way is traded with, and both keep the same books', () => {
  test.each(TRADES)('$name', hold);
});
