import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { laneIdOf } from '#domain/names.ts';
import { FAULTS, faultText, MIXED, readFault, type VenueFault } from '#paper-venue/faults/catalogue.ts';
import { FaultDraws, formOf } from '#paper-venue/faults/draws.ts';
import { badFrame, wildFrame } from '#paper-venue/faults/feed.ts';
import { answered, FeedClient, firstQuote, order, rig } from './venue-rig.ts';

describe('names as they are given', () => {
  test.each([
    ['lost-answers', { name: 'lost-answers', percent: 20 }, 'lost-answers'],
    ['lost-answers=20%', { name: 'lost-answers', percent: 20 }, 'lost-answers'],
    ['dropped-feed=0.5%', { name: 'dropped-feed', percent: 0.5 }, 'dropped-feed=0.5%'],
    ['all', { name: 'all', percent: 10 }, 'all'],
  ] as const)('%s', (text, fault, written) => {
    expect(readFault(text)).toEqual(fault);
    expect(faultText(fault)).toBe(written);
  });

  test.each([
    ['lost-answer', /^be one of lost-answers, .*, all, not "lost-answer"; did you mean lost-answers\?$/],
    ['toString', /^be one of .*, not "toString"$/],
    ['lost-answers=half', /did you mean lost-answers\?$/],
    ['', /not ""$/],
    ['lost-answers=0%', /^have a share above 0% and at most 100%/],
    ['lost-answers=101%', /^have a share/],
  ])('%s is none', (text, wrong) => expect(readFault(text)).toMatch(wrong));

  test('docs/venue.md has a row for each, in their order, with its share', () => {
    const page = readFileSync(new URL('../../docs/venue.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (\d+)% of .+ \| .+ \|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(FAULTS).map(([name, { percent }]) => [name, String(percent)]));
  });
});

describe('draws', () => {
  const drawn = (seed: string, faults: readonly VenueFault[], many = 2000) => {
    const draws = new FaultDraws(seed, faults);
    return Array.from({ length: many }, () => draws.next('request')?.name);
  };
  const lost = { name: 'lost-answers', percent: 20 } as const;
  const rejected = { name: 'rejections', percent: 50 } as const;

  test('the same seed strikes the same ones, another seed others, in the share that was asked for', () => {
    const first = drawn('paper', [lost]);
    expect(drawn('paper', [lost])).toEqual(first);
    expect(drawn('other', [lost])).not.toEqual(first);
    expect(first.filter(Boolean).length / first.length).toBeCloseTo(0.2, 1);
  });

  test('what a fault strikes does not depend on the others; of two the one that was given first counts', () => {
    const both = drawn('paper', [lost, rejected]);
    expect(both.map((name) => name === 'lost-answers')).toEqual(drawn('paper', [lost]).map(Boolean));
    expect(both).toContain('rejections');
  });

  test('a fault that is named beside all has its own share, before or after it', () => {
    const strikes = (faults: readonly VenueFault[]) => drawn('paper', faults).filter((name) => name === 'lost-answers').length;
    const all = { name: 'all', percent: 10 } as const;
    expect([strikes([lost, all]), strikes([all, lost])]).toEqual([strikes([lost]), strikes([lost])]);
  });

  test('each strikes only where it can, and all is a mixture that leaves the clock alone', () => {
    const draws = new FaultDraws('paper', [{ name: 'all', percent: 100 }]);
    expect(draws.reaches('start')).toBe(false);
    const names = new Set(
      Array.from({ length: 5000 }, () =>
        (['request', 'token', 'answer', 'connection', 'subscription', 'quote', 'validity', 'notification'] as const).map(
          (point) => draws.next(point)?.name,
        ),
      ).flat(),
    );
    expect([...names].filter((name) => name !== undefined).sort()).toEqual([...MIXED].sort());
  });

  test('forms are as likely as each other, to the ends of the draw', () => {
    expect([0, 0.34, 0.67, 0.999999].map((unit) => formOf(['a', 'b', 'c'], unit))).toEqual(['a', 'b', 'c', 'c']);
  });
});

describe('F32 F33 F34 F35 frames', () => {
  const frame = `{"msgType":"TQ","id":"00000000-0000-4000-8000-000000000001","productCode":"btcusd","baseCcy":"btc","quoteCcy":"usd","buyQuote":{"price":100,"size":0.01,"value":1,"feeInBaseCcy":0,"feeInQuoteCcy":0,"slippage":0,"slippagePercentage":0},"sellQuote":{"price":100,"size":0.01,"value":1,"feeInBaseCcy":0,"feeInQuoteCcy":0,"slippage":0,"slippagePercentage":0},"avgQuote":{"size":0.01,"value":1,"feeInBaseCcy":0,"feeInQuoteCcy":0},"feePercentage":0.1,"spread":0,"spreadPercentage":0,"dailyChangePercentage":0,"validUntil":"2026-01-01T00:00:03.000Z"}`;
  const kindOf = (text: string) => decodeFrame(text, { lane: laneIdOf('btcusd@base:0.01'), epoch: 1 });

  test('the frame itself is a quote', () => expect(kindOf(frame)).toMatchObject({ kind: 'quote' }));

  test.each([
    [0.1, 'malformed'],
    [0.5, 'malformed'],
    [0.7, 'ignored'],
  ])('bad form %s is %s', (unit, kind) => expect(kindOf(String(badFrame(frame, unit)))).toMatchObject({ kind }));

  test('one without an id is a quote that no order can name, and one form is binary', () => {
    expect(kindOf(String(badFrame(frame, 0.3)))).toMatchObject({ kind: 'quote', quote: { id: null } });
    expect(badFrame(frame, 0.9)).toEqual(Buffer.from(frame));
  });

  test.each([
    [0.1, '"buyQuote":{"price":90,', 'quote'],
    [0.3, '"sellQuote":{"price":0,', 'malformed'],
    [0.6, '"buyQuote":{"price":1000,"size":0.01,"value":10,', 'quote'],
    [0.9, '"buyQuote":{"price":"NaN",', 'malformed'],
  ])('wild form %s', (unit, part, kind) => {
    expect(wildFrame(frame, unit)).toContain(part);
    expect(kindOf(wildFrame(frame, unit))).toMatchObject({ kind });
  });
});

const ALWAYS = (name: keyof typeof FAULTS) => ({ faults: [{ name, percent: 100 }] });

describe('requests', () => {
  async function ordered(name: keyof typeof FAULTS) {
    const { venue, timers } = await rig(ALWAYS(name));
    const feed = await new FeedClient(venue).open();
    const { id } = await firstQuote(feed);
    const answer = order({ venue, timers }, { quoteId: id }).catch(() => 'cut');
    return { venue, timers, answer };
  }

  test('F03 lost-answers: executed, and the connection is cut', async () => {
    const { venue, answer } = await ordered('lost-answers');
    expect(await answer).toBe('cut');
    expect(venue.executions()).toHaveLength(1);
  });

  test.each([
    ['F09 F15', 'rejections', [422]],
    ['F09', 'too-many-requests', [429]],
    ['F07 F08', 'refused-keys', [401, 403]],
  ] as const)('%s %s: refused, and nothing is executed', async (_numbers, name, statuses) => {
    const { venue, answer } = await ordered(name);
    expect(await answer).toMatchObject({ status: expect.toBeOneOf([...statuses]) });
    expect(venue.executions()).toEqual([]);
  });

  test('F10 server-errors: some are executed and some are not, and the answers do not say which', async () => {
    const { venue, timers } = await rig(ALWAYS('server-errors'));
    const feed = await new FeedClient(venue).open();
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      const { id } = await firstQuote(feed, { inputSize: (10 + at) / 1000 });
      statuses.push((await order({ venue, timers }, { quoteId: id })).status);
    }
    expect(statuses.every((status) => status >= 500)).toBe(true);
    expect(venue.executions().length).toBeGreaterThan(2);
    expect(venue.executions().length).toBeLessThan(10);
  });

  test('F05 slow-answers: executed at once, answered after 4 to 10 s', async () => {
    const { venue, timers, answer } = await ordered('slow-answers');
    while (timers.pending < 3 || venue.executions().length === 0) await new Promise((resolve) => setImmediate(resolve));
    let there = false;
    void answer.then(() => {
      there = true;
    });
    timers.advance(3900);
    await new Promise((resolve) => setImmediate(resolve));
    expect(there).toBe(false);
    timers.advance(6100);
    expect(await answer).toMatchObject({ status: 201 });
  });

  test('F06 unreadable-answers: executed, and the body is not JSON', async () => {
    const { venue, timers } = await rig(ALWAYS('unreadable-answers'));
    const feed = await new FeedClient(venue).open();
    const { id } = await firstQuote(feed);
    const body = await order({ venue, timers }, { quoteId: id }).then(
      (answer) => answer.body,
      () => ({}),
    );
    expect(body).not.toHaveProperty('orderId');
    expect(venue.executions()).toHaveLength(1);
  });

  test('F18 token-expired: 401 for a token that is good, on nothing but what needs one', async () => {
    const { venue } = await rig(ALWAYS('token-expired'));
    const body = JSON.stringify({ username: 'paper@example.com', password: 'paper' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch(`${venue.url}/httpserver/main/v2/auth/login`, { method: 'POST', body, headers });
    const authorization = signedIn.headers.get('authorization') ?? '';
    expect(authorization).toMatch(/^Bearer /);
    const asked = await answered(await fetch(`${venue.url}/as/v3/accounts`, { headers: { authorization } }));
    expect(asked).toMatchObject({ status: 401, body: { errorCode: 'TOKEN_INVALID' } });
    expect((await fetch(`${venue.url}/mms/v2/productDetails`)).status).toBe(200);
  });
});

describe('clocks', () => {
  const dateOf = async (url: string) => Date.parse((await fetch(`${url}/mms/v2/productDetails`)).headers.get('date') ?? '');

  test('F55 clock-ahead: Date, validUntil and signatures, all by a clock two minutes ahead', async () => {
    const { venue, timers } = await rig(ALWAYS('clock-ahead'));
    expect(await dateOf(venue.url)).toBe(timers.wallMs() + 120_000);
    const quote = await firstQuote(await new FeedClient(venue).open());
    expect(Date.parse(quote.validUntil)).toBe(timers.wallMs() + 123_000);
    expect(await order({ venue, timers }, { quoteId: quote.id })).toMatchObject({ status: 401 });
    const timestamp = String(timers.wallMs() + 120_000);
    expect(await order({ venue, timers }, { quoteId: quote.id, timestamp })).toMatchObject({ status: 201 });
  });

  test('F58 two-clocks: some answers are 4 s ahead of the others', async () => {
    const { venue, timers } = await rig({ faults: [{ name: 'two-clocks', percent: 50 }] });
    const dates = new Set<number>();
    for (let at = 0; at < 20; at += 1) dates.add((await dateOf(venue.url)) - timers.wallMs());
    expect([...dates].sort()).toEqual([0, 4000]);
  });
});
