import { expect, test } from 'vitest';
import { progressTeller } from '#cli/manual-requests.ts';
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
