import { expect, test } from 'vitest';
import type { ManualTask } from '#domain/manual-request.ts';
import { closingEnd } from '../../web/acts/closing-end.ts';

const part = {
  book: 's',
  product: 'btcusd',
  wants: 'close',
  held: '1',
  left: '1',
  state: 'working',
  reason: null,
  why: null,
  orders: [],
} as const;
const task = (of: Partial<ManualTask>): ManualTask => ({
  ...{ id: '1', act: 'close', who: 'ann', why: 'news', parts: [part], refused: null, ended: false },
  ...of,
});

test('a closing that stays can be ended from the page, and nothing else can', () => {
  expect(closingEnd(task({}))).toMatchObject({ act: 'close' });
  expect(closingEnd(task({}))?.body).toEqual({ strategy: 's', product: 'btcusd', end: true });
  expect(closingEnd(task({ act: 'flatten' }))?.body).toEqual({ end: true });
  expect([closingEnd(task({ ended: true })), closingEnd(task({ act: 'order' })), closingEnd(task({ parts: [] }))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
