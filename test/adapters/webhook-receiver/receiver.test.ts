import { describe, expect, test } from 'vitest';
import { sign, signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import { Receiver, type StoredNotification } from '#adapters/webhook-receiver/receiver.ts';
import type { InboxNotification } from '#domain/notification.ts';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';
import { fc, test as propertyTest } from '../../support/property.ts';
import { depositBody, type Sent, transfer, webhookHeaders } from '../../support/webhooks.ts';

const NOW = 1_767_225_600_123;
const KEY = signingKey(BROKER_SECRET);

/** A receiver on a journal in memory, at a time of the test's choice. */
class Bench {
  now = NOW;
  available = true;
  readonly kept: (InboxNotification & { readonly id: string })[] = [];
  readonly receiver = new Receiver({
    verify: (signed, signature) => signatureMatches(KEY, signed, signature),
    recipient: { brand: 'svc', userId: '1205' },
    windowMs: 15_000,
    now: () => this.now,
    ofTransfer: (transferId) => this.rows().filter((row) => row.transferId === transferId),
    hasBody: (body) => this.rows().some((row) => row.transferId === null && row.body === body),
    keep: async (notified) => {
      await Promise.resolve();
      if (this.available) this.kept.push({ ...notified, id: notified.earlier?.id ?? `n${this.kept.length + 1}` });
      return this.available;
    },
  });

  /** One row an id, as it stands. */
  rows(): (StoredNotification & { readonly transferId: string | null })[] {
    const rows = new Map(this.kept.map(({ id, status, body, transferId }) => [id, { id, receivedAt: 'then', status, body, transferId }]));
    return [...rows.values()];
  }

  async post(body: string | Buffer, sent: Sent = {}): Promise<string> {
    const bytes = Buffer.from(body);
    const headers = webhookHeaders(bytes, { timestamp: this.now, ...sent });
    return this.raw([headers['x-webhook-timestamp']], [headers['x-webhook-signature']], bytes);
  }

  async raw(timestamps: readonly string[], signatures: readonly string[], body: Buffer): Promise<string> {
    const { status, error } = await this.receiver.receive({ timestamps, signatures, body });
    return error === null ? String(status) : `${status} ${error}`;
  }

  booked(): readonly string[] {
    return this.kept.flatMap(({ deposit, transferId }) => (deposit ? [`${transferId} ${deposit.amount} ${deposit.currency}`] : []));
  }
}

test('2.9.notificationType, 2.9.DEPOSIT_CONFIRMED.svcUserId, 2.9.DEPOSIT_CONFIRMED.transferId, 2.9.DEPOSIT_CONFIRMED.source, 2.9.DEPOSIT_CONFIRMED.currency, 2.9.DEPOSIT_CONFIRMED.amount, 3.webhook.1: the published vector is accepted, and booked in small letters', async () => {
  const bench = new Bench();
  const body =
    '{"notificationType":"DEPOSIT_CONFIRMED","svcUserId":"1205","transferId":"0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42","source":"tb1qexampleaddr0000","currency":"BTC","amount":"0.0125"}';
  expect(await bench.raw(['1767225600123'], ['7N5wObD5k4Lbdf/Y8pEES43RuhlBvVNmwW88j19EreQ='], Buffer.from(body))).toBe('204');
  expect(bench.booked()).toEqual(['0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42 0.0125 btc']);
});

describe('5.4.4: I17: what is not authentic has no effect', () => {
  const body = depositBody(transfer(1));
  const good = webhookHeaders(body, { timestamp: NOW })['x-webhook-signature'];
  test.each<readonly [string, readonly string[], readonly string[], string]>([
    ['B25 a timestamp of 10 digits', ['1767225600'], [good], '401 NO_TIMESTAMP'],
    ['B25 a timestamp with a sign', ['+1767225600123'], [good], '401 NO_TIMESTAMP'],
    ['B25 a timestamp with blanks', [' 1767225600123'], [good], '401 NO_TIMESTAMP'],
    ['two timestamps', [String(NOW), String(NOW)], [good], '401 NO_TIMESTAMP'],
    ['no timestamp', [], [good], '401 NO_TIMESTAMP'],
    ['B26 no signature', [String(NOW)], [], '401 NO_SIGNATURE'],
    ['B26 two signatures, one of them right', [String(NOW)], [good, good], '401 NO_SIGNATURE'],
    ['B26 an empty signature', [String(NOW)], [''], '401 NO_SIGNATURE'],
    ['B26 hex', [String(NOW)], [Buffer.from(good, 'base64').toString('hex')], '401 NO_SIGNATURE'],
    ['B26 url-safe Base64', [String(NOW)], [`${'_'.repeat(43)}=`], '401 NO_SIGNATURE'],
    ['B26 padded junk', [String(NOW)], [`${good}=`], '401 NO_SIGNATURE'],
    ['another scheme of webhooks', [String(NOW)], [`v1,${good}`], '401 NO_SIGNATURE'],
    ['another time', [String(NOW + 1)], [good], '401 SIGNATURE'],
  ])('%s', async (_what, timestamps, signatures, answer) => {
    const bench = new Bench();
    expect(await bench.raw(timestamps, signatures, Buffer.from(body))).toBe(answer);
    expect(bench.kept).toEqual([]);
  });

  test('B27: the right signature of the same JSON in other bytes', async () => {
    const bench = new Bench();
    expect(await bench.raw([String(NOW)], [good], Buffer.from(JSON.stringify(JSON.parse(body), null, 1)))).toBe('401 SIGNATURE');
  });

  test('B28: our own order signature, played back as a webhook', async () => {
    const bench = new Bench();
    const rest = `POST/svc-broker/api/orders1205{"orderType":"MARKET"}`;
    expect(await bench.raw([String(NOW)], [sign(KEY, `${NOW}${rest}`)], Buffer.from(rest))).toBe('400 BODY');
    expect(bench.kept).toEqual([]);
  });

  test.each<readonly [string, string | Buffer]>([
    ['B16 an array', '[]'],
    ['B16 a text', '"{}"'],
    ['B14 a byte order mark', '\ufeff{}'],
    ['B14 invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['B15 two objects', '{}{}'],
    ['no JSON', '{'],
    ['nothing', ''],
  ])('authentic, but %s: 400', async (_what, text) => {
    const bench = new Bench();
    expect(await bench.post(text)).toBe('400 BODY');
    expect(bench.kept).toEqual([]);
  });
});

describe('what is kept and moves nothing', () => {
  test.each<readonly [string, string, string]>([
    ["another user's deposit", depositBody(transfer(1), { svcUserId: '1206' }), 'other_user'],
    ['a type that is not known', '{"notificationType":"WITHDRAWAL_CONFIRMED","x":1}', 'unknown_type'],
    ['B11 a type in the prototype alone', '{"__proto__":{"notificationType":"DEPOSIT_CONFIRMED"}}', 'unreadable'],
    ['an amount that is a number', depositBody(transfer(1), { amount: 0.5 }), 'unreadable'],
    ['B04 an amount with an exponent', depositBody(transfer(1), { amount: '1e-7' }), 'unreadable'],
    ['B02 an amount below zero', depositBody(transfer(1), { amount: '-1' }), 'unreadable'],
    ['an amount of nothing', depositBody(transfer(1), { amount: '0.00' }), 'unreadable'],
    ['B08 no currency', depositBody(transfer(1), { currency: null }), 'unreadable'],
    ['B20 a transfer that is no UUID', depositBody('7'), 'unreadable'],
  ])('%s, once however often it comes', async (_what, body, status) => {
    const bench = new Bench();
    expect([await bench.post(body), await bench.post(body)]).toEqual(['204', '204']);
    expect(bench.kept.map((row) => row.status)).toEqual([status]);
    expect(bench.booked()).toEqual([]);
  });

  test('9.3: further fields and other letters of a UUID are the same transfer; B10 of two equal keys the last counts', async () => {
    const bench = new Bench();
    const id = '0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42';
    expect(await bench.post(depositBody(id))).toBe('204');
    expect(await bench.post(depositBody(id.toUpperCase(), { added: 'later', amount: '0.01250' }))).toBe('204');
    expect(await bench.post(depositBody(transfer(2)).replace('"amount"', '"amount":"9","amount"'))).toBe('204');
    expect(bench.booked()).toEqual([`${id} 0.0125 btc`, `${transfer(2)} 0.0125 btc`]);
  });

  test('another word on a transfer that was booked is kept aside once; another type of it stands in nobody’s way', async () => {
    const bench = new Bench();
    const announced = JSON.stringify({ notificationType: 'DEPOSIT_SEEN', transferId: transfer(1) });
    const other = depositBody(transfer(1), { amount: '5' });
    for (const body of [announced, announced, depositBody(transfer(1)), other, other]) expect(await bench.post(body)).toBe('204');
    expect(bench.kept.map(({ status }) => status)).toEqual(['unknown_type', 'booked', 'conflict']);
    expect(bench.booked()).toHaveLength(1);
  });
});

describe('5.4.1, 8.7: F39: authentic, but too late or too early', () => {
  test.each([15_001, -15_001])('%i ms from the present: refused, then kept aside; in time it is booked at once', async (late) => {
    const bench = new Bench();
    const body = depositBody(transfer(1));
    const timestamp = NOW - late;
    expect(await bench.post(body, { timestamp })).toBe('400 LATE');
    expect(bench.kept).toEqual([]);
    expect([await bench.post(body, { timestamp }), await bench.post(body, { timestamp })]).toEqual(['204', '204']);
    expect(bench.kept.map(({ status, deposit }) => [status, deposit])).toEqual([['late', null]]);
    // A sender that comes in time after all settles what was kept aside.
    expect(await bench.post(body)).toBe('204');
    expect(bench.rows().map(({ id, status }) => [id, status])).toEqual([['n1', 'booked']]);
    expect(bench.booked()).toHaveLength(1);
  });

  test('a sender whose stamps are new and always too late is kept aside too', async () => {
    const bench = new Bench();
    const body = depositBody(transfer(1));
    const answers = [];
    for (const late of [20_000, 19_000, 18_000]) answers.push(await bench.post(body, { timestamp: NOW - late }));
    expect(answers).toEqual(['400 LATE', '204', '204']);
    expect(bench.kept.map(({ status, deposit }) => [status, deposit])).toEqual([['late', null]]);
  });

  test('at the very end of the window it is in time', async () => {
    const bench = new Bench();
    expect(await bench.post(depositBody(transfer(1)), { timestamp: NOW - 15_000 })).toBe('204');
    expect(await bench.post(depositBody(transfer(2)), { timestamp: NOW + 15_000 })).toBe('204');
    expect(bench.booked()).toHaveLength(2);
  });

  test('3.webhook.3: F40 F42: what is booked is answered with success however late it comes again', async () => {
    const bench = new Bench();
    const body = depositBody(transfer(1));
    const timestamp = bench.now;
    await bench.post(body, { timestamp });
    bench.now += 82.5 * 3_600_000;
    expect(await bench.post(body, { timestamp })).toBe('204');
    expect(bench.booked()).toHaveLength(1);
  });
});

test('3.webhook.2: F41: while nothing can be kept nothing is acknowledged, and nothing is lost or doubled afterwards', async () => {
  const bench = new Bench();
  bench.available = false;
  expect(await bench.post(depositBody(transfer(1)))).toBe('503 UNAVAILABLE');
  bench.available = true;
  expect([await bench.post(depositBody(transfer(1))), await bench.post(depositBody(transfer(1)))]).toEqual(['204', '204']);
  expect(bench.booked()).toHaveLength(1);
});

propertyTest.prop(
  [fc.array(fc.record({ n: fc.nat({ max: 8 }), ageMs: fc.constantFrom(0, 20_000), works: fc.boolean() }), { maxLength: 60 })],
  {
    numRuns: 40,
  },
)(
  '8.5, 8.6: F38 F40: shuffled, repeated, at once and through outages: one effect a transfer, and success means kept',
  async (deliveries) => {
    const bench = new Bench();
    const acknowledged = new Set<string>();
    for (let from = 0; from < deliveries.length; from += 6) {
      bench.available = deliveries[from]?.works ?? true;
      const some = deliveries.slice(from, from + 6);
      const answers = await Promise.all(some.map(({ n, ageMs }) => bench.post(depositBody(transfer(n)), { timestamp: NOW - ageMs })));
      for (const [index, answer] of answers.entries()) if (answer === '204') acknowledged.add(transfer(some[index]?.n ?? 0));
    }
    expect(new Set(bench.booked()).size).toBe(bench.booked().length);
    const rows = bench.rows();
    expect(new Set(rows.map(({ transferId }) => transferId)).size).toBe(rows.length);
    for (const id of acknowledged) expect(rows.some(({ transferId }) => transferId === id)).toBe(true);
  },
);
