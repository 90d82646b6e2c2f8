import { describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { type FillText, fillAsQuoted, fillText, type OrderCore, orderText } from '#domain/order.ts';
import { resolvedFill } from '#domain/resolved-fill.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { eager } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { h: eager } });
let r: Rig;

/** An order whose answer is lost. */
function lost() {
  r = rig();
  r.price();
  const order = r.last;
  r.answer(order, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  return order;
}

const settle = (order: string, fill: FillText | null): void =>
  r.give({ kind: 'command', command: { act: 'resolve', who: 'ann', why: 'the broker says so', order, fill } });

type FillOfPerson = (order: OrderCore) => FillText | null;
const asQuoted: FillOfPerson = (order) => fillText(fillAsQuoted(order));

const position = (): string =>
  r.engine
    .snapshot(START)
    .strategies.map(({ low, high }) => `${low}..${high}`)
    .join();

describe('F03 F05 a person settles an order of unknown outcome of the running daemon', () => {
  test('executed, at other figures than were quoted: booked once, and the product trades again', () => {
    const order = lost();
    settle(order.id, resolvedFill(orderText(order), { price: '60001' }));
    expect(position()).toBe('0.01..0.01');
    expect(r.rows().at(-1)).toMatchObject({
      kind: 'resolved',
      reason: 'BY_PERSON',
      order_id: order.id,
      detail: { as: 'accepted', who: 'ann', why: 'the broker says so', fill: { price: '60001', value: '600.01' } },
    });
    expect(r.query('SELECT state FROM orders')).toEqual([{ state: 'accepted' }]);
    expect(verifyJournal(r.path)).toMatchObject({ ok: true });
  });

  test('not executed: nothing is booked, and the strategy may try again', () => {
    const order = lost();
    settle(order.id, null);
    expect(position()).toBe('0..0');
    r.price();
    expect(r.broker.submitted).toHaveLength(2);
  });

  test('the first word stands: a second one, and an answer that comes after all, change nothing', () => {
    const order = lost();
    settle(order.id, fillText(fillAsQuoted(order)));
    const { length } = r.rows();
    settle(order.id, null);
    r.answer(order, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 400, late: true });
    expect(r.rows()).toHaveLength(length);
    expect(position()).toBe('0.01..0.01');
  });

  test.each<[string, FillOfPerson, Parameters<Rig['answer']>[1], RegExp | null]>([
    [
      'refused, and it is executed',
      () => null,
      { outcome: 'accepted' },
      /says: executed, 0\.01 at 60000, .* settled it as not executed, .*reconcile/,
    ],
    ['executed, and it is refused', asQuoted, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 400 }, /says: not executed; ann/],
    ['executed, at another price', asQuoted, { outcome: 'accepted', figures: { price: '60001' } }, /at 60001, .* at 60000, /],
    ['executed, as it is', asQuoted, { outcome: 'accepted' }, null],
    ['refused, as it is', () => null, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 400 }, null],
  ])('a late answer that contradicts the person is told: settled as %s', (_, fill, answer, told) => {
    const order = lost();
    settle(order.id, fill(order));
    const before = position();
    r.answer(order, { ...answer, late: true });
    expect(position()).toBe(before);
    const errors = r.notices.filter((text) => text.startsWith(`error: order ${order.id}:`));
    expect(errors).toEqual(told === null ? [] : [expect.stringMatching(told)]);
  });

  test("an order that nobody knows is nobody's", () => {
    lost();
    const { length } = r.rows();
    settle('99-1', null);
    expect(r.rows()).toHaveLength(length);
  });
});
