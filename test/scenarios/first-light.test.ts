import { describe, expect, test } from 'vitest';
import { hold, type MarkedStrategy, mid, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { type LaneChange, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { guardedJournal } from '../support/guarded-journal.ts';
import { btcLane, quote } from '../support/market-data.ts';
import { type Rig, type RigOptions, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { threshold } from '../support/strategies.ts';

const newRig = rigsOfTests();
function rig(strategies: Record<string, MarkedStrategy> = { t: threshold }, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  return newRig({ strategies, ...options });
}

const fresh = (r: Rig, options: Parameters<typeof quote>[0] = {}) => quote({ validUntil: r.clock.now() + 3000, ...options });

describe('the life of an order is in the journal, each step before its effect', () => {
  test('bought, then sold, and the ledger holds both to the last decimal', () => {
    const r = rig();
    r.quote(fresh(r));
    const bought = r.last;
    expect(r.rows().map(({ kind }) => kind)).toEqual(['started', 'intent', 'approved']);
    r.answer(bought);
    r.moveBy(500);
    r.quote(fresh(r, { buy: 59_000 }));
    r.answer(r.last);
    expect(r.story()).toEqual(['intent', 'approved', 'sent', 'accepted HTTP_OK', 'intent', 'approved', 'sent', 'accepted HTTP_OK']);
    const [intent, approved, sent] = r.rows().slice(1);
    expect(intent?.detail).toMatchObject({ side: 'buy', why: 'high', signals: { signal: 60_000 } });
    expect(intent?.quote_id).toBe(bought.quoteId);
    expect(approved?.detail).toMatchObject({ order: { size: '0.01', price: '60000', value: '600', fee: '0.6' } });
    expect(sent?.detail).toMatchObject({ timeLeftMs: 2000 });
    expect(r.query('SELECT kind, currency, amount FROM ledger ORDER BY entry_id')).toEqual([
      { kind: 'fill', currency: 'btc', amount: '0.01' },
      { kind: 'fill', currency: 'usd', amount: '-600' },
      { kind: 'fee', currency: 'usd', amount: '-0.6' },
      { kind: 'fill', currency: 'btc', amount: '-0.01' },
      { kind: 'fill', currency: 'usd', amount: '590' },
      { kind: 'fee', currency: 'usd', amount: '-0.59' },
    ]);
  });

  test('while an order is in flight the strategy is not asked again', () => {
    const r = rig();
    r.quote(fresh(r));
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(1);
    expect(r.story()).toEqual(['intent', 'approved']);
  });

  test('a quote is used once: the second strategy is refused QUOTE_TAKEN', () => {
    const r = rig({ a: threshold, b: threshold });
    const one = fresh(r);
    r.quote(one);
    expect(r.broker.submitted.map(({ strategy, quoteId }) => [strategy, quoteId])).toEqual([['a', one.id]]);
    expect(r.rows().find(({ kind }) => kind === 'refused')).toMatchObject({ strategy: 'b', reason: 'QUOTE_TAKEN', quote_id: one.id });
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.broker.submitted.map(({ strategy }) => strategy)).toEqual(['a', 'b']);
  });

  test('expired and not_sent leave nothing behind and the strategy may try the next quote', () => {
    const r = rig();
    r.quote(fresh(r));
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 12 });
    r.moveBy(500);
    r.quote(fresh(r));
    r.report(r.last, { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'connection refused' });
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(3);
    expect(r.query('SELECT state FROM orders ORDER BY intent_at')).toEqual([
      { state: 'expired' },
      { state: 'not_sent' },
      { state: 'intent' },
    ]);
    expect(r.query('SELECT * FROM ledger')).toEqual([]);
  });

  test('the answer wins over the quote where it has figures', () => {
    const r = rig();
    r.quote(fresh(r));
    r.answer(r.last, { figures: { price: '60001', value: '600.01', fee: '0.61' } });
    expect(r.query('SELECT price, value, fee FROM orders')).toEqual([{ price: '60001', value: '600.01', fee: '0.61' }]);
  });
});

