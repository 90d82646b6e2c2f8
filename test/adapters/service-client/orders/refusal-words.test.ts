import { expect, test } from 'vitest';
import { namesUser, saysUsed } from '#adapters/service-client/orders/refusal-words.ts';

test.each([
  'duplicate',
  'duplication',
  'duplicated order',
  'duplicates are not allowed',
  'you cannot use a quote twice',
  'this was sent more than once',
  'executed again',
  'already executed',
  'already been executed',
  'the order is already closed',
  'market already closed, quote already used',
  'the limit order is already executed',
  'funds are already used',
  'quote session already closed',
  'quote usage limit already reached',
])('a quote that was sent once may have been executed: %s', (text) => {
  expect(saysUsed(text)).toBe(true);
});

test.each([
  'the quote has already been canceled',
  'already cancelled',
  'already invalidated',
  'the quote could not be used',
  'the quote can not be used',
  'it has never been used',
  'please log in again',
  'market already closed',
  'the trading session has already been suspended',
  'your account is already blocked',
  'the daily limit is already reached',
])('and not where it says that it was not, or of something else: %s', (text) => {
  expect(saysUsed(text)).toBe(false);
});

test.each([
  'X-API-User-ID',
  '{"field":"userId"}',
  '"invalid user id"',
  '["user__id"]',
  '[" user id "]',
  '{"errors":[{"message":"userId must be a number"}]}',
  '{"errors":[{"message":"mismatched user ids"}]}',
  '{"error":"user id mismatch"}',
  `${'['.repeat(13)}"invalid user id"${']'.repeat(13)}`,
])('a refusal that names the user id points at that setting: %s', (body) => {
  expect(namesUser(body)).toBe(true);
});

test.each([
  '{"userId":1205,"nothing":null}',
  '"the user id is 1205"',
  'null',
  'user id 1205',
  'the user id',
  '{"errors":["quote expired",17,true,null]}',
  `${'['.repeat(14)}"invalid user id"${']'.repeat(14)}`,
])('one that only carries it does not: %s', (body) => {
  expect(namesUser(body)).toBe(false);
});
