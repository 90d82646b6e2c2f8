import { expect, test } from 'vitest';
import { progressTeller, unfinished } from '#cli/manual-requests.ts';
import type { ManualPart } from '#domain/manual-request.ts';

test('what a closing waits for is told once for each cause, however often its figures move', () => {
  const said: string[] = [];
  const tell = progressTeller((line) => said.push(line));
  const part = (why: string, reason: ManualPart['reason']): ManualPart => ({
    ...{ book: 's', product: 'btcusd', wants: 'position', state: 'working', held: '1', left: '1', orders: [] },
    ...{ reason, why },
  });
  for (const worth of [1180, 1181.5, 2180])
    tell({ parts: [part(`the exit is worth ${worth} usd; to allow it: \`kairos close s --up-to-value ${worth}\``, 'MAX_EXIT_VALUE')] });
  tell({ parts: [part('no quotes for 3 s', 'LANE_STALE')] });
  expect(said).toEqual([
    's btcusd: position; the exit is worth 1180 usd; to allow it: `kairos close s --up-to-value 1180` (MAX_EXIT_VALUE)',
    's btcusd: position; no quotes for 3 s (LANE_STALE)',
  ]);
});

test('a request that only a person can let pass says by which command', () => {
  const why = 'only exits pass: flatten: news at noon';
  const refused = {
    book: 'manual',
    product: 'btcusd',
    wants: 'buy the least',
    state: 'refused',
    held: '0',
    left: '0',
    orders: [],
  } as const;
  const { message } = unfinished({
    ...{ id: '1', act: 'order', who: 'ann', why: 'rehearsal', ended: true, refused: null },
    parts: [{ ...refused, reason: 'REDUCING', why }],
  }) ?? { message: '' };
  expect(message).toBe(`order is refused: ${why} (REDUCING); \`kairos resume\` ends that`);
});
