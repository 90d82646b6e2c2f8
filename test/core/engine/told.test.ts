import { expect, test } from 'vitest';
import { HALT_DRILL, outcomesTold, tooMuchTold } from '#core/engine/order-outcomes.ts';
import type { Outcome } from '#domain/outcome.ts';

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
  const check = { check: 'LOSS_COOLDOWN', passed: false, figure: '5 lost, until 2026-01-01T00:15:00.000Z', limit: 5 } as const;
  tell('other', { ...REFUSED, reason: 'LOSS_COOLDOWN' }, { checks: [check] });
  const large = 'the order is worth more than risk.maxOrderValue';
  expect(lines).toEqual([
    `info coin: buy refused: MAX_ORDER_VALUE, ${large} (logged once; kairos why-not --strategy coin)`,
    'info coin: buy refused: HALTED, trading is halted until a person resumes it (logged once; kairos why-not --strategy coin)',
    `info other: buy refused: MAX_ORDER_VALUE, ${large} (logged once; kairos why-not --strategy other)`,
    'info other: buy refused: LOSS_COOLDOWN, openings wait after closes in a row that lost: 5 lost, until 2026-01-01T00:15:00.000Z (logged once; kairos why-not --strategy other)',
  ]);
});

test('the order of a halt drill is told as such, and as no warning where the gate stopped it', () => {
  const lines: string[] = [];
  const tell = outcomesTold((level, text) => lines.push(`${level} ${text}`));
  const stopped: Outcome = { ...REFUSED, state: 'not_sent', reason: 'GATE_HALTED', orderId: '9-1' };
  tell(HALT_DRILL, stopped, { why: 'a stop came before the write' });
  tell(HALT_DRILL, { ...stopped, state: 'rejected', reason: 'HTTP_REFUSED' });
  expect(lines).toEqual([
    'info halt drill: buy 5 at 61800, order 9-1: not_sent (GATE_HALTED): a stop came before the write',
    'warn halt drill: buy 5 at 61800, order 9-1: rejected (HTTP_REFUSED)',
  ]);
});

test('a sale of the whole position that is refused as too much names the currency of fees and what to do, once for each strategy', () => {
  const lines: string[] = [];
  const tell = tooMuchTold((level, text) => lines.push(`${level} ${text}`));
  const rejected: Outcome = { ...REFUSED, state: 'rejected', reason: 'HTTP_REFUSED', side: 'sell', orderId: '9-1', size: 0.01 };
  const why = 'the service answered 422: {"error":"insufficient BTC"}';
  tell('coin', rejected, { held: 0.02, why });
  tell('coin', rejected, { held: 0.01, why: 'the service answered 422: {"error":"quote expired"}' });
  tell('coin', { ...rejected, side: 'buy' }, { held: 0.01, why: 'the service answered 422: {"error":"insufficient USD"}' });
  tell('coin', { ...rejected, state: 'accepted' }, { held: 0.01, why });
  tell('coin', rejected, { held: 0, why });
  expect(lines, 'an opening short is none').toEqual([]);
  tell('coin', rejected, { held: 0.010005, why });
  tell('coin', rejected, { held: 0.01, why });
  tell('other', rejected, { held: 0.01, why });
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^error coin: the account holds less .* service\.feeIn: received .*kairos reconcile/);
});
