import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveOrder } from '#adapters/journal/resolve.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { folder, orderFacts, permits, START, sent, unknown } from './rows.ts';

describe('a person settles an order', () => {
  const by = { who: 'ann', why: 'seen', now: START + 60_000 };

  test.each([['sent'], ['intent'], ['unknown']])('that is %s', (state) => {
    const order = orderFacts(1);
    const rows = [...permits(order), ...(state === 'intent' ? [] : [sent(order)]), ...(state === 'unknown' ? [unknown(order)] : [])];
    const path = JournalInMemory.of(...rows).kept();
    expect(resolveOrder({ path, orderId: '1-1', as: 'rejected', ...by })).toEqual({ order, as: 'rejected', fill: null });
    expect(openFiles().filter((file) => file.startsWith(path))).toEqual([]);
  });

  test('and makes no journal where there is none', () => {
    const path = join(folder(), 'none.db');
    expect(() => resolveOrder({ path, orderId: '1-1', as: 'accepted', ...by })).toThrow('there is no journal');
    expect(existsSync(path)).toBe(false);
  });
});
