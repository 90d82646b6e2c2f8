import { expect, test } from 'vitest';
import type { IntentDetail } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime, laneIdOf, productCode, runId, strategyId } from '#domain/names.ts';
import { stateLine, stateWords } from '#domain/no-order-words.ts';
import type { StrategyState } from '#domain/strategy-state.ts';
import type { Silence } from '#report/silence.ts';
import type { LaneSnapshot, StrategySnapshot } from '#report/strategy-snapshot.ts';
import { whyNotAnswer } from '#report/why-not.ts';

const AT = Date.UTC(2026, 0, 1);
const product = productCode('btcusd');
const lane: LaneSnapshot = {
  ...{ lane: laneIdOf('btcusd@base:100'), phase: 'new', since: undefined, why: '' },
  ...{ quote: undefined, quoteAt: undefined, staleMs: 2000, quotes: 0, lastMinute: 0 },
};
const silence: Silence = { at: AT, strategy: 'one', run: 'run-1', latches: [], open: [], last: undefined, seen: 'there is no recording' };
const row = { inboxSeq: 1, run: runId('run-1'), at: AT, strategy: strategyId('one'), product: null, quoteId: null, orderId: null };
const down = { state: 'NO_QUOTES', figures: { product, lane: lane.lane, phase: 'lost', why: 'gone' } } as const;
const lost: StrategyState = { ...down, reason: 'LANE_DOWN', since: AT, until: null };
const checks = [{ check: 'MAX_SPREAD', passed: false, figure: 0.4, limit: 0.2 }] as const;
const refused: StrategyState = { state: 'REFUSED', figures: { checks }, reason: 'MAX_SPREAD', since: AT, until: null };

const seenOf = (state: StrategyState, more: Partial<StrategySnapshot> = {}): StrategySnapshot => ({
  ...{ lane, state, observed: {}, asked: undefined, times: 0, closings: [], wanted: [], nextTimer: undefined, sameSource: true },
  ...more,
});
/** The answer of a state, as the renderer words it. */
const told = (state: StrategyState, isPlayed = false) => ({
  answer: `it was ${stateLine(state, AT)}`,
  advice: stateWords(state, isPlayed).mend,
});

test('a latch is the answer, whatever else is known', () => {
  const latch: Latch = { kind: 'halted', strategy: null, since: AT, who: 'ann', why: 'news' };
  const halted: StrategyState = { state: 'HALTED', figures: { standing: [latch] }, reason: 'HALTED', since: AT, until: null };
  expect(whyNotAnswer({ ...silence, latches: [latch], seen: seenOf(lost) })).toMatchObject(told(halted));
  const played = { from: isoTime(AT), isEnd: false, came: undefined, ordered: undefined };
  expect(whyNotAnswer({ ...silence, latches: [latch], played })).toMatchObject(told(halted, true));
});

test('a lane that went down since the strategy held is the answer, and not why it held', () => {
  const last = { ...row, kind: 'hold', reason: 'HOLD', detail: { why: 'still long', signals: {} } } as const;
  expect(whyNotAnswer({ ...silence, last, seen: seenOf(lost) })).toMatchObject(told(lost));
  const running = seenOf({ state: 'RUNNING', figures: {}, reason: null, since: null, until: null });
  expect(whyNotAnswer({ ...silence, last, seen: running }).answer).toContain('still long');
});

test('refusals that go on are answered by the last of them, and by their state once the strategy wants nothing', () => {
  const prices = { lane: lane.lane, buy: 2, sell: 1, size: 100, spreadPercentage: 0.4, validUntil: isoTime(AT), timeLeftMs: 100 };
  const intent: IntentDetail = { side: 'buy', wants: '100', why: 'up', tag: null, signals: {}, quote: prices };
  const last = { ...row, kind: 'refused', reason: 'MAX_SPREAD', detail: { intent, checks } } as const;
  const { advice } = told(refused);
  expect(whyNotAnswer({ ...silence, last, seen: seenOf(refused) })).toMatchObject({
    answer: `it wanted to buy 100 (up) and was refused since ${isoTime(AT)}: spread 0.4 % over 0.2 %`,
    advice,
    state: 'REFUSED',
  });
  const older = { ...last, detail: { intent, checks: [{ ...checks[0], figure: 0.3 }] } } as const;
  expect(whyNotAnswer({ ...silence, last: older, seen: seenOf(refused) }).answer, 'its row is older than its state').toContain(
    'spread 0.4 %',
  );
  expect(whyNotAnswer({ ...silence, last: older })).toMatchObject({ answer: expect.stringContaining('spread 0.3 %'), state: null });
  const asked = { said: 'nothing', at: AT + 1, signal: {}, position: 0, observed: {} } as const;
  expect(whyNotAnswer({ ...silence, last, seen: seenOf(refused, { asked }) })).toMatchObject(told(refused));
});

test('without a recording the rows alone answer: what kept it from trading, an order of unknown outcome, or that there is no more', () => {
  const detail = { ...down, on: true, since: isoTime(AT), until: null, lastedMs: 30_000 };
  const blocked = { ...row, kind: 'blocked', reason: 'LANE_DOWN', detail } as const;
  expect(whyNotAnswer({ ...silence, blocked })).toMatchObject(told(lost));
  expect(whyNotAnswer({ ...silence, blocked: { ...blocked, detail: { ...detail, on: false } } }).answer).toContain('no refusal');
  const open = [{ order_id: '12-1', product: 'btcusd', strategy: 'other', state: 'unknown', intent_at: isoTime(AT) }];
  const figures = { order: '12-1', product: 'btcusd' };
  expect(whyNotAnswer({ ...silence, open })).toMatchObject(
    told({ state: 'FROZEN', figures, reason: 'PRODUCT_FROZEN', since: AT, until: null }),
  );
  expect(whyNotAnswer(silence)).toMatchObject({
    answer: expect.stringContaining('no refusal'),
    advice: expect.stringContaining('there is no recording'),
  });
});

test('what it threw now and then is told before anything else, whatever came in between', () => {
  const thrown = { times: 20, at: '2026-01-01T00:00:00.000Z', error: 'strategies/a.ts:3:4: boom' };
  expect(whyNotAnswer({ ...silence, thrown }).answer).toMatch(
    /^it failed 20 times in this run, last at 2026-01-01T00:00:00\.000Z: strategies\/a\.ts:3:4: boom; .*asked for no order$/,
  );
});

test('what it wants and has not got yet is the answer, with its price, its end and what ends it', () => {
  const running: StrategyState = { state: 'RUNNING', figures: {}, reason: null, since: null, until: null };
  const asked = { at: AT, signal: 'above', position: 0, observed: {}, said: 'nothing' } as const;
  const leg = { strategy: 'one', product, wants: 'buy 0.01 base', limit: 59_500, until: AT + 60_000 };
  const answered = (wanted: StrategySnapshot['wanted']) => whyNotAnswer({ ...silence, seen: seenOf(running, { asked, wanted }) }).answer;
  expect(answered([leg])).toBe(
    `it waits to buy 0.01 base of btcusd at 59500 or better, until ${isoTime(AT + 60_000)}; \`kairos close one\` ends it`,
  );
  expect(answered([{ ...leg, limit: null, until: null }])).toBe('it waits to buy 0.01 base of btcusd; `kairos close one` ends it');
  expect(answered([])).toContain('asked for no order');
});
