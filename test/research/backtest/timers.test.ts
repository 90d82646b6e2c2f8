import { merge, take } from 'rxjs';
import { describe, expect } from 'vitest';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { buy, sell, strategy } from '#core/strategy/index.ts';
import type { BacktestRun } from '#research/backtest/backtest.ts';
import { fc, test } from '../../support/property.ts';
import { FROM, played } from './in-memory.ts';
import { ofKind } from './session-bench.ts';

/** Trades at each of its timers, at each quote as well where it is told to. */
const ticking = (periods: readonly number[], more: { readonly onQuotes: boolean; readonly concurrent: boolean }): MarkedStrategy =>
  strategy({
    name: 'ticking',
    concurrent: more.concurrent,
    signals: ({ quotes$, every }) => merge(...periods.map((period) => every(period)), ...(more.onQuotes ? [quotes$] : [])),
    decide: (_signal, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
  });

/** Every order with when it was decided, and every later word on it. */
function ordersOf({ decisions }: BacktestRun) {
  const words = Map.groupBy(decisions, ({ orderId }) => orderId);
  return ofKind({ decisions }, 'approved').map(({ at, orderId, detail }) => ({
    decidedAt: at,
    validUntil: detail.order.validUntil,
    words: (words.get(orderId) ?? [])
      .filter(({ kind }) => !['intent', 'approved', 'sent'].includes(kind))
      .map(({ kind, at: heardAt }) => `${kind} +${heardAt - at}`),
  }));
}

const lives = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 300, max: 3000 }));
const steps = fc.array(fc.record({ afterMs: fc.nat(1500), livesMs: lives }), { minLength: 5, maxLength: 40 });
const periods = fc.array(fc.integer({ min: 3, max: 2000 }), { minLength: 0, maxLength: 3 });
const latency = fc.oneof(fc.constant(0), fc.nat(900));
const MARGIN_MS = 100;
const ANSWER_MS = 1000;

describe('what happens between two quotes', () => {
  test.prop({ quotes: steps, periods, onQuotes: fc.boolean(), concurrent: fc.boolean(), latencyMs: latency }, { numRuns: 100 })(
    'an order arrives its latency after the decision, and is answered as late again or unknown at its time',
    ({ quotes, periods, onQuotes, concurrent, latencyMs }) => {
      const definition = ticking(periods, { onQuotes: onQuotes || periods.length === 0, concurrent });
      const run = played({ quotes, definition, latencyMs, settings: `service: { answerMs: ${ANSWER_MS} }\n` });
      for (const { decidedAt, validUntil, words } of ordersOf(run)) {
        const answer = `${decidedAt + latencyMs > validUntil ? 'rejected' : 'accepted'} +${2 * latencyMs}`;
        if (validUntil - decidedAt <= MARGIN_MS) expect(words).toEqual(['expired +0']);
        else expect(words).toEqual(2 * latencyMs > ANSWER_MS ? [`unknown +${ANSWER_MS}`, answer] : [answer]);
      }
      // The row that ends a streak of refusals has the time of the last of them.
      const times = run.decisions.filter(({ kind }) => kind !== 'refused').map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    },
  );

  test.prop({ quotes: steps, at: fc.integer({ min: 1, max: 4000 }), withinMs: fc.integer({ min: 1, max: 4000 }), latencyMs: latency })(
    'an intent at work lapses at its own time, or when the answer comes that it waits for then',
    ({ quotes, at, withinMs, latencyMs }) => {
      const definition = strategy({
        name: 'patient',
        signals: ({ every }) => every(at).pipe(take(1)),
        // At most one quote of seven is as cheap.
        decide: (_signal, { amount }) => buy(amount, 'cheap', { limit: 60_000, within: withinMs }),
      });
      const run = played({ quotes, definition, latencyMs });
      const [lapsed] = ofKind(run, 'lapsed');
      const waitedFor = ordersOf(run).at(-1);
      const end = FROM + at + withinMs;
      if (lapsed) expect([end, (waitedFor?.decidedAt ?? 0) + 2 * latencyMs]).toContain(lapsed.at);
      for (const { decidedAt } of ordersOf(run)) expect(decidedAt).toBeLessThan(end);
      if (run.endedAt > end + 2 * latencyMs) expect(lapsed !== undefined).toBe(ofKind(run, 'accepted').length === 0);
    },
  );

  test('the quote of a timer between two quotes is the newest that its lane has accepted', () => {
    const run = played({
      quotes: [
        { afterMs: 0, livesMs: 3000 },
        { afterMs: 300, livesMs: 3000, size: 0.02 },
        { afterMs: 1000, livesMs: 3000 },
      ],
      definition: ticking([500], { onQuotes: false, concurrent: false }),
      latencyMs: 50,
    });
    expect(ordersOf(run)[0]).toMatchObject({ decidedAt: FROM + 500, validUntil: FROM + 3000, words: ['accepted +100'] });
  });

  test('what an opening must have left is what orders really took', () => {
    const quotes = Array.from({ length: 60 }, () => ({ afterMs: 900, livesMs: 3000 }));
    const definition = ticking([1000], { onQuotes: false, concurrent: false });
    const run = played({ quotes, definition, latencyMs: 50, settings: '', risk: 'minTimeLeftMs: 300' });
    const limits = ofKind(run, 'approved').map(({ detail }) => detail.checks.find(({ check }) => check === 'TIME_LEFT')?.limit);
    expect(limits.length).toBeGreaterThan(20);
    // Openings wait for the round trip on top, closings do not.
    expect([...new Set(limits.slice(2))]).toEqual([400, 300]);
    expect(ofKind(run, 'refused')).toEqual([]);
  });

  test.each([
    ['is tried on the next quote', 1999, ['accepted +100'], 0],
    ['lapses where none comes within 2 s', 2800, [], 1],
  ])('what a timer decides on a quote without time left %s', (_, afterMs, words, lapses) => {
    const run = played({
      quotes: [
        { afterMs: 0, livesMs: 400 },
        { afterMs, livesMs: 3000 },
      ],
      definition: strategy({
        name: 'once',
        signals: ({ every }) => every(700).pipe(take(1)),
        decide: (_signal, { amount }) => buy(amount, 'in'),
      }),
      latencyMs: 50,
      risk: 'minTimeLeftMs: 300',
    });
    expect(ordersOf(run).map(({ decidedAt, words: said }) => [decidedAt - FROM, said])).toEqual(lapses ? [] : [[1999, words]]);
    expect(ofKind(run, 'lapsed').length).toBe(lapses);
    expect(ofKind(run, 'refused')).toEqual([]);
  });
});
