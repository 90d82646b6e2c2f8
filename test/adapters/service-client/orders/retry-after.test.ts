import { expect, test } from 'vitest';
import { retryAfterMs } from '#adapters/service-client/orders/retry-after.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const at = (ms: number): string => new Date(NOW + ms).toUTCString();

test.each([
  ['seconds', '30', null, 30_000],
  ['seconds with blanks round them', ' 2 ', null, 2000],
  ['none to wait', '0', null, 0],
  ['more than five minutes', '86400', null, 300_000],
  ['a date', at(20_000), null, 20_000],
  ["a date, by the answer's own clock", at(20_000), at(5000), 15_000],
  ['a date, where the answer has a date that is none', at(20_000), 'soon', 20_000],
  ['a date that is over', at(-1000), null, 0],
  ['a date far away', at(86_400_000), null, 300_000],
  ['no header', null, null, 10_000],
  ['words', 'later', null, 10_000],
  ['a fraction', '1.5', null, 10_000],
  ['a negative', '-1', null, 10_000],
  ['B01 far too many digits', '9'.repeat(400), null, 10_000],
])('F09 Retry-After: %s', (_, text, date, expected) => {
  expect(retryAfterMs(text, { date, nowMs: NOW })).toBe(expected);
});
