import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { eachOnce, Spelling, wireCode } from '#adapters/service-client/spelling.ts';
import { readNotification } from '#adapters/webhook-receiver/notification-body.ts';
import { loadConfig } from '#config/load.ts';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, productCode } from '#domain/names.ts';
import { productOf } from '#domain/product.ts';
import { START } from '../adapters/journal/order-rows.ts';
import { accepted, begin, openJournal, orderFacts, permits, RUN, row, sent } from '../adapters/journal/rows.ts';
import { otherRun } from '../support/other-run.ts';
import type { Json, Ways } from '../support/other-service.ts';
import { Rig } from '../support/rig.ts';

/** A service that writes codes of products and currencies its own way, and knows no other. */
function writing(code: (text: string) => string): Ways {
  const swap = (message: Json, names: readonly string[]): Json =>
    Object.fromEntries(
      Object.entries(message).map(([name, value]) => [name, names.includes(name) && typeof value === 'string' ? code(value) : value]),
    );
  return {
    answer(said, { path }) {
      const json: unknown = JSON.parse(said.body || 'null');
      if (path.includes('productDetails') && Array.isArray(json)) {
        return { ...said, body: JSON.stringify(json.map((one: Json) => swap(one, ['productCode']))) };
      }
      if (path.includes('/orders') && typeof json === 'object' && json !== null) {
        return { ...said, body: JSON.stringify(swap({ ...json }, ['feeCcy'])) };
      }
      return said;
    },
    subscription: (asked) => (asked.productCode === code(String(asked.productCode)) ? { ...asked, productCode: 'btcusd' } : asked),
    feed(message) {
      const query = message.query;
      if (typeof query === 'object' && query !== null) return [{ ...message, query: swap({ ...query }, ['productCode', 'quoteType']) }];
      return [swap(message, ['productCode', 'baseCcy', 'quoteCcy'])];
    },
  };
}

