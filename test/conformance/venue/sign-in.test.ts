import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, errorBody, LOGIN } from './harness.ts';

const PAPER = { username: 'paper@example.com', password: 'paper' };
const ACCOUNTS = '/as/v3/accounts';

const opens = async (there: Bench, authorization: unknown) =>
  (await there.send({ path: ACCOUNTS, headers: [['Authorization', String(authorization)]] })).status;

describe('5.2 the bearer token (notes)', () => {
  test('note 1: the token comes in the header Authorization, its lifetime in seconds', async () => {
    const there = await bench();
    const { status, headers, json } = await there.post(LOGIN, PAPER);
    expect([status, json]).toEqual([200, { refreshToken: expect.any(String), expirationTime: 3600, isAppConnected: expect.any(Boolean) }]);
    expect(headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await opens(there, headers.authorization)).toBe(200);
  });

  test('note 3: a refresh token prolongs, and then expirationTime is a Unix time', async () => {
    const there = await bench({ signIn: { totpSecret: null, tokenSeconds: 60, refreshTokenSeconds: 120 } });
    const first = await there.post(LOGIN, PAPER);
    there.timers.advance(60_000);
    expect(await opens(there, first.headers.authorization)).toBe(401);
    const prolonged = await there.post(LOGIN, { refreshToken: first.json.refreshToken });
    expect([prolonged.status, prolonged.json.expirationTime]).toEqual([200, there.timers.wallMs() / 1000 + 60]);
    expect(await opens(there, prolonged.headers.authorization)).toBe(200);
    there.timers.advance(60_000);
    expect((await there.post(LOGIN, { refreshToken: first.json.refreshToken })).status).toBe(401);
  });

  test('note 2: with two factors the 200 has no token but a challenge; the four and six digits bring it', async () => {
    const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const there = await bench({ signIn: { totpSecret, tokenSeconds: 60, refreshTokenSeconds: 120 } });
    const asked = await there.post(LOGIN, PAPER);
    expect(asked.headers.authorization).toBeUndefined();
    expect(asked).toMatchObject({
      status: 200,
      json: {
        awsUsername: expect.any(String),
        session: expect.any(String),
        challengeName: 'SOFTWARE_TOKEN_MFA',
        status: 'CHALLENGE_REQUIRED',
      },
    });
    const signedIn = await there.post(LOGIN, { ...asked.json, challengeAnswer: sixDigits(totpSecret, there.timers.wallMs()) });
    expect([signedIn.status, await opens(there, signedIn.headers.authorization)]).toEqual([200, 200]);
  });

  test.each([
    ['a wrong password', { ...PAPER, password: 'x' }, 401],
    ['no password', { username: PAPER.username }, 400],
    ['no name', { password: PAPER.password }, 400],
    ['null for a password', { ...PAPER, password: null }, 400],
    ['a number for a refresh token', { refreshToken: 7 }, 400],
    ['an empty object', {}, 400],
    ['a list', [], 400],
    ['a number for a name', { ...PAPER, username: 1 }, 400],
    ['B14 a name with NUL', { ...PAPER, username: 'paper@example.com\0' }, 401],
    ['a refresh token that is a bearer token', { refreshToken: 'a.b.c' }, 401],
    ['a refresh token of 1 MB is cut off before', { refreshToken: 'x'.repeat(1_000_000) }, 413],
  ])('%s: %s', async (_name, body, status) => {
    const answer = await (await bench()).post(LOGIN, body);
    expect(answer).toMatchObject({ status, json: errorBody(status, LOGIN) });
    expect(answer.headers.authorization).toBeUndefined();
  });

  test('whether a user exists is not told', async () => {
    const there = await bench();
    const [unknown, wrong] = [
      await there.post(LOGIN, { ...PAPER, username: 'nobody' }),
      await there.post(LOGIN, { ...PAPER, password: 'x' }),
    ];
    expect(unknown.json).toEqual(wrong.json);
  });

  test('I17 a token with other claims, another algorithm, or none, or one that prolongs, opens nothing', async () => {
    const there = await bench();
    expect(await opens(there, `Bearer ${(await there.post(LOGIN, PAPER)).json.refreshToken}`)).toBe(401);
    const [, token] = await there.bearer();
    const [header = '', payload = '', signature = ''] = token.replace('Bearer ', '').split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const longer = encoded({ ...claims, exp: 9_999_999_999 });
    const forged = [
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${encoded({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
      `${header}.${longer}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}`,
    ];
    for (const one of forged) expect([one, await opens(there, `Bearer ${one}`)]).toEqual([one, 401]);
  });
});

/** RFC 6238, written down once more so that the venue is not held against itself. */
function sixDigits(base32: string, nowMs: number): string {
  let bits = '';
  for (const letter of base32) bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(nowMs / 30_000), 4);
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac.readUInt8(19) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
