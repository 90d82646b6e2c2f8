import { createSecretKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalRequest } from '#adapters/service-client/orders/canonical.ts';
import { sign, signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import { SECRET } from '../support/service-settings.ts';

const AT = 1767225600000;
const ORDERS = '/svc-broker/api/orders';
const SPACED = '{"orderType": "MARKET", "quoteId": "5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11", "side": "BUY"}';
const TIGHT = '{"orderType":"MARKET","quoteId":"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11","side":"BUY"}';

const VECTORS = [
  { parts: { method: 'POST', path: ORDERS, userId: '1205', body: SPACED }, signature: 'RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo=' },
  { parts: { method: 'POST', path: ORDERS, userId: '1205', body: TIGHT }, signature: 'pdDhai78wh7NGhySuElespZIwWJk3l2kMCtWrI3ukAY=' },
  {
    parts: { method: 'GET', path: `${ORDERS}?limit=2&from=a%20b`, userId: '', body: '' },
    signature: 'VODdAbaYT8PXPKP8V3Roct84+wXQILN4qbZzVAcqjK8=',
  },
  {
    parts: { method: 'POST', path: ORDERS, userId: '', body: '{"note":"blåbær"}' },
    signature: '/+3NuloUBj0mHs6I/q0HPd+6rgPkQuN6dwhbqCK5zLU=',
  },
];

test.each(VECTORS)('5.1.s1, 5.1.s2, 5.1.s3: a published request is signed as the service signs it: $signature', ({ parts, signature }) => {
  expect(sign(signingKey(SECRET), canonicalRequest({ timestampMs: AT, ...parts }))).toBe(signature);
});

test('5.4.2, 5.4.3: the published webhook is signed as the service signs it', () => {
  const canonical =
    '1767225600123{"notificationType":"DEPOSIT_CONFIRMED","svcUserId":"1205","transferId":"0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42","source":"tb1qexampleaddr0000","currency":"BTC","amount":"0.0125"}';
  expect(sign(signingKey(SECRET), canonical)).toBe('7N5wObD5k4Lbdf/Y8pEES43RuhlBvVNmwW88j19EreQ=');
});

test('a secret taken as text instead of decoded would sign differently', () => {
  const asText = createSecretKey(Buffer.from(SECRET, 'utf8'));
  const canonical = canonicalRequest({ timestampMs: AT, method: 'POST', path: ORDERS, userId: '1205', body: TIGHT });
  expect(sign(asText, canonical)).toBe('XfeBKq9PfAU6mi4Or0eOHxILR8qFAM/opuhDR6lgU5k=');
  expect(signatureMatches(signingKey(SECRET), canonical, sign(asText, canonical))).toBe(false);
});

const shared = fileURLToPath(new URL('../../../../../shared/vectors/hmac_sha256.json', import.meta.url));
test.skipIf(!existsSync(shared) && process.env.CI === undefined)(
  'HMAC-SHA256 agrees with RFC 4231 and Wycheproof (needs ../shared/vectors)',
  () => {
    const file = z
      .object({
        rfc4231: z.array(z.object({ key_hex: z.string(), msg_hex: z.string(), hmac_sha256: z.string() })),
      })
      .parse(JSON.parse(readFileSync(shared, 'utf8')));
    expect(file.rfc4231.length).toBeGreaterThan(4);
    for (const { key_hex, msg_hex, hmac_sha256 } of file.rfc4231) {
      const signature = sign(createSecretKey(Buffer.from(key_hex, 'hex')), Buffer.from(msg_hex, 'hex'));
      expect(Buffer.from(signature, 'base64').toString('hex')).toBe(hmac_sha256);
    }
  },
);

test.each([
  ['empty', ''],
  ['blanks around', ` ${SECRET}`],
  ['a line end', `${SECRET}\n`],
  ['a blank within', `${SECRET.slice(0, 20)} ${SECRET.slice(20)}`],
  ['no Base64', 'this-is-not-base64!!'],
  ['loose last bits', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9='],
  ['too short', 'AAECAwQFBgcICQoLDA0O'],
])('B29 a secret with %s is refused, and not shown', (_name, secret) => {
  const attempt = () => signingKey(secret);
  expect(attempt).toThrow(/service\.apiSecret/);
  if (secret.length > 4) expect(attempt).not.toThrow(secret);
});

test.each<[secret: string, fault: RegExp]>([
  ['', /: the secret is empty;/],
  [` ${SECRET}`, /: the secret has blanks or line ends in it;/],
  [`${SECRET.slice(0, 20)} ${SECRET.slice(20)}`, /: the secret has blanks or line ends in it;/],
  ['!!!!AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd', /: the secret is not Base64;/],
  ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd!!!!', /: the secret is not Base64;/],
  ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=', /: the secret is not Base64 in its one canonical form;/],
  ['AAECAwQFBgcICQoLDA0O', /: the secret has 15 bytes, fewer than 16;/],
])('what is wrong with a secret is said, so that it can be mended: %#', (secret, fault) => {
  expect(() => signingKey(secret)).toThrow(fault);
});

test('sixteen bytes are enough, and padding may be left off', () => {
  const sixteen = Buffer.from('0123456789abcdef').toString('base64');
  const signed = sign(signingKey(sixteen), 'x');
  expect(sign(signingKey(sixteen.replaceAll('=', '')), 'x')).toBe(signed);
  expect(signatureMatches(signingKey(sixteen), 'x', signed)).toBe(true);
});

test.each([
  ['a slash', '12/05'],
  ['a question mark', '1205?'],
  ['a brace', '1205{'],
  ['a line end', '1205\r\nX-API-Key: a'],
  ['a megabyte', '1'.repeat(1 << 20)],
  ['blanks', '1205 '],
])('B21 a user id with %s is refused before it can blur a signature', (_name, userId) => {
  const attempt = () => canonicalRequest({ timestampMs: AT, method: 'POST', path: ORDERS, userId, body: TIGHT });
  expect(attempt).toThrow(/service\.userId/);
  expect(attempt, 'and told in short').not.toThrow(/1{81}/);
});

test.each([
  ['a path without slash', { path: 'svc' }],
  ['a path with a line end', { path: '/a\r\nb' }],
  ['a path with a blank', { path: '/a b' }],
  ['a path with a fragment', { path: '/a#b' }],
  ['a path with a brace', { path: '/a{b}' }],
  ['a path of other letters', { path: '/blåbær' }],
  ['a long path with a blank', { path: `/ ${'1'.repeat(1000)}` }],
  ['a body that is a list', { body: '[1]' }],
  ['a method in small letters', { method: 'post' }],
  ['a time in seconds', { timestampMs: 1767225600 }],
  ['a time of 14 digits', { timestampMs: 17672256000000 }],
  ['a broken time', { timestampMs: Number.NaN }],
])('B25 %s is never signed', (_name, changes) => {
  const attempt = () => canonicalRequest({ timestampMs: AT, method: 'POST', path: ORDERS, userId: '1205', body: TIGHT, ...changes });
  expect(attempt).toThrow();
  expect(attempt, 'and told in short').not.toThrow(/1{81}/);
});

test.each([1_000_000_000_000, 9_999_999_999_999])('5.1.s1: each time of 13 digits is signed: %d', (timestampMs) => {
  expect(canonicalRequest({ timestampMs, method: 'GET', path: ORDERS, userId: '', body: '' })).toBe(`${timestampMs}GET${ORDERS}`);
});

test('B26 only the exact signature matches', () => {
  const key = signingKey(SECRET);
  const canonical = canonicalRequest({ timestampMs: AT, method: 'POST', path: ORDERS, userId: '1205', body: TIGHT });
  const right = sign(key, canonical);
  expect(signatureMatches(key, canonical, right)).toBe(true);
  const hex = Buffer.from(right, 'base64').toString('hex');
  const wrong = [
    '',
    hex,
    right.slice(0, -1),
    `${right}=`,
    ` ${right}`,
    right.replaceAll('+', '-').replaceAll('/', '_').replace('=', 'A'),
    right.toLowerCase(),
  ];
  for (const signature of wrong) expect(signatureMatches(key, canonical, signature)).toBe(false);
});

test('a secret without its padding, or half of it, or in the alphabet for URLs, is the same secret', () => {
  const bytes = Buffer.from(Array.from({ length: 31 }, (_one, index) => 255 - index));
  const expected = sign(signingKey(bytes.toString('base64')), 'text');
  for (const written of [
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64').replace(/=$/, ''),
    bytes.toString('base64url'),
  ]) {
    expect(sign(signingKey(written), 'text')).toBe(expected);
  }
  for (const broken of [
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=x',
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8==',
    'AAECAwQFBgcICQoLDA0OD+-_',
  ]) {
    expect(() => signingKey(broken), broken).toThrow(/Base64/);
  }
});
