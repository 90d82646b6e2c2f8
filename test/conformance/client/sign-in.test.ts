import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isToken, lapseOfToken } from '#adapters/service-client/rest/sign-in.ts';
import { totpCode, totpKey } from '#adapters/service-client/rest/totp.ts';
import { refreshTokensIn } from '#assembly/service.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { newFolder } from '../../support/folder.ts';
import { VENUE_SETTINGS } from '../../support/venue-settings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { client, json, service } from './harness.ts';

const TOTP = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const LOGIN = { username: 'paper@example.com', password: 'paper' };

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238: at %d s the six digits are %s', (seconds, digits) => {
  expect(totpCode(totpKey(TOTP), seconds * 1000)).toBe(digits);
});

test.each(['', 'short', `${TOTP}1`, 'ABCDEFGHIJKLMNOP!'])('B29 %j is no secret of a second factor, and is not shown', (secret) => {
  expect(() => totpKey(secret)).toThrow(/service\.totpSecret/);
});

async function venue(changes: Partial<typeof VENUE_SETTINGS.signIn> = {}) {
  const timers = new VirtualTimers();
  const made = await startVenue({ ...VENUE_SETTINGS, signIn: { ...VENUE_SETTINGS.signIn, ...changes } }, timers);
  onTestFinished(() => made.close());
  return { baseUrl: made.url, timers };
}

test('note 1: a real venue lets in who has user name and password', async () => {
  const { baseUrl, timers } = await venue();
  const made = client(baseUrl, LOGIN, { timers: { ...timers, ...clockOf(timers) } });
  expect(await made.accounts()).toHaveLength(2);
  expect(made.session.state).toMatchObject({ good: true, lapsesMs: timers.wallMs() + 3_600_000 });
});

test('note 2: the second factor comes from the secret, or from a person', async () => {
  const { baseUrl, timers } = await venue({ totpSecret: TOTP });
  const clock = clockOf(timers);
  expect(await client(baseUrl, { ...LOGIN, totpSecret: TOTP }, { timers: { ...timers, ...clock } }).accounts()).toHaveLength(2);
  timers.jumpWall(30_000);
  const askDigits = async (): Promise<string> => totpCode(totpKey(TOTP), timers.wallMs());
  expect(await client(baseUrl, LOGIN, { timers: { ...timers, ...clock }, askDigits }).accounts()).toHaveLength(2);
  await expect(client(baseUrl, LOGIN, { timers: { ...timers, ...clock } }).accounts()).rejects.toThrow(/KAIROS_TOTP_SECRET/);
  const wrong = client(baseUrl, LOGIN, { timers: { ...timers, ...clock }, askDigits: async () => '12' });
  await expect(wrong.accounts()).rejects.toMatchObject({ code: 'USAGE' });
});

test('note 2: the four of the challenge go back with six digits, to the same path', async () => {
  const challenge = { awsUsername: 'a', session: 's', challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' };
  const { baseUrl, heard } = await service((request, response) => {
    if (request.body.includes('challengeAnswer')) json(response, 200, { expirationTime: 60 }, { authorization: 'Bearer t1' });
    else if (request.path.endsWith('/login')) json(response, 200, challenge);
    else json(response, 200, []);
  });
  await client(baseUrl, { ...LOGIN, totpSecret: TOTP }).accounts();
  expect(heard.map(({ path: asked }) => asked)).toEqual([
    '/httpserver/main/v2/auth/login',
    '/httpserver/main/v2/auth/login',
    '/as/v3/accounts',
  ]);
  expect(JSON.parse(heard[1]?.body ?? '')).toEqual({ ...challenge, challengeAnswer: expect.stringMatching(/^\d{6}$/) });
  expect(heard[2]?.headers.authorization).toBe('Bearer t1');
});

test('note 3: a session is prolonged before it lapses, and a refused refresh token gives way to a sign-in', async () => {
  const { baseUrl, timers } = await venue();
  const made = client(baseUrl, LOGIN, { timers: { ...timers, ...clockOf(timers) } });
  await made.accounts();
  const first = made.session.atHand;
  timers.jumpWall(3_599_000);
  await made.accounts();
  expect(made.session.atHand).not.toBe(first);
  expect(made.session.state.lapsesMs - timers.wallMs()).toBeGreaterThan(3_500_000);
  // Far beyond the life of the refresh token too.
  timers.jumpWall(40 * 86_400_000);
  expect(await made.accounts()).toHaveLength(2);
});

test('note 3: a file keeps the session for the next process, which needs no password, and nobody else can read it', async () => {
  const folder = newFolder();
  const file = path.join(folder, 'deep', 'session');
  const { baseUrl, timers } = await venue();
  const both = { timers: { ...timers, ...clockOf(timers) }, refreshTokens: refreshTokensIn(file, baseUrl) };
  await client(baseUrl, LOGIN, both).accounts();
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await client(baseUrl, {}, both).accounts()).toHaveLength(2);
  // Another address never sees it.
  expect(refreshTokensIn(file, 'https://elsewhere.example').read()).toBeNull();
  expect(readFileSync(file, 'utf8')).not.toContain('paper@example.com');
  writeFileSync(file, '{torn');
  await expect(client(baseUrl, {}, both).accounts()).rejects.toThrow(/kairos remote sign-in/);
});