/** What is wrong with the quote, and the code that the refusal must have; null where there is no decision to refuse. */
const badQuotes: readonly [string, (r: Rig) => void, string | null][] = [
  ['F32 B20 without an id', (r) => r.quote(fresh(r, { id: null })), 'QUOTE_WITHOUT_ID'],
  ['of another product', (r) => r.quote(fresh(r, { product: 'ethusd' })), null],
  ['F29 of another size', (r) => r.quote(fresh(r, { size: 0.02 })), null],
  ['F33 crossed', (r) => r.quote(fresh(r, { buy: 60_000, sell: 60_001 })), null],
  ['of an old epoch', (r) => r.quote(fresh(r, { epoch: 0 })), null],
  ['late: dead on arrival', (r) => r.quote(fresh(r, { validUntil: r.clock.now() - 1 })), 'TIME_LEFT'],
  ['with one millisecond too little left', (r) => r.quote(fresh(r, { validUntil: r.clock.now() + 249 })), 'TIME_LEFT'],
  [
    'after the lane was lost',
    (r) => {
      r.inbox.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'closed' });
      r.quote(fresh(r));
    },
    null,
  ],
  [
    'F36 one frame per 30 s',
    (r) => {
      r.quote(fresh(r, { buy: 1000 }));
      r.moveBy(30_000);
      r.quote(fresh(r));
    },
    'LANE_STALE',
  ],
  ['of a lane that nobody opened', (r) => r.quote(fresh(r, { lane: laneFor(productCode('btcusd'), { base: decimalOf('9') }).id })), null],
];

describe('no order is sent on a bad quote', () => {
  test.each(badQuotes)('%s', (_, give, code) => {
    const r = rig();
    give(r);
    expect(r.broker.submitted).toEqual([]);
    expect(r.rows().find(({ kind }) => kind === 'refused')?.reason ?? null).toBe(code);
    r.moveBy(100);
    r.ack();
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(1);
  });

  test('F27: a subscription that is answered with another one stops the lane until the service acknowledges it', () => {
    const r = rig();
    const change: LaneChange = { phase: 'disabled', lane: btcLane.id, epoch: 1, why: 'the ACK echoes ethusd' };
    r.inbox.change(change);
    r.quote(fresh(r));
    expect(r.broker.submitted).toEqual([]);
    expect(r.notices).toEqual([expect.stringMatching(/disabled until .*: the ACK echoes ethusd/)]);
  });

  test('F31: of many quotes at once only the newest is decided on, the others are kept without a number', () => {
    const conflated: number[] = [];
    const numbers: number[] = [];
    const log = { append: ({ n }: { n: number }) => numbers.push(n), conflated: () => conflated.push(1), flush() {} };
    const r = rig({ t: threshold }, { log });
    const before = numbers.length;
    const burst = Array.from({ length: 10_000 }, () => fresh(r));
    for (const one of burst) r.inbox.quote(one);
    r.inbox.drain();
    expect(r.last.quoteId).toBe(burst.at(-1)?.id);
    expect(r.broker.submitted).toHaveLength(1);
    expect([conflated.length, numbers.length - before]).toEqual([9_999, 1]);
  });
});

describe('an unknown outcome is never guessed', () => {
  const unknown: Partial<AnswerReport> = { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, why: 'no answer in 3000 ms' };

  test('nothing is opened in the product until a late answer settles it', () => {
    const r = rig({ t: threshold, u: threshold });
    r.quote(fresh(r));
    const order = r.last;
    r.answer(order, unknown);
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(1);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'PRODUCT_FROZEN' });
    r.answer(order, { late: true });
    expect(r.query('SELECT state FROM orders')).toEqual([{ state: 'accepted' }]);
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.last.strategy).toBe('u');
  });

  test('a second report of a settled order changes nothing', () => {
    const r = rig();
    r.quote(fresh(r));
    const order = r.last;
    r.answer(order);
    r.answer(order);
    r.answer(order, unknown);
    expect(r.query('SELECT count(*) AS n FROM ledger')).toEqual([{ n: 3 }]);
    expect(r.story()).toEqual(['intent', 'approved', 'sent', 'accepted HTTP_OK']);
  });

  test('more unknowns than risk.maxUnknown halt trading', () => {
    const r = rig({ t: threshold }, { limits: { maxUnknown: 0 } });
    r.quote(fresh(r));
    r.answer(r.last, unknown);
    expect(r.latch.isSet).toBe(true);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'halted', reason: 'MAX_UNKNOWN' });
  });

  test.each([
    ['F07 a second 401 in a row', 'HTTP_UNAUTHORIZED', 401, 2, 'SECOND_UNAUTHORIZED'],
    ['F08 a 403', 'HTTP_FORBIDDEN', 403, 1, 'HTTP_FORBIDDEN'],
  ] as const)('%s halts', (_, reason, httpStatus, times, code) => {
    const r = rig();
    for (let n = 0; n < times; n++) {
      expect(r.latch.isSet).toBe(false);
      r.quote(fresh(r));
      r.answer(r.last, { outcome: 'rejected', reason, httpStatus });
      r.moveBy(500);
    }
    expect(r.rows().at(-1)).toMatchObject({ kind: 'halted', reason: code });
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(times);
  });
});

