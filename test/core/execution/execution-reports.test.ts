import { describe, expect, test } from 'vitest';
import type { AnswerReport, RecordReport } from '#domain/execution-report.ts';
import { orderId } from '#domain/names.ts';
import { BTC } from '../../support/market-data.ts';
import { inState, OWNER } from '../../support/orders.ts';
import { planOf, T, type WorkingOptions, wants, working } from './working.ts';

/** An order to buy 0.01 at 60,000 is on its way. */
function ordered(options: WorkingOptions = {}) {
  const w = working(options);
  w.quote(60_000);
  w.parentOrders.begin(planOf([wants('buy')]));
  const { id } = w.last();
  const state = () => w.context.books.order(id)?.state;
  return { ...w, id, state };
}

const about = (w: ReturnType<typeof ordered>) => ({ strategy: 's', product: 'btcusd', orderId: w.id, quoteId: w.last().quoteId });
const settled = (w: ReturnType<typeof ordered>) => w.story().slice(2);
const outcome = (w: ReturnType<typeof ordered>) => w.heard.at(-1)?.outcome;
const asQuoted = { side: 'buy', baseCcy: 'btc', quoteCcy: 'usd', price: '60000', size: '0.01', value: '600', fee: '0.6', feeCcy: 'usd' };

describe('what became of an order is journaled and told to its strategy', () => {
  test('it left: with the time that its quote had, once', () => {
    const w = ordered();
    for (let n = 0; n < 2; n++) w.report({ type: 'written', timeLeftMs: 2000, signatureAgeMs: 3, at: T + 501 });
    expect(settled(w)).toEqual(['sent']);
    expect(w.row('sent')).toMatchObject(about(w));
    expect(w.row('sent')?.detail).toEqual({ sentAt: new Date(T + 501).toISOString(), timeLeftMs: 2000, signatureAgeMs: 3 });
    expect(w.state()).toBe('sent');
    w.expired();
    w.notSent();
    expect([settled(w), w.heard], 'what has left neither expires nor stays').toEqual([['sent'], []]);
    const exit = working();
    exit.holding('0.01');
    exit.quote(60_000);
    exit.parentOrders.begin(planOf([wants('sell')]));
    exit.report({ type: 'written', timeLeftMs: 2000, signatureAgeMs: 3, at: T + 501 });
    exit.expired();
    exit.rejected();
    exit.quote(60_001);
    exit.parentOrders.begin(planOf([wants('sell')]));
    expect(exit.told, 'and its rejection counts').toEqual(['sent', 'refused EXIT_PAUSE']);
  });

  test('it did not leave', () => {
    const expired = ordered();
    expired.expired();
    expect(expired.row('expired')).toMatchObject({ ...about(expired), reason: 'GATE_TIME_LEFT', detail: { timeLeftMs: 1 } });
    expect(outcome(expired)).toMatchObject({ state: 'expired', reason: 'GATE_TIME_LEFT', orderId: expired.id });
    const not = ordered();
    not.notSent();
    expect(not.row('not_sent')).toMatchObject({ ...about(not), reason: 'NOT_CONNECTED', detail: { why: 'refused' } });
    expect(outcome(not)).toEqual({
      at: T + 510,
      state: 'not_sent',
      reason: 'NOT_CONNECTED',
      side: 'buy',
      orderId: not.id,
      price: 60_000,
      size: 0.01,
    });
  });

  test('it was executed as quoted', () => {
    const w = ordered();
    w.answer();
    expect(w.row('accepted')).toMatchObject({ ...about(w), reason: 'HTTP_OK' });
    expect(w.row('accepted')?.detail).toEqual({ fill: asQuoted, httpStatus: 201, roundTripMs: 5, body: '{}' });
    expect(outcome(w)).toEqual({
      at: T + 520,
      state: 'accepted',
      reason: 'HTTP_OK',
      side: 'buy',
      orderId: w.id,
      price: 60_000,
      size: 0.01,
    });
    expect([w.held(), w.context.books.book(OWNER, BTC).cash.toString()]).toEqual(['0.01', '-600.6']);
    w.answer();
    w.rejected();
    expect([settled(w), w.held()], 'the first word stands').toEqual([['sent', 'accepted HTTP_OK'], '0.01']);
  });

  test.each<[Partial<AnswerReport['figures']>, held: string, cash: string]>([
    [{ price: '59900' }, '0.01', '-600.6'],
    [{ size: '0.004', value: '240' }, '0.004', '-240.6'],
    [{ fee: '0.7' }, '0.01', '-600.7'],
    [{ fee: '0.00002', feeCcy: 'btc' }, '0.00998', '-600'],
    [{ size: '0.01' }, '0.01', '-600.6'],
  ])('it was executed with figures of its own, which stand for those of the quote: %j', (figures, held, cash) => {
    const w = ordered();
    w.answer({ figures });
    expect([w.held(), w.context.books.book(OWNER, BTC).cash.toString()]).toEqual([held, cash]);
    expect(w.row('accepted')?.detail).toMatchObject({ fill: { ...asQuoted, ...figures } });
    expect(outcome(w)).toMatchObject({ price: Number(figures.price ?? 60_000), size: Number(figures.size ?? 0.01) });
  });

  test('an execution of more than was quoted is believed by nobody: its outcome is unknown', () => {
    const w = ordered();
    w.answer({ figures: { size: '0.010001' } });
    expect([w.held(), w.state(), w.unknown]).toEqual(['0', 'unknown', [w.id]]);
    expect(w.row('unknown')).toMatchObject({ ...about(w), reason: 'HTTP_AMBIGUOUS' });
    expect(w.row('unknown')?.detail).toMatchObject({ httpStatus: 201, body: '{}', why: expect.stringContaining('0.010001') });
  });

  test.each([
    [undefined, {}],
    [1500, { retryAfterMs: 1500 }],
  ])('it was rejected; the service asks for a wait of %j', (retryAfterMs, wait) => {
    const w = ordered();
    w.answer({
      outcome: 'rejected',
      reason: 'HTTP_REFUSED',
      httpStatus: 429,
      why: 'slow',
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
    expect(w.row('rejected')).toMatchObject(about(w));
    expect(w.row('rejected')?.detail).toEqual({ httpStatus: 429, roundTripMs: 5, body: '{}', why: 'slow', ...wait });
    expect(w.heard.at(-1)).toMatchObject({ outcome: { state: 'rejected', reason: 'HTTP_REFUSED' }, why: 'slow' });
    expect(w.context.monitor.wait.endsAt(w.context.log.now)).toBe(retryAfterMs === undefined ? null : T + 520 + retryAfterMs);
  });

  test('nobody knows: it is looked into, and a late answer settles it', () => {
    for (const awaited of [true, undefined] as const) {
      const w = ordered();
      w.answer({ outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, why: 'none', ...(awaited && { awaited }) });
      expect(w.row('unknown')?.detail).toEqual({
        httpStatus: null,
        roundTripMs: 5,
        body: '{}',
        why: 'none',
        position: '0 is held, from 0 to 0.01 is possible',
      });
      expect(w.unknown).toEqual([awaited ? `${w.id} awaited` : w.id]);
      w.unanswered();
      expect([settled(w), w.heard.length], 'told once').toEqual([['sent', 'unknown NO_ANSWER'], 1]);
      w.answer({ late: true });
      expect([settled(w).at(-1), w.held()]).toEqual(['accepted LATE_ANSWER', '0.01']);
      expect(w.unknown).toHaveLength(1);
    }
  });

  test('none of ours changes nothing', () => {
    const w = ordered();
    w.report({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }, orderId('9-9'));
    expect([settled(w), w.state()]).toEqual([[], 'intent']);
  });
});

describe('an order of unknown outcome', () => {
  const record = (more: Partial<RecordReport> = {}): RecordReport => ({
    type: 'found',
    executed: true,
    figures: {},
    body: 'its record',
    ...more,
  });
  const lost = () => {
    const w = ordered();
    w.unanswered();
    return w;
  };

  test('that the service has on record is executed with the figures of that', () => {
    const w = lost();
    w.report(record({ figures: { price: '59999', value: '599.99' } }));
    expect(w.row('resolved')).toMatchObject({ ...about(w), reason: 'SERVICE_ASKED' });
    const fill = { ...asQuoted, price: '59999', value: '599.99' };
    expect(w.row('resolved')?.detail).toEqual({ who: 'service', why: expect.stringContaining('its record'), as: 'accepted', fill });
    expect([w.held(), outcome(w)?.state, outcome(w)?.at]).toEqual(['0.01', 'accepted', T + 530]);
    expect([w.state(), w.context.books.book(OWNER, BTC).openedAt]).toEqual([undefined, T + 530]);
  });

  test('that it does not know was not executed', () => {
    const w = lost();
    w.report(record({ executed: false }));
    expect(w.row('resolved')).toMatchObject({ ...about(w), reason: 'SERVICE_ASKED' });
    expect(w.row('resolved')?.detail).toEqual({
      who: 'service',
      why: expect.stringContaining('knows of no order'),
      as: 'rejected',
      fill: null,
    });
    expect([w.held(), outcome(w)?.state, w.state()]).toEqual(['0', 'rejected', undefined]);
  });

  test('stays unknown where the record says more than was quoted; one that still waits for its answer is not touched', () => {
    const w = lost();
    w.report(record({ figures: { size: '0.02' } }));
    expect([w.held(), w.state()]).toEqual(['0', 'unknown']);
    for (const executed of [true, false]) {
      const waits = ordered();
      waits.report(record({ executed }));
      expect([settled(waits), waits.state()]).toEqual([[], 'intent']);
    }
  });

  test.each([
    [asQuoted, 'accepted', '0.01'],
    [null, 'rejected', '0'],
  ])('is settled by a person, whose first word stands: %j', (fill, as, held) => {
    const w = lost();
    const word = { who: 'ann', why: 'seen at the desk', fill: fill && { ...asQuoted, side: 'buy' as const } };
    w.reports.resolve(w.id, word);
    expect(w.row('resolved')).toMatchObject({ ...about(w), reason: 'BY_PERSON' });
    expect(w.row('resolved')?.detail).toEqual({ who: 'ann', why: 'seen at the desk', as, fill });
    expect([w.held(), outcome(w)?.state, outcome(w)?.at]).toEqual([held, as, T + 520]);
    w.reports.resolve(w.id, { ...word, fill: { ...asQuoted, side: 'buy' } });
    w.reports.resolve(orderId('9-9'), word);
    const waits = ordered();
    waits.reports.resolve(waits.id, word);
    expect([w.held(), waits.held(), waits.state()]).toEqual([held, '0', 'intent']);
  });

  test('of a run before is looked into at the start; what is on its way is not', () => {
    const w = working();
    for (const state of ['unknown', 'sent'] as const) w.context.books.track(inState(state, { id: `1-${state.length}` }));
    w.reports.start();
    expect(w.unknown).toEqual(['1-7']);
    const alone = working({ options: { onUnknown: undefined } as object });
    alone.context.books.track(inState('unknown'));
    alone.reports.start();
    alone.quote(60_000);
    alone.parentOrders.begin(planOf([wants('buy')]));
    expect(alone.told).toEqual(['refused PRODUCT_FROZEN']);
  });
});

describe('what an answer says beyond its order', () => {
  const unauthorized = { outcome: 'rejected', reason: 'HTTP_UNAUTHORIZED', httpStatus: 401 } as const;
  const again = (w: ReturnType<typeof working>): void => {
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('buy')]));
  };

  test('F07 two in a row that are not authorized halt trading', () => {
    const w = ordered();
    w.answer(unauthorized);
    again(w);
    w.answer();
    again(w);
    w.answer(unauthorized);
    expect(w.context.state.isHalted).toBe(false);
    again(w);
    w.answer(unauthorized);
    expect(w.row('halted')?.reason).toBe('SECOND_UNAUTHORIZED');
  });

  test('F08 a refused user halts trading', () => {
    const w = ordered();
    w.answer({ outcome: 'rejected', reason: 'HTTP_FORBIDDEN', httpStatus: 403, why: 'no such user' });
    expect(w.row('halted')).toMatchObject({ reason: 'HTTP_FORBIDDEN', detail: { why: expect.stringContaining('no such user') } });
  });

  test.each([
    [null, false],
    [1, false],
    [0, true],
  ])('more unknown outcomes than %j halt trading: %s', (maxUnknown, isHalted) => {
    const w = ordered({ limits: { maxUnknown } });
    w.unanswered();
    expect([w.context.state.isHalted, w.row('halted')?.reason]).toEqual([isHalted, isHalted ? 'MAX_UNKNOWN' : undefined]);
  });

  test('a rejected exit is followed by a pause, an executed one by none', () => {
    const w = working();
    w.holding('0.01');
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('sell')]));
    w.rejected();
    const pause = () => w.context.exits.pauseLeftMs(OWNER, BTC, w.context.log.now);
    expect(pause()).toBe(1000);
    w.quote(60_001, { afterMs: 1000 });
    w.parentOrders.begin(planOf([wants('sell')]));
    w.answer();
    expect([pause(), w.held()]).toEqual([0, '0']);
  });

  test('a closing with a loss is held against the position that it closes', () => {
    const w = working({ limits: { maxLossStreak: 1 } });
    w.holding('0.01', { price: 61_000 });
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('sell')]));
    w.answer();
    w.quote(60_001);
    w.parentOrders.begin(planOf([wants('buy')]));
    expect(w.told.at(-1)).toMatch(/^refused LOSS/);
  });
});

test('I04: an answer whose consequences fail is journaled all the same, alone, and is not booked twice', () => {
  const w = ordered();
  const { monitor } = w.context;
  monitor.filled = () => {
    throw new Error('of course');
  };
  for (let n = 0; n < 2; n++) {
    try {
      w.answer();
    } catch (error) {
      expect(error).toEqual(new Error('of course'));
    }
  }
  expect(settled(w)).toEqual(['sent', 'accepted HTTP_OK']);
});

test('I04: an unknown outcome whose consequences fail stays open to the late answer', () => {
  const w = ordered();
  const { exits } = w.context;
  const settledBefore = exits.settled;
  exits.settled = () => {
    throw new Error('of course');
  };
  expect(() => w.answer({ outcome: 'unknown', reason: 'NO_ANSWER' })).toThrow('of course');
  exits.settled = settledBefore;
  w.answer();
  expect([settled(w), w.held()]).toEqual([['sent', 'unknown NO_ANSWER', 'accepted HTTP_OK'], '0.01']);
});