test('note 3: where each refresh token is good once, a command and a daemon prolong the session of one file in turn', async () => {
  const folder = newFolder();
  let good = 0;
  const { baseUrl } = await service((request, response) => {
    if (!request.path.endsWith('/login')) return json(response, 200, []);
    if (JSON.parse(request.body).refreshToken !== `r${good}`) return json(response, 401, {});
    good += 1;
    json(response, 200, { refreshToken: `r${good}`, expirationTime: 3600 }, { authorization: `Bearer t${good}` });
  });
  const timers = new VirtualTimers();
  const refreshTokens = refreshTokensIn(path.join(folder, 'session'), baseUrl);
  const both = { timers: { ...timers, ...clockOf(timers) }, refreshTokens };
  refreshTokens.keep('r0');
  const daemon = client(baseUrl, {}, both);
  for (const _hour of [1, 2]) {
    await daemon.accounts();
    await client(baseUrl, {}, both).accounts();
    timers.jumpWall(3_600_000);
  }
  await daemon.accounts();
  expect([daemon.session.atHand, refreshTokens.read()]).toEqual(['t5', 'r5']);
  // A daemon that is refused asks for nothing until another process has signed in; it takes nothing from the file.
  good = 7;
  timers.jumpWall(3_600_000);
  await expect(daemon.accounts()).rejects.toThrow(/kairos remote sign-in/);
  expect(refreshTokens.read()).toBe('r5');
  refreshTokens.keep('r7');
  await daemon.accounts();
  expect(daemon.session.atHand).toBe('t8');
});

test('a session that cannot be kept is told of once, and goes on; one that cannot be read is said in one line', async () => {
  const folder = newFolder();
  const { baseUrl, timers } = await venue();
  writeFileSync(path.join(folder, 'taken'), '');
  const file = path.join(folder, 'taken', 'session');
  const told: string[] = [];
  const refreshTokens = refreshTokensIn(file, baseUrl, (_level, text) => told.push(text));
  const made = client(baseUrl, LOGIN, { timers: { ...timers, ...clockOf(timers) }, refreshTokens });
  await made.accounts();
  const first = made.session.atHand;
  timers.jumpWall(3_599_000);
  expect(await made.accounts()).toHaveLength(2);
  expect(made.session.atHand).not.toBe(first);
  expect(told).toEqual([expect.stringMatching(/^service\.refreshTokenFile: .*cannot be kept/)]);
  const invalid = expect.objectContaining({ code: 'CONFIG_INVALID' });
  expect(() => refreshTokensIn(file, baseUrl).keep('r')).toThrow(invalid);
  const session = path.join(folder, 'session');
  mkdirSync(session, { mode: 0o700 });
  expect(() => refreshTokensIn(session, baseUrl).read()).toThrow(invalid);
  // What another process is writing there is in nobody's way.
  rmSync(session, { recursive: true });
  mkdirSync(`${session}.new`);
  refreshTokensIn(session, baseUrl).keep('r');
  expect(refreshTokensIn(session, baseUrl).read()).toBe('r');
});

