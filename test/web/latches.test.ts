import { expect, test } from 'vitest';
import type { LatchView } from '#server/page/past-view.ts';
import { latchesOf } from '../../web/words/latches.ts';

const at = '2026-01-01T00:00:00.000Z';
const latch = (kind: LatchView['kind'], strategy: string | null = null): LatchView => ({
  ...{ kind, strategy, since: at, who: 'ann', why: 'news', reason: null, meaning: null },
});
const kinds = (trading: 'ACTIVE' | 'REDUCING' | 'DISARMED' | 'HALTED', latches: readonly LatchView[] | null) =>
  latchesOf({ trading, at }, latches && { latches }).map(({ kind, strategy, who }) => [kind, strategy, who].filter(Boolean).join(' '));

const ALL = [latch('disabled', 'a'), latch('paused'), latch('reducing'), latch('disarmed'), latch('halted')];

test('all that is latched stands there, the strictest first, also what the state of trading hides', () => {
  expect(kinds('HALTED', ALL)).toEqual(['halted ann', 'disarmed ann', 'reducing ann', 'paused ann', 'disabled a ann']);
  expect(kinds('DISARMED', ALL)).toEqual(['disarmed ann', 'reducing ann', 'paused ann', 'disabled a ann']);
});

test('what the present state says is over is left out, and the present state is there before the journal is read', () => {
  expect(kinds('ACTIVE', ALL)).toEqual(['paused ann', 'disabled a ann']);
  expect(kinds('REDUCING', null)).toEqual(['reducing']);
  expect(kinds('HALTED', [latch('reducing')])).toEqual(['halted', 'reducing ann']);
});
