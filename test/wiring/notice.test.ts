import { expect, test } from 'vitest';
import type { Outcome } from '../../src/domain/outcome.ts';
import { outcomesTold } from '../../src/wiring/notice.ts';

const REFUSED: Outcome = {
  at: 0,
  state: 'refused',
  reason: 'MAX_ORDER_VALUE',
  side: 'buy',
  orderId: undefined,
  price: 61_800,
  size: 5,
};

test('a strategy that may not trade says why at once, and once for each reason', () => {
  const lines: string[] = [];
  const tell = outcomesTold((level, text) => lines.push(`${level} ${text}`));
  tell('coin', REFUSED);
  tell('coin', { ...REFUSED, price: 61_900 });
  tell('coin', { ...REFUSED, reason: 'HALTED' });
  tell('other', REFUSED);
  tell('coin', { ...REFUSED, state: 'lapsed', reason: null });
  const large = 'the order is worth more than risk.maxOrderValue';
  expect(lines).toEqual([
    `info coin: buy refused: MAX_ORDER_VALUE, ${large} (told once; kairos why-not --strategy coin)`,
    'info coin: buy refused: HALTED, trading is halted until a person resumes it (told once; kairos why-not --strategy coin)',
    `info other: buy refused: MAX_ORDER_VALUE, ${large} (told once; kairos why-not --strategy other)`,
  ]);
});
