import { expect, test } from 'vitest';
import type { Latch } from '#domain/latch.ts';
import { endText, stillText, withEnds } from '#domain/latch-ends.ts';
import { strategyId } from '#domain/names.ts';
import { NOT_ENABLED } from '#domain/not-enabled.ts';

const latch = (kind: Latch['kind']): Latch => ({ kind, strategy: null, since: 0, who: 'ann', why: 'news' });
const AT = '1970-01-01T00:01:00.000Z';

test('what ends by itself under trading.rearmAfter is told with its time, alone and among others', () => {
  const alone = withEnds([latch('reducing')], 60_000);
  expect(endText(alone)).toBe(`it ends by itself at ${AT}, or by kairos resume`);
  expect(stillText(alone)).toContain(`nothing is opened before kairos resume; REDUCING ends by itself at ${AT}`);
  const both = withEnds([latch('halted'), latch('reducing')], 60_000);
  expect(endText(both)).toBe(`kairos resume ends both; REDUCING ends by itself at ${AT}`);
});

test('without that setting, while DISARMED keeps it, and where flatten began it, only a command ends it', () => {
  for (const reason of ['BY_PERSON', 'BY_SCHEDULE'] as const)
    expect(endText(withEnds([{ ...latch('reducing'), reason }], 60_000))).toBe('kairos resume ends it');
  expect(endText(withEnds([latch('reducing')], null))).toBe('kairos resume ends it');
  expect(endText(withEnds([latch('reducing'), latch('disarmed')], 60_000))).toBe('kairos arm ends both');
});

test('a strategy that the settings leave out is let in by no command, whatever else stands', () => {
  const out: Latch = { ...latch('disabled'), strategy: 's', why: NOT_ENABLED };
  for (const more of [[], [latch('halted')]]) expect(endText([...more, out])).toBe('set enabled: true in its entry, then restart');
  expect(endText([{ ...out, why: 'it failed' }])).toBe('kairos enable s ends it');
});

test('the pause of one strategy ends by its own command, that of all by another, and neither by arming', () => {
  expect(endText([latch('paused')])).toBe('kairos resume ends it');
  expect(endText([{ ...latch('paused'), strategy: strategyId('s') }])).toBe('kairos resume s ends it');
  expect(endText([latch('halted'), latch('disarmed')])).toBe('kairos resume and kairos arm end both');
  expect(endText([latch('halted'), latch('paused'), latch('reducing')])).toBe('kairos resume ends all of them');
});
