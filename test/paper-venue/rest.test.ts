import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { totpCode, totpKey } from '#adapters/service-client/rest/totp.ts';
import { Tokens } from '#paper-venue/users/sessions.ts';
import { plainRequest } from '../support/plain-request.ts';
import { answered, type Rig, rig, scratch, started } from './venue-rig.ts';

const get = async ({ venue }: Rig, path: string, token?: string) =>
  answered(await fetch(`${venue.url}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }));

async function login({ venue }: Rig, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${venue.url}/httpserver/main/v2/auth/login`, { method: 'POST', headers: JSON_TYPE, body: text });
  const token = response.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  return { ...(await answered(response)), token };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const paper = { username: 'paper@example.com', password: 'paper' };

describe('products (spec 4.3)', () => {
  test.each([
    ['?exchangeCode=VB', ['btcusd', 'ethusd', 'ethsek', 'eurusd']],
    ['?exchangeCode=OKX', ['okx-btc-usdt', 'okx-eth-usdt']],
    ['?exchangeCode=BIN', ['bin-btc-usdt']],
    ['?exchangeCode=IB', []],
    ['', ['btcusd', 'ethusd', 'ethsek', 'eurusd', 'okx-btc-usdt', 'okx-eth-usdt', 'bin-btc-usdt']],
  ])('of %s, without a token', async (query, codes) => {
    const { status, body } = await get(await rig(), `/mms/v2/productDetails${query}`);
    expect(status).toBe(200);
    expect(Object.values(body)).toMatchObject(codes.map((productCode) => ({ productCode })));
  });
});

describe('sign-in and what it opens (spec 5.2, notes)', () => {
  test('F18 a token lives for an hour; a refresh token prolongs it, and says so in Unix time', async () => {
    const there = await rig({ quotesPerSecond: 0.001 });
    const signedIn = await login(there, paper);
    there.timers.advance(3_599_999);
    expect((await get(there, '/as/v3/accounts', signedIn.token)).status).toBe(200);
    there.timers.advance(1);
    expect((await get(there, '/as/v3/accounts', signedIn.token)).status).toBe(401);
    const prolonged = await login(there, { refreshToken: signedIn.body.refreshToken });
    expect(prolonged).toMatchObject({ status: 200, body: { expirationTime: there.timers.wallMs() / 1000 + 3600 } });
    expect((await get(there, '/as/v3/accounts', prolonged.token)).status).toBe(200);
    expect((await login(there, { refreshToken: prolonged.token })).status).toBe(401);
  });

  test('I17 a token that is forged, unsigned, or signed by another opens nothing', async () => {
    const there = await rig();
    const { token } = await login(there, paper);
    const [header = '', payload = ''] = token.split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    const foreign = `${header}.${payload}.${createHmac('sha256', 'guess').update(`${header}.${payload}`).digest('base64url')}`;
    const owner = { username: paper.username, sessionId: 'x' };
    const other = await new Tokens('another start').issue('access', owner, { nowMs: there.timers.wallMs(), lifeSeconds: 60 });
    for (const forged of [none, foreign, other, '', 'x', `${token}x`, `${token}.`]) {
      expect((await get(there, '/as/v3/accounts', forged)).status).toBe(401);
    }
  });
});

describe('the second factor (notes, bearer token 2; RFC 6238)', () => {
  const totpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const guarded = () => rig({ signIn: { totpSecret, tokenSeconds: 3600, refreshTokenSeconds: 86_400 } });
  const codeAt = (ms: number) => totpCode(totpKey(totpSecret), ms);

  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('the vectors of the RFC: at %i s %s', (seconds, code) => {
    expect(codeAt(seconds * 1000)).toBe(code);
  });

  test('a password alone gives a challenge and no token; with the six digits it gives one, once', async () => {
    const there = await guarded();
    const asked = await login(there, paper);
    expect(asked).toMatchObject({
      status: 200,
      token: '',
      body: { awsUsername: paper.username, challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' },
    });
    const challengeAnswer = codeAt(there.timers.wallMs());
    const signedIn = await login(there, { ...asked.body, challengeAnswer });
    expect(signedIn).toMatchObject({ status: 200, body: { expirationTime: 3600 } });
    expect((await get(there, '/as/v3/accounts', signedIn.token)).status).toBe(200);
    expect((await login(there, { ...asked.body, challengeAnswer })).status).toBe(401);
  });

  test.each([
    ['digits of the step before', -30_000, 200],
    ['digits of the step after', 30_000, 200],
    ['digits of two steps before', -60_000, 401],
    ['digits of two steps after', 60_000, 401],
  ])('%s: %i ms away', async (_name, offset, status) => {
    const there = await guarded();
    const asked = await login(there, paper);
    const answer = await login(there, { ...asked.body, challengeAnswer: codeAt(there.timers.wallMs() + offset) });
    expect(answer.status).toBe(status);
  });

  test('a challenge older than three minutes, of another, or a token in its place opens nothing', async () => {
    const there = await guarded();
    const asked = await login(there, paper);
    const code = () => codeAt(there.timers.wallMs());
    expect((await login(there, { ...asked.body, session: 'a.b.c', challengeAnswer: code() })).status).toBe(401);
    expect((await login(there, { ...asked.body, awsUsername: 'x', challengeAnswer: code() })).status).toBe(401);
    expect((await login(there, { ...asked.body, challengeAnswer: '12345' })).status).toBe(400);
    there.timers.advance(180_000);
    expect((await login(there, { ...asked.body, challengeAnswer: code() })).status).toBe(401);
  });

  test('guessing: after five codes in half a minute not even the right one is taken', async () => {
    const there = await guarded();
    const asked = await login(there, paper);
    const right = codeAt(there.timers.wallMs());
    const wrong = right === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess += 1) await login(there, { ...asked.body, challengeAnswer: wrong });
    expect((await login(there, { ...asked.body, challengeAnswer: right })).status).toBe(401);
    there.timers.advance(30_000);
    expect((await login(there, { ...asked.body, challengeAnswer: codeAt(there.timers.wallMs()) })).status).toBe(200);
  });
});

test('a session outlives a restart of a venue with a file, and no other', async () => {
  for (const [database, status] of [
    [`${scratch()}/venue.db`, 200],
    [':memory:', 401],
  ] as const) {
    const first = await rig({ database });
    const { token } = await login(first, paper);
    await first.venue.close();
    const second = { venue: await started({ database }, first.timers), timers: first.timers };
    expect((await get(second, '/as/v3/accounts', token)).status).toBe(status);
  }
});

describe('actions on all strategies (spec 4.1)', () => {
  test.each(['pauseAll', 'resumeAll'] as const)('%s: 202 without content, and its effect can be counted', async (action) => {
    const there = await rig();
    const { token } = await login(there, paper);
    const url = `${there.venue.url}/strategy-orchestrator/strategies/${action}`;
    const headers = { authorization: `Bearer ${token}`, 'se-api-version': '1' };
    const response = await fetch(url, { method: 'PUT', headers });
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(there.venue.counts()[action]).toBe(1);
    const refused = await answered(await fetch(url, { method: 'PUT' }));
    expect(refused).toMatchObject({ status: 401, body: { errorCode: 'TOKEN_MISSING', errors: [] } });
    expect(there.venue.counts()[action]).toBe(1);
  });

  test('other paths: 404 with the error body', async () => {
    const there = await rig();
    for (const path of ['/strategy-orchestrator/strategies/other', '/nothing', '/svc-broker/public/quotes']) {
      expect(await get(there, path)).toMatchObject({ status: 404, body: { status: 404, path, errorCode: 'NOT_FOUND' } });
    }
  });
});

test('a client that offers HTTP/2 is answered over HTTP/1.1, with its body', async () => {
  const { venue } = await rig();
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' };
  const listed = await plainRequest(`${venue.url}/mms/v2/productDetails?exchangeCode=IB`, { headers: offer });
  expect(listed).toMatchObject({ status: 200, body: '[]' });
  const signIn = { method: 'POST', headers: { ...offer, ...JSON_TYPE }, body: JSON.stringify(paper) };
  expect(await plainRequest(`${venue.url}/httpserver/main/v2/auth/login`, signIn)).toMatchObject({
    status: 200,
    headers: { authorization: expect.stringMatching(/^Bearer /) },
  });
  expect((await plainRequest(`${venue.url}/svc-broker/public/quotes`, { headers: offer })).body).toContain('no such path');
});