describe('a crash loses nothing', () => {
  test('an order on its way is unknown after the restart, a settled one is held', () => {
    const first = rig();
    first.quote(fresh(first));
    first.answer(first.last);
    first.moveBy(500);
    first.quote(fresh(first, { buy: 59_000 }));
    const onItsWay = first.last;
    first.crash();

    const second = rig({ t: threshold }, { folder: first.folder });
    expect(second.rows().at(-1)).toMatchObject({ kind: 'unknown', reason: 'CRASH_RECOVERY', order_id: onItsWay.id });
    expect(second.query('SELECT state FROM orders ORDER BY intent_at')).toEqual([{ state: 'accepted' }, { state: 'unknown' }]);
    second.quote(fresh(second, { buy: 59_000 }));
    expect(second.broker.submitted).toEqual([]);
    expect(second.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'POSITION_UNSURE' });
  });

  test('order numbers go on where the last run ended, and a used quote stays used', () => {
    const first = rig();
    const used = fresh(first);
    first.quote(used);
    first.answer(first.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    const earlier = first.last.id;
    first.crash();

    const second = rig({ t: threshold }, { folder: first.folder });
    second.quote(used);
    expect(second.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'QUOTE_TAKEN' });
    second.moveBy(100);
    second.quote(fresh(second));
    expect(second.last.id).not.toBe(earlier);
  });

  test('a halt and a pause survive, with who and why', () => {
    const first = rig();
    first.give({ kind: 'command', command: { act: 'pause', strategy: 't', who: 'anna', why: 'news' } });
    first.give({ kind: 'command', command: { act: 'halt', who: 'anna', why: 'lunch' } });
    first.crash();
    const second = rig({ t: threshold }, { folder: first.folder });
    expect(second.latch.isSet).toBe(true);
    for (const strategy of [null, 't']) {
      second.quote(fresh(second));
      expect(second.rows().at(-1)).toMatchObject({ kind: 'refused', reason: strategy === null ? 'HALTED' : 'PAUSED' });
      second.give({ kind: 'command', command: { act: 'resume', strategy, who: 'anna', why: 'back' } });
    }
    second.moveBy(100);
    second.quote(fresh(second));
    expect(second.broker.submitted).toHaveLength(1);
  });
});

