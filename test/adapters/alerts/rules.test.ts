import { describe, expect, test } from 'vitest';
import { LastingConditions } from '#adapters/alerts/conditions.ts';
import { alertOf } from '#adapters/alerts/rules.ts';
import { DaemonWatch, PATIENCE_MS, type Sight } from '#adapters/alerts/watch.ts';
import { journalCondition, quietSources, silences, timeCondition } from '#daemon/run/threads/alerts-poll.ts';
import type { DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { withEnds } from '#domain/latch-ends.ts';
import { isoTime, laneIdOf, orderId, productCode, strategyId } from '#domain/names.ts';
import { signalSource } from '#domain/outside-signal.ts';
import type { Reason } from '#domain/reasons.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { AT } from './support.ts';

function row<Kind extends DecisionKind>(kind: Kind, detail: DecisionDetails[Kind], reason: Reason | null = null): DecisionRow<Kind> {
  const [strategy, product, order] = [strategyId('hold'), productCode('btcusd'), orderId('9-1')];
  return { kind, at: AT, inboxSeq: 9, strategy, product, reason, quoteId: null, orderId: order, detail };
}

const by = { who: 'me', why: 'because' };
const action = {
  actionId: '1-1',
  name: 'weekend',
  action: 'bot.flatten',
  arguments: {},
  dueAt: 'then',
  askedAt: 'now',
  httpStatus: null,
  response: 'no',
};
const lost = { httpStatus: null, roundTripMs: null, body: '', why: '' };

describe('rules', () => {
  test.each([
    ['F46 I33 a halt', row('halted', by, 'JOURNAL_FAULT'), 'halt', 'trading', 'HALTED by me: because'],
    ['F67 another build', row('disarmed', by, 'DISARMED'), 'halt', 'trading', 'DISARMED: because'],
    ['a drawdown', row('reducing', by, 'MAX_DRAWDOWN'), 'drawdown', 'losses', 'REDUCING: because'],
    ['a loss of the day', row('reducing', by, 'MAX_DAY_LOSS'), 'drawdown', 'losses', 'REDUCING: because'],
    ['rejections', row('reducing', by, 'REJECTION_STREAK'), 'halt', 'trading', 'REDUCING: because'],
    ['F03 an unknown outcome', row('unknown', lost, 'NO_ANSWER'), 'unknown', 'order 9-1', 'outcome of order 9-1 unknown: hold, btcusd'],
    [
      'F68 a strategy that throws now and then',
      row('threw', { error: 'a.ts:3:1: boom', stack: '', inARow: 1 }, 'STRATEGY_THREW'),
      'strategy',
      'strategy hold failed',
      'strategy hold failed: a.ts:3:1: boom',
    ],
    [
      'F68 a strategy disabled',
      row('disabled', by, 'STRATEGY_DISABLED'),
      'strategy',
      'strategy hold',
      'strategy hold is disabled: because',
    ],
    [
      'a missed schedule',
      row('action', { ...action, status: 'skipped', missed: 'alert' }),
      'missed',
      'action weekend then',
      'weekend: bot.flatten skipped',
    ],
    [
      'an action that overlaps',
      row('action', { ...action, status: 'skipped' }),
      'missed',
      'action weekend then',
      'weekend: bot.flatten skipped',
    ],
    ['a failed action', row('action', { ...action, status: 'failed' }), 'missed', 'action weekend then', 'weekend: bot.flatten failed'],
  ] as const)('%s', (_title, decision, event, subject, title) => {
    expect(alertOf(decision)).toMatchObject({ event, subject, title, over: false, at: AT });
  });

  test('each stop by losses or rejections is told by itself: the one before has been ended', () => {
    for (const reason of ['MAX_DRAWDOWN', 'MAX_DAY_LOSS', 'REJECTION_STREAK'] as const) {
      expect(alertOf(row('reducing', by, reason))).toMatchObject({ changed: true });
    }
  });

  test('REDUCING while trading is halted does not say that exits pass', () => {
    const latch = (kind: 'halted' | 'reducing') => ({ kind, strategy: null, since: AT, who: 'kairos', why: 'lost' });
    const text = (...kinds: ('halted' | 'reducing')[]) => alertOf(row('reducing', by, 'MAX_DAY_LOSS'), kinds.map(latch))?.text;
    expect(text('reducing')).toMatch(/^only orders that reduce a position pass;/);
    expect(text('halted', 'reducing')).toMatch(/^no order goes out;/);
  });

  test('a stop that ends by itself says when', () => {
    const standing = withEnds([{ kind: 'reducing', strategy: null, since: AT, who: 'kairos', why: 'lost' }], 60_000);
    expect(alertOf(row('reducing', by, 'MAX_DAY_LOSS'), standing)?.text).toContain(`it ends by itself at ${isoTime(AT + 60_000)}, or`);
  });

  test.each([
    ['resumed', row('resumed', by), undefined],
    ['armed', row('armed', { ...by, configHash: '', config: '', build: '' }), 'trading'],
    ['settled by a person', row('resolved', { ...by, as: 'accepted', fill: null }), 'order 9-1'],
    ['enabled', row('enabled', by), 'strategy hold'],
  ] as const)('%s ends what was told', (_title, decision, subject) => {
    const told = alertOf(decision);
    expect(told?.subject).toBe(subject);
    expect(told?.over ?? true).toBe(true);
  });

  test('arming says what it is', () => {
    expect(alertOf(row('armed', { ...by, configHash: '', config: '', build: '' }))?.title).toBe(`trading is armed by ${by.who}: ${by.why}`);
  });

  test('a line that may be missed is not told of, whatever errors the log has at that moment', () => {
    expect(alertOf(row('action', { ...action, status: 'skipped', missed: 'skip' }))).toBeUndefined();
    expect(alertOf(row('action', { ...action, status: 'skipped', missed: 'alert' }))).not.toHaveProperty('onlyWithError');
  });

  test('an exit of which nothing is certain is told at once, with the position, what it may be, and both commands', () => {
    const unsure = (limit: string | null) => {
      const checks = [{ check: 'POSITION_UNSURE', passed: false, figure: '0.01 is held, from 0 to 0.01 is possible', limit }];
      return alertOf(row('refused', { checks, intent: {} } as unknown as DecisionDetails['refused'], 'POSITION_UNSURE'));
    };
    expect(unsure('9-1')).toMatchObject({
      event: 'unknown',
      urgent: true,
      title: expect.stringContaining('nothing is sent: 0.01 is held, from 0 to 0.01 is possible'),
      text: expect.stringMatching(/`kairos journal resolve 9-1 --as accepted` or `--as rejected`/),
    });
    expect(unsure(null), 'an order that is on its way').toBeUndefined();
    const lost: DecisionDetails['unknown'] = { httpStatus: 500, roundTripMs: 1, body: '', why: 'no', position: '0.01 is held' };
    expect(alertOf(row('unknown', lost, 'HTTP_AMBIGUOUS'))?.text).toMatch(/^no\n0\.01 is held\norder 9-1 .* --as accepted/);
  });

  test('an exit that waits for a person is told once, with the words that let it go', () => {
    const checks = [{ check: 'MAX_EXIT_VALUE', passed: false, figure: '40000', limit: '30000' }];
    const detail = { checks, intent: {} } as unknown as DecisionDetails['refused'];
    expect(alertOf(row('refused', detail, 'MAX_EXIT_VALUE'))).toMatchObject({
      event: 'halt',
      over: false,
      text: expect.stringContaining('--up-to-value 44000'),
    });
    expect(alertOf(row('refused', { ...detail, repeated: 9 }, 'MAX_EXIT_VALUE'))).toBeUndefined();
    const other = {
      checks: [{ check: 'MAX_SPREAD', passed: false, figure: 2, limit: 1 }],
      intent: {},
    } as unknown as DecisionDetails['refused'];
    expect(alertOf(row('refused', other, 'MAX_SPREAD'))).toBeUndefined();
  });

  test('F05 an execution is told of only where its answer came late', () => {
    const fill = { price: '1', size: '1', value: '1', fee: '0', feeCcy: 'usd', side: 'buy', baseCcy: 'btc', quoteCcy: 'usd' };
    const detail = { fill, httpStatus: 200, roundTripMs: 1, body: '' } as unknown as DecisionDetails['accepted'];
    expect(alertOf(row('accepted', detail, 'HTTP_OK'))).toBeUndefined();
    expect(alertOf(row('accepted', detail, 'LATE_ANSWER'))).toMatchObject({ event: 'unknown', subject: 'order 9-1', over: true });
  });
});

describe('conditions', () => {
  test('one that has not lasted is not told; one that has is told once, and its end once', () => {
    const lasting = new LastingConditions();
    const look = (why: string | null, ms: number) =>
      lasting.inspect([{ event: 'clock', subject: 'time', why, over: 'known', afterMs: 5_000 }], ms, AT).map(({ title }) => title);
    expect(look('unsure', 0)).toEqual([]);
    expect(look(null, 1_000)).toEqual([]);
    expect(look('unsure', 2_000)).toEqual([]);
    expect(look('unsure', 6_999)).toEqual([]);
    expect(look('unsure', 7_000)).toEqual(['unsure']);
    expect(look('unsure', 9_000)).toEqual([]);
    expect(look(null, 10_000)).toEqual(['known']);
  });

  test('one that escalates is told again after 1, 5 and 30 min and then each hour, urgently where something is held', () => {
    const lasting = new LastingConditions();
    const told: string[] = [];
    for (let minute = 0; minute <= 150; minute++) {
      const why = minute === 150 ? null : 'no quotes';
      const condition = { event: 'silence', subject: 'feed', why, over: 'quotes', afterMs: 0, escalates: { urgent: true } } as const;
      for (const { title, urgent = false } of lasting.inspect([condition], minute * 60_000, AT)) told.push(`${title}${urgent ? '!' : ''}`);
    }
    expect(told).toEqual([
      'no quotes',
      ...['1 min', '5 min', '30 min', '1 h', '2 h'].map((lasted) => `still after ${lasted}: no quotes!`),
      'quotes',
    ]);
  });

  test('F49 a journal that another program holds is told urgently once that lasts, again where it goes on, and its end once', () => {
    const lasting = new LastingConditions();
    const settings = configOf(strategyYaml(), { set: ['journal.path=j.db'] }).settings;
    const look = (journalBusy: boolean, ms: number) =>
      lasting
        .inspect([journalCondition({ journalBusy }, settings)], ms, AT)
        .map(({ title, urgent = false }) => `${title}${urgent ? '!' : ''}`);
    const held = 'no order goes out: the journal is held by another program';
    expect([0, 4_999, 5_000, 9_000, 65_000].map((ms) => look(true, ms))).toEqual([
      [],
      [],
      [`${held}!`],
      [],
      [`still after 1 min: ${held}!`],
    ]);
    expect([look(false, 70_000), look(false, 71_000)]).toEqual([['the journal is free again, and orders go out'], []]);
  });

  test.each([
    ['0.01', true],
    ['0', false],
  ])('an unknown time is told again urgently where something is held: %s', (position, urgent) => {
    const hold = { id: strategyId('hold'), product: productCode('btcusd'), position, low: position, high: position };
    const seen = { time: { offsetMs: 0, halfWidthMs: 0, reason: 'CLOCK_UNSURE' }, strategies: [], otherBooks: [hold] } as const;
    expect(timeCondition(seen, 5_000)).toMatchObject({ why: expect.stringContaining('no order goes out'), escalates: { urgent } });
  });

  test('an outage says its cause, what is held, what is tried and what to do', () => {
    const lane = { lane: laneIdOf('a'), phase: 'failed', why: 'connect ECONNREFUSED', epoch: 1, untradable: null, quoteAt: null };
    const look = (position: string) => {
      const hold = { id: strategyId('hold'), product: productCode('btcusd'), position, low: position, high: position };
      const strategies = [{ ...hold, paused: false, disabled: false }];
      const seen = { now: AT, lanes: [lane], strategies, otherBooks: [] };
      return silences({ seen, lanes: new Map([[lane.lane, 2_000]]), afterMs: 5_000, isOpening: false }).find(({ why }) => why !== null);
    };
    expect(look('0.01')).toMatchObject({ escalates: { urgent: true } });
    expect(look('0.01')?.text?.split('\n')).toEqual([
      'connect ECONNREFUSED',
      'hold holds 0.01 of btcusd; no exit goes out without a quote.',
      'Each lane is connected again by itself, ever later, up to 30 s apart.',
      'kairos doctor says where the connection ends; what cannot wait, close at the service itself.',
    ]);
    expect(look('0')).toMatchObject({ text: expect.stringContaining('Nothing is held.'), escalates: { urgent: false } });
  });

  test('F21 F36 silence: each lane by itself, all of them as one, lanes that were lent not at all', () => {
    const lanes = ['a', 'b'].map((name) => ({ lane: laneIdOf(name), quoteAt: '' }));
    const seen = (a: number | null, b: number | null) => {
      const quoteAts = [a, b, 0].map((at) => (at === null ? null : new Date(AT - at).toISOString()));
      const all = [...lanes, { lane: laneIdOf('lent') }].map(({ lane }, index) => ({
        lane,
        phase: 'acked',
        why: '',
        epoch: 1,
        untradable: null,
        quoteAt: quoteAts[index] ?? null,
      }));
      const options = {
        seen: { now: AT, lanes: all, strategies: [], otherBooks: [] },
        lanes: new Map(lanes.map(({ lane }) => [lane, lane === 'b' ? 8_000 : 2_000])),
        afterMs: 5_000,
      };
      const why = (isOpening: boolean) => silences({ ...options, isOpening }).flatMap(({ why: text }) => text ?? []);
      return { opening: why(true), later: why(false) };
    };
    expect(seen(4_999, 0).later).toEqual([]);
    expect(seen(5_000, 0).later).toEqual(['no quotes for 5 s on lane a']);
    // A lane whose quotes come less often is silent later.
    expect(seen(0, 7_999).later).toEqual([]);
    expect(seen(0, 8_000).later).toEqual(['no quotes for 8 s on lane b']);
    expect(seen(5_000, 9_000).later).toEqual(['none of 2 lanes has brought a quote for 5 s']);
    expect(seen(null, 0)).toEqual({ opening: [], later: ['no quotes for 5 s on lane a'] });
  });
});

test('a source from outside that is silent for its staleAfter, from the start on where nothing came, and where it ends', () => {
  const last = (at: number) => [{ at, source: signalSource('model'), signal: { id: 'a', madeAt: null, value: {} } }];
  const why = (signals: ReturnType<typeof last>, now: number) =>
    quietSources(
      [
        { name: 'model', staleAfterMs: 5_000 },
        { name: 'chart', staleAfterMs: null },
      ],
      { signals, now },
      AT,
    ).map((one) => one.why);
  expect(why([], AT + 4_999)).toEqual([null, null]);
  expect(why([], AT + 5_000)).toEqual(['no signal of model for 5 s; the last: none', null]);
  expect(why(last(AT - 60_000), AT + 4_999), 'one of an earlier run').toEqual([null, null]);
  expect(why(last(AT + 1_000), AT + 6_000)[0]).toBe(`no signal of model for 5 s; the last: ${new Date(AT + 1_000).toISOString()}`);
  expect(why(last(AT + 6_000), AT + 6_001)).toEqual([null, null]);
});

describe('F75 the watcher', () => {
  const lostSight: Sight = { kind: 'lost', why: 'process 7 is gone' };

  /** What each sight at its time led to: events, and `pause` where the service is asked. */
  function story(looks: readonly (readonly [number, Sight])[], rules = { afterMs: 5_000, pauseAllAfterMs: 8_000 as number | null }) {
    const watch = new DaemonWatch(rules);
    return looks.flatMap(([ms, sight]) => {
      const { alerts, pauseAll } = watch.saw(sight, ms, AT);
      if (pauseAll) watch.paused();
      return [...alerts.map(({ event, over }) => `${ms} ${event}${over ? ' over' : ''}`), ...(pauseAll ? [`${ms} pause`] : [])];
    });
  }

  test('a daemon that was alive is dead after its limit, once, and the service is asked to pause once', () => {
    expect(
      story([
        [0, { kind: 'alive' }],
        [1_000, lostSight],
        [5_999, lostSight],
        [6_000, lostSight],
        [8_999, lostSight],
        [9_000, lostSight],
        [99_000, lostSight],
        [100_000, { kind: 'alive' }],
      ]),
    ).toEqual(['6000 dead', '9000 pause', '100000 dead over']);
  });

  test('a restart within the limit is not told, nor is a stop in good order before a minute', () => {
    expect(
      story([
        [0, { kind: 'alive' }],
        [1_000, lostSight],
        [5_000, { kind: 'between' }],
        [20_000, { kind: 'alive' }],
        [21_000, { kind: 'stopped' }],
        [80_999, { kind: 'stopped' }],
        [81_000, { kind: 'stopped' }],
        [90_000, { kind: 'alive' }],
      ]),
    ).toEqual(['81000 stopped', '90000 stopped over']);
  });

  test('one that has not been seen alive yet, or that starts, has a minute; it is never paused while it starts', () => {
    expect(
      story([
        [0, lostSight],
        [PATIENCE_MS - 1, lostSight],
        [PATIENCE_MS, lostSight],
      ]),
    ).toEqual(['60000 dead', '60000 pause']);
    expect(
      story([
        [0, { kind: 'between' }],
        [PATIENCE_MS, { kind: 'between' }],
      ]),
    ).toEqual(['60000 dead']);
  });

  test('one that is killed again and again while it starts is dead from its last sign of life on, and the service is asked to pause', () => {
    const loop = Array.from({ length: 120 }, (_, second) => {
      const sight: Sight = second % 6 < 2 ? lostSight : { kind: 'between' };
      return [1_000 + second * 1_000, sight] as const;
    });
    expect(story([[0, { kind: 'alive' }], ...loop])).toEqual(['7000 dead', '13000 pause']);
  });

  test('a start after a stop in good order has its minute, however long it was stopped', () => {
    expect(
      story([
        [0, { kind: 'alive' }],
        [1_000, { kind: 'stopped' }],
        [60_000, { kind: 'between' }],
        [119_999, { kind: 'between' }],
        [120_000, { kind: 'alive' }],
      ]),
    ).toEqual([]);
  });

  test('a start that failed is told at once, with each error once, also after a stop or a death that was told', () => {
    const failed = (why: string): Sight => ({ kind: 'failed', why });
    expect(
      story([
        [0, { kind: 'alive' }],
        [1_000, { kind: 'stopped' }],
        [2_000, failed('risk.maxOrderValu')],
        [3_000, failed('risk.maxOrderValu')],
        [4_000, failed('ops.port')],
        [5_000, { kind: 'alive' }],
        [6_000, lostSight],
        [11_000, lostSight],
        [12_000, failed('risk.maxOrderValu')],
      ]),
    ).toEqual(['2000 dead', '4000 dead', '5000 dead over', '11000 dead', '12000 dead']);
    expect(story([[0, failed('ops.port')]]), 'a watcher that starts afterwards').toEqual(['0 dead']);
  });

  test('a request to pause that failed is made again after a minute', () => {
    const watch = new DaemonWatch({ afterMs: 1_000, pauseAllAfterMs: 1_000 });
    watch.saw({ kind: 'alive' }, 0, AT);
    watch.saw(lostSight, 1, AT);
    expect(watch.saw(lostSight, 1_001, AT).pauseAll).toBe(true);
    expect(watch.saw(lostSight, 61_000, AT).pauseAll).toBe(false);
    expect(watch.saw(lostSight, 61_001, AT).pauseAll).toBe(true);
  });
});
