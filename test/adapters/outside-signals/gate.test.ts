import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SignalGate } from '#adapters/outside-signals/gate.ts';
import { signalApp } from '#adapters/outside-signals/server.ts';
import { tokenOf } from '#adapters/outside-signals/tokens.ts';
import { type OutsideSignal, signalSource } from '#domain/outside-signal.ts';

const NOW = Date.UTC(2026, 0, 5, 9);

/** A gate whose journal answers as it is told. */
class Bench {
  now = NOW;
  isWritable = true;
  readonly kept: OutsideSignal[] = [];
  readonly gate = new SignalGate({
    source: signalSource('model'),
    schemas: [{ score: 'number', side: ['buy', 'sell'] }],
    maxBytes: 16_384,
    perSecond: 10,
    maxAgeMs: 60_000,
    taken: ['before'],
    now: () => this.now,
    keep: async (signal) => {
      if (this.isWritable) this.kept.push(signal);
      return this.isWritable;
    },
  });

  take(fields: unknown) {
    this.now += 1000;
    return this.gate.receive(Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)));
  }
}

const good = { id: 'a', made: new Date(NOW).toISOString(), score: 0.7, side: 'buy' };

describe('the gate of a source', () => {
  test('takes JSON and forms, numbers as text, and ignores what nobody declares', async () => {
    const bench = new Bench();
    expect(await bench.take({ ...good, mood: 'x' })).toEqual({ taken: true, id: 'a' });
    expect(await bench.take(`id=b&made=${NOW / 1000}&score=0.25&side=sell&ticker=BTCUSD`)).toEqual({ taken: true, id: 'b' });
    expect(bench.kept).toEqual([
      { id: 'a', madeAt: NOW, value: { score: 0.7, side: 'buy' } },
      { id: 'b', madeAt: NOW, value: { score: 0.25, side: 'sell' } },
    ]);
  });

  test.each<[unknown, object]>([
    [
      { ...good, score: 'high' },
      { error: 'SCHEMA', field: 'score', must: 'must be a number' },
    ],
    [
      { id: 'a', score: 1 },
      { error: 'SCHEMA', field: 'side', must: 'must be one of buy, sell' },
    ],
    // Told by another id than its own it would be taken twice, or not at all.
    ...['x'.repeat(101), '\ud800', true, ['a'], 2 ** 53].map((id): [object, object] => [
      { ...good, id },
      { error: 'SCHEMA', field: 'id', must: 'must be text of at most 100 characters, or a number that keeps its digits' },
    ]),
    ['{"id":"a","score":0.7,"side":"buy","score":-0.7}', { error: 'SCHEMA', field: 'score', must: 'is given twice' }],
    ['id=b&score=0.25&side=sell&side=buy', { error: 'SCHEMA', field: 'side', must: 'is given twice' }],
    [
      { ...good, made: 'yesterday' },
      { error: 'TIME', field: 'made' },
    ],
    [{ ...good, made: NOW - 60_000 }, { error: 'LATE' }],
    [{ ...good, made: NOW + 6_001 }, { error: 'EARLY' }],
    [{ ...good, id: 'before' }, { error: 'REPEAT' }],
    [{ ...good, deep: JSON.parse('['.repeat(9) + ']'.repeat(9)) }, { error: 'DEPTH' }],
    ['{"score": 1', { error: 'BODY' }],
    ['[1]', { error: 'BODY' }],
    ['hello', { error: 'BODY' }],
  ])('refuses %j', async (fields, verdict) => {
    const bench = new Bench();
    expect(await bench.take(fields)).toMatchObject({ taken: false, ...verdict });
    expect(bench.kept).toEqual([]);
  });

  test('each has one effect, in whatever order and however often it comes', async () => {
    const bench = new Bench();
    const ids = ['c', 'a', 'b', 'a', 'c', 'c'];
    const verdicts = [];
    for (const id of ids) verdicts.push(await bench.take({ ...good, id }));
    expect(bench.kept.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(verdicts.filter(({ taken }) => !taken)).toHaveLength(3);
    const unnamed = { made: NOW, score: 1, side: 'buy' };
    expect([await bench.take(unnamed), await bench.take(unnamed)]).toMatchObject([{ taken: true }, { error: 'REPEAT' }]);
  });

  test('what could not be written may come again', async () => {
    const bench = new Bench();
    bench.isWritable = false;
    expect(await bench.take(good)).toMatchObject({ error: 'UNAVAILABLE' });
    bench.isWritable = true;
    expect(await bench.take(good)).toEqual({ taken: true, id: 'a' });
  });

  test('takes ten a second, and again a second later', async () => {
    const bench = new Bench();
    const flood = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) => bench.gate.receive(Buffer.from(JSON.stringify({ ...good, id: `${bench.now} ${n}` })))),
      );
    expect((await flood()).filter(({ taken }) => taken)).toHaveLength(10);
    bench.now += 1000;
    expect((await flood()).filter(({ taken }) => taken)).toHaveLength(10);
  });
});

describe('the port', () => {
  const secret = 'a secret of this test';
  const body = JSON.stringify(good);
  const [token, other] = [tokenOf(secret, 'model'), tokenOf(secret, 'chart')];
  const hmac = createHmac('sha256', token).update(body).digest('hex');
  const json = { 'content-type': 'application/json' };

  test.each<[string, string, Record<string, string>, string, number]>([
    ['a token in a header', '', { ...json, 'x-signal-token': token }, body, 200],
    ['a bearer token', '', { ...json, authorization: `Bearer ${token}` }, body, 200],
    ['a token in the path', `/${token}`, json, body, 200],
    ['a token in the body of a form', '', { 'content-type': 'application/x-www-form-urlencoded' }, `token=${token}&score=1&side=buy`, 200],
    ['a signature', '', { ...json, 'x-signal-signature': `sha256=${hmac}` }, body, 200],
    ['no token', '', json, body, 401],
    ['the token of another source', '', { ...json, 'x-signal-token': other }, body, 401],
    ['a signature of another body', '', { ...json, 'x-signal-signature': hmac }, `${body} `, 401],
    ['a wrong signature beside the token', '', { ...json, 'x-signal-token': token, 'x-signal-signature': '00' }, body, 401],
    ['a body over the bound, token or not', '', json, JSON.stringify({ ...good, token, text: 'x'.repeat(16_384) }), 413],
    ['a wrong field', '', { ...json, 'x-signal-token': token }, '{"score":1}', 422],
    ['a test, which has no effect', '', { ...json, 'x-signal-token': token, 'x-signal-test': 'yes' }, body, 200],
  ])('%s', async (what, path, headers, payload, status) => {
    const bench = new Bench();
    const refusals: string[] = [];
    const app = signalApp({
      sources: new Map([['model', { gate: bench.gate, token }]]),
      onRefused: (source, error) => refusals.push(`${source} ${error}`),
    });
    const answer = await app.inject({ method: 'POST', url: `/signals/model${path}`, headers, payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.body, 'no answer shows a token').not.toContain(token);
    expect(bench.kept).toHaveLength(status === 200 && !what.includes('no effect') ? 1 : 0);
    expect(refusals).toHaveLength(status === 200 ? 0 : 1);
    await app.close();
  });
});
