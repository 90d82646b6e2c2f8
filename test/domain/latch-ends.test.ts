import { expect, test } from 'vitest';
import type { Latch } from '#domain/latch.ts';
import { endText, stillText, withEnds } from '#domain/latch-ends.ts';

const latch = (kind: Latch['kind']): Latch => ({ kind, strategy: null, since: 0, who: 'ann', why: 'news' });
const AT = '1970-01-01T00:01:00.000Z';

test('what ends by itself under trading.rearmAfter is told with its time, alone and among others', () => {
  const alone = withEnds([latch('reducing')], 60_000);
  expect(endText(alone)).toBe(`it ends by itself at ${AT}, or by kairos resume`);
  expect(stillText(alone)).toContain(`nothing is opened before kairos resume; REDUCING ends by itself at ${AT}`);
  const both = withEnds([latch('halted'), latch('reducing')], 60_000);
  expect(endText(both)).toBe(`kairos resume ends both; REDUCING ends by itself at ${AT}`);
});

test('without that setting, and while DISARMED keeps it, only a command ends it', () => {
  expect(endText(withEnds([latch('reducing')], null))).toBe('kairos resume ends it');
  expect(endText(withEnds([latch('reducing'), latch('disarmed')], 60_000))).toBe('kairos arm ends both');
});
