import { describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import type { AnswerReport, RecordReport } from '#domain/execution-report.ts';
import type { OrderCore } from '#domain/order.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { eager } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { h: eager } });

const cutOff: Partial<AnswerReport> = { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, body: '', why: 'no answer' };
const noAnswer: Partial<AnswerReport> = { ...cutOff, awaited: true };

function unknown(answer: Partial<AnswerReport> = noAnswer): { readonly r: Rig; readonly lost: OrderCore } {
  const r = rig();
  r.price();
  const lost = r.last;
  r.answer(lost, answer);
  return { r, lost };
}

const found = (r: Rig, order: OrderCore, report: Partial<RecordReport>): void =>
  r.report(order, { type: 'found', executed: false, figures: {}, body: '[]', ...report });

const held = (r: Rig): string =>
  r.engine
    .snapshot(r.clock.now())
    .strategies.map(({ low, high }) => `${low}..${high}`)
    .join();

describe('F03 F10 the service is asked about an order of unknown outcome, where it can be', () => {
  test('the engine tells of each once, and whether a late answer may still come', () => {
    const { r, lost } = unknown();
    expect(r.unknown).toEqual([`${lost.id} awaited`]);
    const broken = unknown({ outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', httpStatus: 500, why: '500' });
    expect(broken.r.unknown).toEqual([broken.lost.id]);
    const cut = unknown(cutOff);
    expect(cut.r.unknown).toEqual([cut.lost.id]);
  });

  test('executed: booked at the figures of the answer, the product trades again', () => {
    const { r, lost } = unknown();
    r.price();
    expect([held(r), r.broker.submitted.length]).toEqual(['0..0.01', 1]);
    const figures = { price: '60001', size: '0.01', value: '600.01', fee: '0.6', feeCcy: 'usd' };
    found(r, lost, { executed: true, figures, body: '[{"status":"FILLED"}]' });
    expect(held(r)).toBe('0.01..0.01');
    expect(r.rows().at(-1)).toMatchObject({
      kind: 'resolved',
      reason: 'SERVICE_ASKED',
      order_id: lost.id,
      detail: { who: 'service', as: 'accepted', fill: { price: '60001', value: '600.01', fee: '0.6' } },
    });
    expect(r.query('SELECT state, price FROM orders')).toEqual([{ state: 'accepted', price: '60001' }]);
    expect(r.engine.snapshot(r.clock.now()).unknowns).toBe(0);
    expect(verifyJournal(r.path)).toMatchObject({ ok: true });
  });

  test('not executed: nothing is booked, and the strategy goes on', () => {
    const { r, lost } = unknown();
    found(r, lost, { executed: false });
    expect(r.rows().at(-1)).toMatchObject({
      kind: 'resolved',
      reason: 'SERVICE_ASKED',
      detail: { who: 'service', as: 'rejected', fill: null },
    });
    expect([held(r), r.query("SELECT count(*) AS fills FROM ledger WHERE kind = 'fill'")]).toEqual(['0..0', [{ fills: 0 }]]);
    r.price();
    expect(r.broker.submitted.length).toBe(2);
  });

  test('the first word stands: a find after a late answer changes nothing, nor a late answer after a find', () => {
    const late: Partial<AnswerReport> = { late: true };
    const one = unknown();
    one.r.answer(one.lost, late);
    found(one.r, one.lost, { executed: false });
    expect(one.r.story().slice(-2)).toEqual(['unknown NO_ANSWER', 'accepted LATE_ANSWER']);
    const other = unknown();
    found(other.r, other.lost, { executed: true });
    other.r.answer(other.lost, late);
    expect(other.r.story().slice(-2)).toEqual(['unknown NO_ANSWER', 'resolved SERVICE_ASKED']);
    expect(held(other.r)).toBe('0.01..0.01');
  });

  test('a find of an order that is still on its way is no word on it', () => {
    const r = rig();
    r.price();
    found(r, r.last, { executed: false });
    expect(r.story()).toEqual(['intent', 'approved']);
  });

  test('after a crash the orders that it left are told of again, and the find settles them', () => {
    const before = rig();
    before.price();
    const lost = before.last;
    before.crash();
    const after = rig({ folder: before.folder, startAt: START + 60_000 });
    expect(after.unknown).toEqual([lost.id]);
    expect(held(after)).toBe('0..0.01');
    found(after, lost, { executed: true });
    expect(held(after)).toBe('0.01..0.01');
    expect(verifyJournal(after.path)).toMatchObject({ ok: true });
  });
});
