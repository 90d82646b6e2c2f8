import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerBody, bodyText } from '#adapters/service-client/orders/answer-body.ts';

const FILLED = '{"status":"FILLED"}';
const unpacked = (bytes: Buffer, encoding = '', most = 1000) => bodyText(bytes, { encoding, most });

test.each<[what: string, bytes: Buffer, encoding: string]>([
  ['as it is', Buffer.from(FILLED), ''],
  ['with a byte order mark', Buffer.from(`\ufeff${FILLED}`), 'identity'],
  ['gzip', gzipSync(FILLED), 'gzip'],
  ['gzip of which nobody tells', gzipSync(`\ufeff${FILLED}`), ''],
  ['deflate', deflateSync(FILLED), ' Deflate '],
  ['brotli', brotliCompressSync(FILLED), 'BR'],
])('a body that comes %s is read: an executed order would be unknown else', (_, bytes, encoding) => {
  expect(unpacked(bytes, encoding)).toEqual({ text: FILLED, complete: true });
});

test.each([
  ['gzip', gzipSync(FILLED)],
  ['deflate', deflateSync(FILLED)],
  ['br', brotliCompressSync(FILLED)],
])('%s that breaks off or unpacks to more than may be read is an incomplete body', (encoding, bytes) => {
  const cut = bytes.subarray(0, -6);
  expect(unpacked(cut, encoding)).toEqual({ text: cut.toString('latin1'), complete: false });
  expect(unpacked(bytes, encoding, FILLED.length).complete).toBe(true);
  expect(unpacked(bytes, encoding, FILLED.length - 1).complete).toBe(false);
});

test('nothing is nothing, whatever its encoding is said to be', () => {
  expect(unpacked(Buffer.alloc(0), 'br')).toEqual({ text: '', complete: true });
});

test.each<[text: string, form: object]>([
  ['\ufeff  ', { form: 'empty' }],
  ['null', { form: 'empty' }],
  [' {} ', { form: 'empty' }],
  ['[{"a":1}]', { form: 'object', fields: { a: 1 } }],
  ['"FILLED"', { form: 'word', text: 'FILLED' }],
  [' FILLED\n', { form: 'word', text: 'FILLED' }],
  ['a\ufeffb', { form: 'unreadable', what: 'a text' }],
  ['true', { form: 'unreadable', what: 'a text' }],
  ['17', { form: 'unreadable', what: 'a text' }],
  ['[1]', { form: 'unreadable', what: 'a list' }],
  ['<p>', { form: 'unreadable', what: 'a page of HTML or XML' }],
  ['"<p>"', { form: 'unreadable', what: 'a text' }],
])('%j is %j', (text, form) => {
  expect(answerBody(text)).toEqual(form);
});

test('brackets that close again are not depth: sixty-four within each other are read, one more is not', () => {
  const lists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const nested of [lists, objects]) {
    expect(answerBody(nested(64))).toMatchObject({ form: 'object' });
    expect(answerBody(nested(65))).toEqual({ form: 'unreadable', what: 'a body nested too deeply' });
  }
  expect(answerBody(`{"a":[${'[],{},'.repeat(100)}1]}`)).toMatchObject({ form: 'object' });
});