describe('the journal comes before every effect', () => {
  test('a commit that fails sends nothing and halts', () => {
    let fail = false;
    const r = rig(
      { t: threshold },
      {
        wrapJournal: (journal) =>
          guardedJournal(journal, {
            commit() {
              if (fail) throw new KairosError('JOURNAL_FAULT', 'disk full');
            },
          }),
      },
    );
    fail = true;
    expect(() => r.quote(fresh(r))).toThrow('disk full');
    expect(r.broker.submitted).toEqual([]);
    expect(() => r.engine.fault(new KairosError('JOURNAL_FAULT', 'disk full'))).toThrow('disk full');
    expect(r.latch.isSet).toBe(true);
  });

  test('a journal that another program holds halts nothing: each try has a row, and a position is sold once it is free (F49, I19)', () => {
    let busy = 0;
    const r = rig(
      { t: threshold },
      {
        wrapJournal: (journal) =>
          guardedJournal(journal, {
            commit(decisions) {
              if (busy === 0 || !decisions.some(({ kind }) => kind === 'approved')) return;
              busy -= 1;
              throw new KairosError('JOURNAL_BUSY', 'busy');
            },
          }),
      },
    );
    r.quote(fresh(r));
    r.answer(r.last);
    busy = 10;
    for (let n = 0; n < 11; n++) {
      expect(r.broker.submitted).toHaveLength(1);
      r.moveBy(500);
      r.quote(fresh(r, { buy: 59_000 }));
    }
    expect(r.last).toMatchObject({ side: 'sell' });
    expect(r.latch.isSet).toBe(false);
    expect(r.story().filter((line) => line === 'refused JOURNAL_BUSY')).toHaveLength(10);
    expect(r.story().slice(-2)).toEqual(['intent', 'approved']);
  });

  test('a halt for a busy journal that cannot be written either is written as soon as that can be (F41, I19)', () => {
    let busy = false;
    const r = rig(
      { t: threshold },
      {
        wrapJournal: (journal) =>
          guardedJournal(journal, {
            commit() {
              if (busy) throw new KairosError('JOURNAL_BUSY', 'JOURNAL_BUSY: held');
            },
          }),
      },
    );
    busy = true;
    expect(r.engine.fault(new Error('of course'))).toBe(false);
    expect(r.latch.isSet).toBe(true);
    busy = false;
    r.journal.flush();
    expect(r.story().filter((line) => line.startsWith('halted'))).toEqual(['halted UNCAUGHT']);
  });
});

describe('an error of Kairos itself', () => {
  test.each([
    ['what fell due before it', (r: Rig) => r.engine.inspect(({ host }) => host), 'runTimers'],
    ['its own handling', (r: Rig) => r.engine.inspect(({ books }) => books), 'order'],
  ])('F61 I04: an answer that comes as %s throws is booked behind the halt', (_, partOf, name) => {
    const r = rig({ t: threshold });
    r.quote(fresh(r));
    const { last } = r;
    r.report(last, { type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: r.clock.now() });
    const part = partOf(r);
    const error = new Error('of course');
    Reflect.set(part, name, () => {
      Reflect.deleteProperty(part, name);
      throw error;
    });
    const usual = { httpStatus: 201, body: '{}', roundTripMs: 5, figures: {}, late: false, why: '' };
    expect(() => r.report(last, { type: 'answered', outcome: 'accepted', reason: 'HTTP_OK', ...usual })).toThrow(error);
    expect(r.engine.fault(error)).toBe(true);
    expect(r.story().slice(-2)).toEqual(['halted UNCAUGHT', 'accepted HTTP_OK']);
    expect(r.engine.isHalted).toBe(true);
  });
});

describe('strategies that misbehave harm nobody else', () => {
  const thrower = strategy({
    name: 'thrower',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: () => {
      throw new Error('division by zebra');
    },
  });

  test('F68: three throws in a row disable it, the other trades on, enable revives it', () => {
    const r = rig({ bad: thrower, good: threshold });
    for (let n = 0; n < 4; n++) {
      r.quote(fresh(r));
      r.moveBy(500);
    }
    expect(r.rows().filter(({ kind, strategy: s }) => kind === 'threw' && s === 'bad')).toHaveLength(3);
    expect(r.rows().find(({ kind }) => kind === 'disabled')).toMatchObject({ strategy: 'bad', reason: 'STRATEGY_DISABLED' });
    expect(r.broker.submitted.map(({ strategy: s }) => s)).toEqual(['good']);
    r.give({ kind: 'command', command: { act: 'enable', strategy: 'bad', who: 'anna', why: 'mended' } });
    r.quote(fresh(r));
    expect(r.rows().filter(({ kind }) => kind === 'threw')).toHaveLength(4);
  });

  test.each([
    [false, /^error: strategy bad is disabled until a person enables it: it failed 3 times in a row, at last with: /],
    [true, /^error: strategy bad is disabled until its fixed file is saved, or a person enables it: it failed 3 times/],
  ])('F68: the line of a disabled strategy says what enables it, where sources are watched: %s', (mendEnables, says) => {
    const r = rig({ bad: thrower }, { mendEnables });
    for (let n = 0; n < 3; n++) {
      r.quote(fresh(r));
      r.moveBy(500);
    }
    expect(r.notices).toContainEqual(expect.stringMatching(says));
  });

  test('F68: one that throws as it is enabled is disabled again, in the order of the journal and after a restart', () => {
    const broken = strategy({
      name: 'broken',
      signals: () => {
        throw new Error('nothing of that name');
      },
      decide: () => undefined,
    });
    const first = rig({ bad: broken });
    first.quote(fresh(first));
    const before = first.rows().length;
    first.give({ kind: 'command', command: { act: 'enable', strategy: 'bad', who: 'anna', why: 'mended' } });
    expect(
      first
        .rows()
        .slice(before)
        .map(({ kind }) => kind),
    ).toEqual(['enabled', 'threw', 'threw', 'threw', 'disabled']);
    first.crash();
    const second = rig({ bad: broken }, { folder: first.folder });
    const started = second.rows().length;
    second.quote(fresh(second));
    expect(second.rows().slice(started)).toEqual([]);
  });

  test('a disabled strategy stays disabled after a restart', () => {
    const first = rig({ bad: thrower });
    for (let n = 0; n < 3; n++) {
      first.quote(fresh(first));
      first.moveBy(500);
    }
    first.crash();
    const second = rig({ bad: thrower }, { folder: first.folder });
    second.quote(fresh(second));
    expect(second.rows().filter(({ kind }) => kind === 'threw')).toHaveLength(3);
  });
});

