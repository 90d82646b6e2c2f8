/** Section 5.2 of the specification and "Bearer token" of its notes: how the token is obtained, prolonged and lost. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, askJson, type Json, object, text } from './client.ts';
import { Venue } from './venue.ts';

const LOGIN = '/httpserver/main/v2/auth/login';
const WHO = { username: 'paper@example.com', password: 'paper' };
/** The secret of RFC 6238, in Base32 and as bytes. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const BYTES = Buffer.from('12345678901234567890');

let venue: Venue;

/** How long a token lives. */
const LIFETIME_S = 6;

/** The six digits of RFC 6238 at a time. */
function digits(atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const hash = createHmac('sha1', BYTES).update(counter).digest();
  const from = (hash[19] ?? 0) & 15;
  return String((hash.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const login = (body: Json) => askJson(venue.url, 'POST', LOGIN, body);
const accounts = async (token: string) =>
  (await ask(venue.url, { method: 'GET', path: '/as/v3/accounts', headers: { Authorization: token } })).status;

beforeAll(async () => {
  venue = await Venue.start({ set: { 'venue.signIn.totpSecret': SEED, 'venue.signIn.tokenSeconds': String(LIFETIME_S) } });
});
afterAll(() => venue?.stop());

test('5.2 the six digits are those of RFC 6238', () => {
  expect([59, 1_111_111_109, 20_000_000_000].map((second) => digits(second * 1_000))).toEqual(['287082', '081804', '353130']);
});

test('5.2 with two factors the password brings a challenge, and only the right digits a token, which lives for its lifetime and is prolonged', async () => {
  const first = await login(WHO);
  expect(first.status, first.text).toBe(200);
  expect(first.headers.authorization).toBeUndefined();
  const challenge = first.object();
  expect(challenge).toMatchObject({ challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' });
  const { awsUsername, session, challengeName, status } = challenge;
  const four = { awsUsername: text({ awsUsername }, 'awsUsername'), session: text({ session }, 'session'), challengeName, status };

  const wrong = String((Number(digits(Date.now())) + 1) % 1_000_000).padStart(6, '0');
  const refused = await login({ ...four, challengeAnswer: wrong });
  expect(refused.status, refused.text).toBe(401);
  expect(refused.headers.authorization).toBeUndefined();

  let answer = await login({ ...four, challengeAnswer: digits(Date.now()) });
  if (answer.status !== 200) {
    // The session may serve one answer only.
    answer = await login({ ...object((await login(WHO)).json()), challengeAnswer: digits(Date.now()) });
  }
  expect(answer.status, answer.text).toBe(200);
  const token = String(answer.headers.authorization);
  expect(token).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  expect(answer.object()).toMatchObject({
    refreshToken: expect.any(String),
    expirationTime: LIFETIME_S,
    isAppConnected: expect.any(Boolean),
  });
  expect(await accounts(token)).toBe(200);

  await expect.poll(() => accounts(token), { message: 'a token ends with its lifetime' }).toBe(401);

  const prolonged = await login({ refreshToken: answer.object().refreshToken });
  expect(prolonged.status, prolonged.text).toBe(200);
  const until = Number(prolonged.object().expirationTime);
  const ms = until < 1e8 ? Date.now() + until * 1_000 : until < 1e11 ? until * 1_000 : until;
  expect(ms, 'the time of a prolonged token is one to come').toBeGreaterThan(Date.now() - 1_000);
  expect(await accounts(String(prolonged.headers.authorization))).toBe(200);
});

test('5.2 what is no sign-in is refused, and says nothing of whether the user exists', async () => {
  const unknown = await login({ username: 'nobody@example.com', password: 'paper' });
  const wrong = await login({ ...WHO, password: 'wrong' });
  expect([unknown.status, wrong.status]).toEqual([401, 401]);
  expect(unknown.object().error).toBe(wrong.object().error);
  for (const body of [{}, { username: WHO.username }, { password: WHO.password }, { refreshToken: 7 }, { ...WHO, password: null }]) {
    expect((await login(body)).status, JSON.stringify(body)).toBe(400);
  }
  for (const refreshToken of ['', 'nonsense', 'a.b.c']) expect([400, 401], refreshToken).toContain((await login({ refreshToken })).status);
});
