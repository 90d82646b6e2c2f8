import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { anyText, fc } from '../../support/property.ts';
import { CORPUS } from './corpus.ts';
import { AI, type Bench, bench, errorBody, type Got, LOGIN, ORDERS, STRATEGIES } from './harness.ts';

/** One endpoint that takes a body, as a user with every right would ask it. */
type Target = readonly [name: string, path: string, send: (body: string | Buffer) => Promise<Got>];

let there: Bench;
let id: string;
let targets: readonly Target[];

beforeEach(async () => {
  there = await bench();
  id = String((await there.strategy('POST', '/action/create', AI)).json.strategyId);
  const headers: readonly (readonly [string, string])[] = [['Content-Type', 'application/json']];
  const plain = (path: string) => (body: string | Buffer) => there.send({ method: 'POST', path, headers, body });
  const onStrategy = (method: string, path: string): Target => [path, `${STRATEGIES}${path}`, (body) => there.strategy(method, path, body)];
  targets = [
    onStrategy('POST', '/action/create'),
    onStrategy('PATCH', `/${id}/action/modify`),
    onStrategy('PUT', `/${id}/action/flush`),
    onStrategy('PUT', `/${id}/action/schedule-opening-pause`),
    ['login', LOGIN, plain(LOGIN)],
    ['order', ORDERS, (body) => there.order(body)],
    ['deposit', '/venue/deposits', plain('/venue/deposits')],
  ];
});

/** All that a request could have changed. */
async function state(): Promise<unknown> {
  const { venue } = there;
  return [(await there.strategy('POST', '/find')).text, venue.executions(), venue.balances('1205'), venue.balances('1206')];
}

async function refusedEverywhere(body: string | Buffer, status: number | readonly number[]): Promise<void> {
  const before = await state();
  for (const [name, path, send] of targets) {
    const answer = await send(body);
    const allowed = typeof status === 'number' ? [status] : status;
    expect([name, allowed.includes(answer.status), answer.status]).toEqual([name, true, answer.status]);
    expect(answer.json).toMatchObject(errorBody(answer.status, path));
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  }
  expect(await state()).toEqual(before);
}

describe('bodies that no endpoint takes: refused with the error body, and nothing changes', () => {
  test.each(Object.entries(CORPUS.bodies))('%s', async (_name, body) => {
    // A modify understands a field that it may not change, and says so: 422.
    await refusedEverywhere(body, [400, 422]);
  });

  test('B14 invalid UTF-8', () => refusedEverywhere(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400));
  test('B14 UTF-16', () => refusedEverywhere(Buffer.from('{}', 'utf16le'), 400));
  test('B12 20,000 deep, as a list and as an object', async () => {
    await refusedEverywhere('['.repeat(20_000), 400);
    await refusedEverywhere(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, [400, 422]);
  });
  test('B13 6 MB: 413', () => refusedEverywhere(`[${'{},'.repeat(2_000_000)}{}]`, 413));
  test('B30 gzip', () => refusedEverywhere(gzipSync(JSON.stringify(AI)), 400));
});

describe('numbers that are none, or none that fit: 400 or 422, and nothing changes', () => {
  const fields = ['initialBaseCurrencySize', 'size', 'orderMaxSize', 'priceLimit', 'triggerPrice'];
  test.each(Object.entries(CORPUS.numbers))('%s', async (_name, number) => {
    const before = await state();
    for (const field of fields) {
      const { [field]: _replaced, ...rest } = AI;
      const text = `${JSON.stringify(rest).slice(0, -1)},"${field}":${number}}`;
      expect([field, (await there.strategy('POST', '/action/create', text)).status >= 400]).toEqual([field, true]);
      if (field === 'initialBaseCurrencySize') continue;
      const changed = await there.strategy('PATCH', `/${id}/action/modify`, `{"${field}":${number}}`);
      expect([field, [400, 422].includes(changed.status)]).toEqual([field, true]);
    }
    // Half a step, and a hundredth of a percent, are numbers like others to a flush.
    if (!/B04 small|ulp/.test(_name)) {
      for (const field of ['longPositionTargetPercentage', 'shortPositionTargetPercentage']) {
        const rest = '"longPositionTargetPercentage":0,"shortPositionTargetPercentage":0';
        const answer = await there.strategy('PUT', `/${id}/action/flush`, `{${rest},"${field}":${number}}`);
        expect([field, [400, 422].includes(answer.status)]).toEqual([field, true]);
      }
    }
    expect(await state()).toEqual(before);
  });

  test('B08 null where absent is meant: a create takes it for absent, a flush and a pause refuse it', async () => {
    expect((await there.strategy('POST', '/action/create', { ...AI, priceLimit: null })).status).toBe(201);
    expect(
      (await there.strategy('PUT', `/${id}/action/flush`, { longPositionTargetPercentage: null, shortPositionTargetPercentage: 0 })).status,
    ).toBe(400);
  });
});

describe('whatever comes: no endpoint fails, and what is refused changes nothing', () => {
  const runs = { numRuns: 40, examples: Object.values(CORPUS.bodies).map((text): [string] => [text]) };
  const texts = fc.oneof(
    fc.json({ maxDepth: 4 }),
    anyText({ maxLength: 200 }),
    fc.json({ maxDepth: 1 }).map((text) => `${text}}`),
  );

  test('B10 to B16 texts of any kind to every endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        for (const [, path, send] of targets) {
          const { status, json } = await send(text);
          if (status >= 300) expect(json).toMatchObject(errorBody(status, path));
          expect(status).toBeLessThan(500);
        }
      }),
      runs,
    );
  });

  test('B01 to B09 creates of any shape: what is created is there, with the very values that were sent', async () => {
    const value = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(0.01, 0.02, 100, 61_000),
      fc.constant(null),
      fc.string(),
      fc.boolean(),
    );
    const shape = fc.record(
      Object.fromEntries(Object.keys(AI).map((field) => [field, fc.oneof({ weight: 6, arbitrary: fc.constant(AI[field]) }, value)])),
    );
    await fc.assert(
      fc.asyncProperty(shape, async (body) => {
        const { status, json } = await there.strategy('POST', '/action/create', body);
        expect([201, 400, 422]).toContain(status);
        if (status !== 201) return;
        const found: Record<string, Record<string, { value: unknown }>>[] = JSON.parse((await there.strategy('POST', '/find')).text);
        const made = found.find((strategy) => Object(strategy).strategyId === json.strategyId);
        const sent: Record<string, unknown> = JSON.parse(JSON.stringify(body));
        for (const [field, { value: kept }] of Object.entries(made?.uiParams ?? {})) expect([field, kept]).toEqual([field, sent[field]]);
      }),
      { numRuns: 80 },
    );
  });
});