const UPPER = (text: string): string => text.toUpperCase();
const TITLE = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`;

test.each([
  { name: 'USD and BTCUSD beside settings in small letters', code: UPPER, settings: '', product: 'btcusd' },
  {
    name: 'Usd and Btcusd beside settings in capitals',
    code: TITLE,
    settings:
      'risk: { maxOrderValue: { USD: 2000 }, maxPositionValue: { USD: 10000 } }\naccount: { currency: USD, opening: { USD: 100000, BTC: 2 } }',
    product: 'BTCUSD',
  },
  {
    name: 'usd and btcusd beside settings in capitals',
    code: (text: string) => text.toLowerCase(),
    settings: 'risk: { maxOrderValue: { USD: 2000 } }\naccount: { opening: { USD: 100000, Btc: 2 } }',
    product: 'BtcUsd',
  },
])('trades beside a service that writes $name, and the books are equal', async ({ code, settings, product }) => {
  const run = await otherRun({ ways: writing(code), settings, product });
  try {
    expect(await run.trades(4), run.notices.join('\n')).toBe(true);
    // The wire has what the service itself says.
    for (const asked of run.service.subscriptions) expect(asked.productCode).toBe(code('btcusd'));
    const currencies = run.rows<{ currency: string }>('SELECT DISTINCT currency FROM ledger').map((row) => row.currency);
    expect(new Set(currencies)).toEqual(new Set(currencies.map((one) => one.toLowerCase())));
    const { ledger, venue } = await run.books();
    expect(ledger).toEqual(venue);
  } finally {
    await run.stop();
  }
});

test('names have one form here, lanes too, and a code of the list goes back as it was written there', () => {
  expect([productCode('BtcUSD'), currency('UsD'), laneIdOf('BTCUSD@base:1')]).toEqual(['btcusd', 'usd', 'btcusd@base:1']);
  const limits = { minSize: '0.01', minNotionalValue: '10', sizeIncrement: '0.01', priceIncrement: '0.5' };
  const listed = { ...productOf({ code: 'BTC-USD', ...limits }), spelled: 'BTC-USD' };
  const spelling = new Spelling();
  spelling.learn([listed]);
  expect([wireCode(listed), spelling.of(productCode('btc-usd')), spelling.of(productCode('ethusd'))]).toEqual([
    'BTC-USD',
    'BTC-USD',
    'ethusd',
  ]);
});

test('a product that a list has twice is one where both say the same, and is left out and told of where they do not', () => {
  const limits = { minSize: '0.01', minNotionalValue: '10', sizeIncrement: '0.01', priceIncrement: '0.5' };
  const one = productOf({ code: 'btcusd', ...limits });
  const told: string[] = [];
  expect(eachOnce([one, one], (what, why) => told.push(`${what}: ${why}`))).toEqual([one]);
  expect(told).toEqual([]);
  expect(eachOnce([one, { ...one, spelled: 'BTCUSD' }], (what, why) => told.push(`${what}: ${why}`))).toEqual([]);
  expect(told).toEqual([expect.stringMatching(/^product BTCUSD: .*twice, also as btcusd/)]);
});

test('settings have one form too: a currency that stands twice in a group, by case, is a fault of the configuration', () => {
  const load = (set: readonly string[], text: string) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kairos-case-'));
    const file = path.join(folder, 'kairos.yaml');
    writeFileSync(file, text);
    try {
      return loadConfig({ files: [file], set, env: {}, cwd: folder, live: false, isVenue: true }).settings;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  expect(load([], 'risk: { maxOrderValue: { USD: 5, Eur: 6 } }\naccount: { allowShort: [BTCUSD] }')).toMatchObject({
    risk: { maxOrderValue: { byCurrency: { usd: '5', eur: '6' } } },
    account: { allowShort: ['btcusd'] },
  });
  expect(() => load([], 'account: { opening: { USD: 5, usd: 6 } }')).toThrow(/account\.opening: names a currency twice/);
});

test('a deposit is of one currency, however its notification writes it', () => {
  const told = ['BTC', 'btc', 'Btc'].map((written) =>
    readNotification(
      JSON.stringify({
        notificationType: 'DEPOSIT_CONFIRMED',
        svcUserId: '1205',
        transferId: '0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42',
        source: 'here',
        currency: written,
        amount: '0.5',
      }),
      { brand: 'svc', userId: '1205' },
    ),
  );
  expect(new Set(told.map((one) => one?.meaning)).size).toBe(1);
  for (const one of told) expect(one).toMatchObject({ status: 'booked', deposit: { currency: 'btc', amount: '0.5' } });
});

test('a journal of before, which writes codes in capitals, is gone on with: nothing is booked again, and what is held is sold', () => {
  const turn = strategy({
    name: 'turn',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
  });
  const opening = new Map([
    ['usd', decimalOf(50_000)],
    ['btc', decimalOf(2)],
  ]);
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-capitals-'));
  const old = openJournal(path.join(folder, 'kairos.db'));
  begin(old);
  const entries = [...opening].map(([name, amount]) => ({
    kind: 'opening' as const,
    book: 'treasury',
    currency: name.toUpperCase(),
    amount: amount.toString(),
  }));
  const order = orderFacts(1, { strategy: 's' });
  expect([order.baseCcy, order.quoteCcy, order.feeCcy]).toEqual(['BTC', 'USD', 'USD']);
  old.commit([row('booked', { who: 'ann', why: 'opening', entries })]);
  old.commit([...permits(order), sent(order), accepted(order)]);
  old.end(RUN, 'stopped');
  old.close();
  const rig = new Rig({ strategies: { s: turn }, opening, folder, run: 'run-2', startAt: START + 60_000 });
  try {
    rig.price();
    rig.price();
    expect(rig.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`)).toEqual(['sell 0.01']);
    rig.answer(rig.last);
    rig.rows();
    expect(rig.query("SELECT currency FROM ledger WHERE kind = 'opening' AND book = 'treasury' AND amount > 0")).toEqual([
      { currency: 'USD' },
      { currency: 'BTC' },
    ]);
    rig.crash();
    const reader = JournalReader.open(rig.path);
    const { ledger, positions } = statusReport(reader);
    reader.close();
    expect(positions).toEqual([]);
    expect(ledger.map(({ book, currency: name }) => `${book} ${name}`).sort()).toEqual(['s btc', 's usd', 'treasury btc', 'treasury usd']);
  } finally {
    rig.remove();
  }
});
