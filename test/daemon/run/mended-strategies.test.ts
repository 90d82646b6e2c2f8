import { expect, test } from 'vitest';
import { disabledLines, type EnableInput, mendEnables, mendedStrategies } from '#daemon/run/mended-strategies.ts';
import type { Latch } from '#domain/latch.ts';
import type { Reason } from '#domain/reasons.ts';
import buyAndHold from '../../../strategies/buy-and-hold.ts';
import { instanceOf } from '../../support/strategies.ts';

const strategy = { ...instanceOf(buyAndHold), budget: null, exits: null, windows: null, enabled: true };
const ID = strategy.id;
const latch = (reason: Reason | null): Latch => ({ kind: 'disabled', strategy: ID, since: 0, who: 'kairos', why: 'so', reason });
const from = (reason: Reason | null, other: Partial<EnableInput> = {}): EnableInput => ({
  mode: 'paper',
  latches: [latch(reason)],
  strategies: [{ strategy, sourceHash: '' }],
  changes: new Map([[ID as string, 'source 1 is now 2']]),
  ...other,
});

test.each(['STRATEGY_DISABLED', 'BAD_INTENT', 'OUTSIDE_EVENT', 'STALLED', 'RUNAWAY'] as const)(
  '%s is answered by another source, on paper',
  (reason) => {
    const enabled = { act: 'enable', strategy: ID, who: 'watch', why: 'source 1 is now 2', reason: 'SOURCE_CHANGED' };
    expect(mendedStrategies(from(reason))).toEqual([enabled]);
  },
);

test('a line that promises so is said where it is kept: with --watch, where a source enables', () => {
  const modes = ['paper', 'dry', 'live'] as const;
  expect(modes.map((mode) => mendEnables(mode, true))).toEqual(
    modes.map((mode) => mendedStrategies(from('STRATEGY_DISABLED', { mode })).length > 0),
  );
  expect(mendEnables('paper', false)).toBe(false);
});

test.each<[string, EnableInput]>([
  ['a person', from('BY_PERSON')],
  ['a row without a reason', from(null)],
  ['a dry run', from('STRATEGY_DISABLED', { mode: 'dry' })],
  ['a live run', from('STRATEGY_DISABLED', { mode: 'live' })],
  ['a start without a run before', from('STRATEGY_DISABLED', { changes: undefined })],
  ['the source of another strategy', from('STRATEGY_DISABLED', { changes: new Map([['other', 'source 1 is now 2']]) })],
])('%s leaves it disabled, and a line says how to enable it', (_, given) => {
  const mended = mendedStrategies(given);
  expect(mended).toEqual([]);
  const line = `strategy ${ID} stays disabled (by kairos: so): npx kairos enable ${ID}`;
  expect(disabledLines(given.latches, mended, [strategy])).toEqual([line]);
  expect(disabledLines(given.latches, mended, [{ ...strategy, id: 'gone' }])).toEqual([]);
});

test("what the service's products disabled is enabled by no source, and its line says that it comes back by itself", () => {
  const { latches } = from('PRODUCT_CHANGED');
  expect(mendedStrategies(from('PRODUCT_CHANGED'))).toEqual([]);
  expect(disabledLines(latches, [], [strategy])).toEqual([
    `strategy ${ID} stays disabled (by kairos: so): it comes back once the list fits, or by npx kairos enable ${ID}`,
  ]);
});

test('one that the settings leave out is enabled by no source, and no line says that a command does', () => {
  const left = { ...strategy, enabled: false };
  const given = from('STRATEGY_DISABLED', { strategies: [{ strategy: left, sourceHash: '' }] });
  expect([mendedStrategies(given), disabledLines(given.latches, [], [left])]).toEqual([[], []]);
});