test.runIf(process.platform !== 'win32')('B38 a session that others could read is not used', () => {
  const folder = newFolder();
  const file = path.join(folder, 'session');
  writeFileSync(file, '{}', { mode: 0o644 });
  expect(() => refreshTokensIn(file, 'http://x').read()).toThrow(expect.objectContaining({ code: 'SECRET_EXPOSED' }));
});

test('F16 a 401 to a create is its answer: it is not sent again with a new token, the next request is', async () => {
  let issued = 0;
  const { baseUrl, heard } = await service((request, response) => {
    if (request.path.endsWith('/login')) {
      issued += 1;
      json(response, 200, { expirationTime: 3600 }, { authorization: `Bearer t${issued}` });
    } else json(response, request.headers.authorization === 'Bearer t2' ? 202 : 401, {});
  });
  const { strategies } = client(baseUrl, LOGIN);
  expect(await strategies.ask({ action: 'create', fields: { strategyType: 'AI' } })).toMatchObject({ status: 'failed', httpStatus: 401 });
  expect(heard.filter(({ path: asked }) => asked.endsWith('/create'))).toHaveLength(1);
  expect(await strategies.ask({ action: 'pauseAll' })).toMatchObject({ status: 'asked' });
});

test('I15 a token that the service repeats, in a refusal or an answer, is taken out of it', async () => {
  const token = 'eyJhbGciOi.SIGNED-IN.abc';
  const { baseUrl } = await service((request, response) => {
    if (request.path.endsWith('/login')) return json(response, 200, { expirationTime: 3600 }, { authorization: `Bearer ${token}` });
    json(response, request.path.endsWith('/flush') ? 202 : 403, { error: `${request.headers.authorization} may not do that` });
  });
  const made = client(baseUrl, LOGIN);
  const shares = { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 };
  const answers = [
    await made.strategies.ask({ action: 'pauseAll' }),
    await made.strategies.ask({ action: 'flush', strategyId: 'a', ...shares }),
    { response: await made.accounts().catch(String) },
  ];
  for (const { response } of answers) expect(response).toContain('Bearer [set] may not do that');
  expect(JSON.stringify(answers)).not.toContain(token);
});

test('I15 no error of a sign-in shows password, token or digits', async () => {
  for (const status of [400, 401, 500]) {
    const { baseUrl } = await service((_request, response) => json(response, status, { error: 'open-sesame 123456' }));
    const failure = client(baseUrl, { username: 'u', password: 'open-sesame' }).accounts();
    await expect(failure).rejects.toMatchObject({ code: 'SERVICE_REFUSED' });
    await expect(failure).rejects.not.toThrow(/sesame|123456/);
  }
});

test.each([
  [401, /answered with 401; check service\.username and password$/],
  [500, /answered with 500$/],
  [503, /answered with 503$/],
  [429, /answered with 429$/],
])('a sign-in answered with %d blames the user name and password only where they were judged', async (status, said) => {
  const { baseUrl, heard } = await service((_request, response) => json(response, status, {}, { 'retry-after': '30' }));
  await expect(client(baseUrl, LOGIN).accounts()).rejects.toThrow(said);
  expect(heard).toHaveLength(1);
});

test('a token that was given says itself when it lapses, where it is a JWT', () => {
  const jwt = `x.${Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url')}.y`;
  expect(lapseOfToken(jwt)).toBe(1_800_000_000_000);
  for (const odd of ['opaque', 'a.b.c', 'a.e30.c']) expect(lapseOfToken(odd)).toBe(Number.POSITIVE_INFINITY);
  expect(isToken('a b')).toBe(false);
});

/** Virtual wall time, real timers: sockets and the clock of the venue go on. */
function clockOf(timers: VirtualTimers) {
  return {
    wallMs: () => timers.wallMs(),
    monotonicMs: () => timers.monotonicMs(),
    random: () => 0.5,
    uuid: () => timers.uuid(),
    after: (delayMs: number, run: () => void) => {
      const timer = setTimeout(run, Math.min(delayMs, 2000));
      return () => clearTimeout(timer);
    },
    every: () => () => {},
  };
}