describe('silence is explained without filling the disk', () => {
  test('a repeated refusal is one row at its start and one at its end, with the count', () => {
    const r = rig({ t: threshold }, { limits: { maxSpreadPct: 0.001 } });
    for (let n = 0; n < 50; n++) {
      r.quote(fresh(r, { buy: 60_100, sell: 60_000 }));
      r.moveBy(500);
    }
    r.quote(fresh(r));
    const refused = r.rows().filter(({ kind }) => kind === 'refused');
    expect(refused).toHaveLength(2);
    expect(refused.map(({ detail }) => detail.repeated)).toEqual([undefined, 50]);
    expect(refused[0]).toMatchObject({ reason: 'MAX_SPREAD' });
    expect(r.story().at(-1)).toBe('approved');
  });

  test('hold says why nothing is done', () => {
    const waiting = strategy({ name: 'w', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => hold('no trend') });
    const r = rig({ w: waiting });
    r.quote(fresh(r));
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.rows().filter(({ kind }) => kind === 'hold')).toMatchObject([{ reason: 'HOLD', detail: { why: 'no trend' } }]);
  });
});

describe('the schedule', () => {
  const due = (action: 'bot.pause' | 'remote.pauseAll') =>
    ({ kind: 'due', line: { name: 'night', action, arguments: {}, dueAt: START, deadlineMs: 60_000 } }) as const;

  test('bot.pause stops openings and lets exits go on', () => {
    const r = rig();
    r.quote(fresh(r));
    r.answer(r.last);
    r.give(due('bot.pause'));
    expect(r.query('SELECT name, action, status FROM actions')).toEqual([{ name: 'night', action: 'bot.pause', status: 'confirmed' }]);
    r.moveBy(500);
    r.quote(fresh(r, { buy: 59_000 }));
    expect(r.last.side).toBe('sell');
    r.answer(r.last);
    r.moveBy(500);
    r.quote(fresh(r));
    expect(r.broker.submitted).toHaveLength(2);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'PAUSED' });
  });

  test('remote.pauseAll is journaled before it is asked, and its answer after', () => {
    const r = rig();
    r.give(due('remote.pauseAll'));
    const [actionId] = (r.asked[0] ?? '').split(' ');
    expect(r.query('SELECT status, http_status FROM actions')).toEqual([{ status: 'asked', http_status: null }]);
    r.give({ kind: 'action', answer: { actionId: actionId ?? '', status: 'asked', httpStatus: 202, response: '' } });
    expect(r.query('SELECT status, http_status FROM actions')).toEqual([{ status: 'asked', http_status: 202 }]);
  });
});

test('after a stop no strategy is asked and open answers are still booked', () => {
  const r = rig();
  r.quote(fresh(r));
  r.give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'asked to stop' } });
  r.answer(r.last);
  r.moveBy(500);
  r.quote(fresh(r, { buy: 59_000 }));
  expect(r.broker.submitted).toHaveLength(1);
  expect(r.query('SELECT state FROM orders')).toEqual([{ state: 'accepted' }]);
});
