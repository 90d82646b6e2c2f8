import { expect, test } from 'vitest';
import { exitOrder, outlivesItsQuote, type StrategyOrder, strategyOrder } from '#core/execution/plan.ts';
import { named, WorkRows } from '#core/execution/work.ts';
import type { Intent } from '#domain/intent.ts';
import { planOf, wants, working } from './working.ts';

const patient = wants('buy', { within: 5000 });

/** A plan that has begun, with the rows that it writes. */
function begun(intents: readonly Intent[], lasting = false) {
  const w = working();
  const rows = new WorkRows(w.context);
  const plan = planOf(intents);
  const work = lasting ? exitOrder(plan) : strategyOrder(plan);
  if (work.kind === 'strategy') work.withinMs = plan.legs[0]?.intent.within ?? null;
  if (outlivesItsQuote(work)) rows.begun(work);
  return { w, rows, work, first: work.legs[0] ?? expect.fail('no leg') };
}

test('a plan that does not outlive its quote has no name and no row, and neither have its orders', () => {
  const { w, work, first, rows } = begun([wants('buy')]);
  rows.waits(work);
  rows.ended(work);
  expect([work.name, work.begin, w.rows().filter(({ kind }) => kind.startsWith('work'))]).toEqual([null, undefined, []]);
  expect(named(work, first, false)).toBe(first);
});

test('one that does has its row from when it waits, or before its first order', () => {
  const { w, work, first, rows } = begun([patient]);
  expect([work.begin?.isWritten, work.begin?.owed.length, w.row('working')]).toEqual([false, 1, undefined]);
  expect(named(work, first, false)).toEqual({ ...first, work: `${work.name}/0`, isRetry: false, begin: work.begin });
  rows.ended(work);
  expect(w.row('worked'), 'it ended at once').toBeUndefined();
  rows.waits(work);
  rows.waits(work);
  expect([work.begin?.isWritten, work.begin?.owed.length]).toEqual([true, 0]);
  expect(w.rows().filter(({ kind }) => kind === 'working')).toMatchObject([{ detail: { work: work.name, lasting: false } }]);
  rows.ended(work);
  expect(w.row('worked')?.detail).toEqual({ work: work.name });
});

test('orders of a plan of an earlier run carry its name; its row is written', () => {
  const { work, first } = begun([patient]);
  work.begin = undefined;
  expect(named(work, first, false)).toStrictEqual({ ...first, work: `${work.name}/0`, isRetry: false });
});

test('one that closes a position has its row at once, since nothing but its end ends it', () => {
  const { w, work } = begun([wants('sell', { size: { kind: 'position' } })], true);
  expect([work.begin?.isWritten, w.row('working')?.detail]).toMatchObject([true, { work: work.name, lasting: true }]);
});

test('its row knows which refusals end the plan at the leg that it has come to', () => {
  const { work } = begun([patient]);
  const ends = (): unknown => [work.begin?.endsAt('NO_POSITION'), work.begin?.endsAt('TIME_LEFT')];
  expect(ends()).toEqual([true, false]);
  work.index = 1;
  expect(ends(), 'there is no such leg').toEqual([false, false]);
});

test.each<[string, boolean, Partial<StrategyOrder>, times: number]>([
  ['no word where the quote that it began on was taken', true, { attempts: 1, last: 'QUOTE_TAKEN' }, 0],
  ['one where another one was taken, too', true, { attempts: 2, last: 'QUOTE_TAKEN' }, 1],
  ['one where anything else kept it from its first quote', true, { attempts: 1, last: 'PRODUCT_FROZEN' }, 1],
  ['none where it closes no position', false, { attempts: 2, last: 'PRODUCT_FROZEN' }, 0],
])('a plan that fails twice has for a person %s', (_, lasting, state, times) => {
  const { w, rows, work, first } = begun([wants('sell', { size: { kind: 'position' } })], lasting);
  Object.assign(work, state);
  rows.troubled(work, first);
  rows.troubled(work, first);
  expect(w.notices.filter((text) => text.includes('could not be closed'))).toHaveLength(times);
});
