import { describe, expect, test } from 'vitest';
import { Book } from '#core/portfolio/books.ts';
import { LossStreaks } from '#core/risk/loss-limits.ts';
import { RateLimitBackoff } from '#core/risk/service-state.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { orderId, strategyId } from '#domain/names.ts';
import { fillAsQuoted } from '#domain/order.ts';
import { OWNER, orderOf } from '../../support/orders.ts';

const answer = (retryAfterMs?: number): AnswerReport => ({
  ...{ type: 'answered', outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 429, body: '', roundTripMs: 1, figures: {} },
  ...{ late: false, why: '' },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

const exit = (intentAt: number, id = 'x') => ({ id: orderId(id), intentAt });

describe('F09 the time for which the service asked to be left alone', () => {
  test('holds openings to its end, and lets one exit be tried', () => {
    const wait = new RateLimitBackoff();
    expect([wait.openingLeftMs(0), wait.exitLeftMs(0), wait.endsAt(0)]).toEqual([0, 0, null]);
    wait.answered(answer(500), 100);
    expect([wait.openingLeftMs(100), wait.openingLeftMs(599), wait.openingLeftMs(600)]).toEqual([500, 1, 0]);
    expect([wait.endsAt(599), wait.endsAt(600)]).toEqual([600, null]);
    expect(wait.exitLeftMs(200)).toBe(0);
    wait.exitCommitted(exit(200));
    expect(wait.exitLeftMs(200)).toBe(400);
  });

  test('an answer that asks for nothing, or for less, does not end it; a longer one makes it longer', () => {
    const wait = new RateLimitBackoff();
    wait.answered(answer(500), 100);
    wait.answered(answer(), 110);
    wait.answered(answer(10), 110);
    expect(wait.endsAt(110)).toBe(600);
    wait.answered(answer(600), 110);
    expect(wait.endsAt(110)).toBe(710);
  });

  test('an exit that was tried does not try again when the service asks for more; after the end it may', () => {
    const wait = new RateLimitBackoff();
    wait.answered(answer(500), 100);
    wait.exitCommitted(exit(200));
    wait.answered(answer(500), 599);
    expect(wait.exitLeftMs(599)).toBe(500);
    wait.answered(answer(500), 1099);
    expect(wait.exitLeftMs(1099)).toBe(0);
    wait.exitCommitted(exit(1599));
    wait.answered(answer(500), 1600);
    expect(wait.exitLeftMs(1600)).toBe(0);
  });

  test('an exit that never left was no try; another order changes nothing', () => {
    const wait = new RateLimitBackoff();
    wait.answered(answer(500), 100);
    wait.exitCommitted(exit(200));
    wait.neverLeft(orderId('y'));
    expect(wait.exitLeftMs(200)).toBe(400);
    wait.neverLeft(orderId('x'));
    expect(wait.exitLeftMs(200)).toBe(0);
  });

  test('I32 goes on over a restart', () => {
    const wait = new RateLimitBackoff();
    wait.restore(null);
    expect(wait.endsAt(0)).toBeNull();
    wait.restore(700);
    expect(wait.endsAt(0)).toBe(700);
  });
});

/** Closes of positions that were opened at 60,000, at the prices that follow. */
function closes(streaks: LossStreaks, prices: readonly (readonly [price: string, at: number, strategy?: string])[]): void {
  for (const [price, at, name = 's'] of prices) {
    const strategy = strategyId(name);
    const book = new Book();
    book.apply(fillAsQuoted(orderOf({ size: '1' })), 0);
    streaks.filling(strategy, book, { fill: fillAsQuoted(orderOf({ side: 'sell', size: '1', price })), at });
  }
}
const [LOSS, EVEN, GAIN] = ['59999', '60000', '60001'];

describe('closes in a row that lost', () => {
  test('are those that fees made lose as well, of entry and exit', () => {
    const streaks = new LossStreaks({ max: 1, maxOfAll: null, cooldownMs: 1000 });
    const book = new Book();
    const at = (side: 'buy' | 'sell', price: string) => ({ ...fillAsQuoted(orderOf({ side, size: '1', price })), fee: decimalOf('60') });
    book.apply(at('buy', '60000'), 0);
    streaks.filling(OWNER, book, { fill: at('sell', '60120'), at: 10 });
    expect(streaks.leftMs(OWNER, 10)).toBe(0);
    streaks.filling(OWNER, book, { fill: at('sell', '60119'), at: 20 });
    expect(streaks.leftMs(OWNER, 20)).toBe(1000);
  });

  test('make a strategy wait when they reach their limit, for the cool-down, and others not', () => {
    const streaks = new LossStreaks({ max: 2, maxOfAll: null, cooldownMs: 1000 });
    closes(streaks, [[LOSS, 10]]);
    expect(streaks.leftMs(OWNER, 10)).toBe(0);
    closes(streaks, [[LOSS, 20]]);
    expect([streaks.leftMs(OWNER, 20), streaks.leftMs(OWNER, 1019), streaks.leftMs(OWNER, 1020), streaks.leftMs(OWNER, 5000)]).toEqual([
      1000, 1, 0, 0,
    ]);
    expect([streaks.leftMs(strategyId('other'), 20), streaks.takeReached()]).toEqual([0, null]);
    // The count begins anew, and the wait stays as it is.
    closes(streaks, [[LOSS, 30]]);
    expect(streaks.leftMs(OWNER, 30)).toBe(990);
    closes(streaks, [[LOSS, 40]]);
    expect(streaks.leftMs(OWNER, 40)).toBe(1000);
  });

  test.each([EVEN, GAIN])('one at %s of 60000 ends the row', (price) => {
    const streaks = new LossStreaks({ max: 2, maxOfAll: 2, cooldownMs: 1000 });
    closes(streaks, [
      [LOSS, 1],
      [price, 2],
      [LOSS, 3],
    ]);
    expect([streaks.leftMs(OWNER, 3), streaks.takeReached()]).toEqual([0, null]);
  });

  test('an opening neither wins nor loses', () => {
    const streaks = new LossStreaks({ max: 1, maxOfAll: 1, cooldownMs: 1000 });
    streaks.filling(OWNER, new Book(), { fill: fillAsQuoted(orderOf()), at: 1 });
    expect([streaks.leftMs(OWNER, 1), streaks.takeReached()]).toEqual([0, null]);
  });

  test('of all strategies together are told once, and counted anew', () => {
    const streaks = new LossStreaks({ max: null, maxOfAll: 2, cooldownMs: 1000 });
    closes(streaks, [
      [LOSS, 1, 'a'],
      [LOSS, 2, 'b'],
    ]);
    expect([streaks.takeReached(), streaks.takeReached(), streaks.leftMs(strategyId('b'), 2)]).toEqual([2, null, 0]);
    closes(streaks, [[LOSS, 3]]);
    expect(streaks.takeReached()).toBeNull();
  });

  test('count nothing where both limits are off', () => {
    const streaks = new LossStreaks({ max: null, maxOfAll: null, cooldownMs: 1000 });
    streaks.restore({ losses: { s: { losses: 5, reachedAt: [1, 2, 3, 4, 5] } }, lossesOfAll: 5 });
    closes(streaks, [[LOSS, 1]]);
    expect([streaks.takeReached(), streaks.leftMs(OWNER, 1)]).toEqual([null, 0]);
  });

  test('I32 go on over a restart: the row, the wait, and that of all together', () => {
    const streaks = new LossStreaks({ max: 2, maxOfAll: 3, cooldownMs: 1000 });
    streaks.restore({ losses: { s: { losses: 3, reachedAt: [100, 300] }, new: { losses: 1, reachedAt: [] } }, lossesOfAll: 5 });
    expect([streaks.leftMs(OWNER, 400), streaks.leftMs(strategyId('new'), 400)]).toEqual([900, 0]);
    closes(streaks, [[LOSS, 500]]);
    expect([streaks.leftMs(OWNER, 500), streaks.takeReached()]).toEqual([1000, 3]);
    closes(streaks, [[LOSS, 600, 'new']]);
    expect(streaks.leftMs(strategyId('new'), 600)).toBe(1000);
  });

  test('I32 a row that reached its limit before a restart is counted anew', () => {
    const streaks = new LossStreaks({ max: 2, maxOfAll: null, cooldownMs: 1000 });
    streaks.restore({ losses: { s: { losses: 2, reachedAt: [1, 2] } }, lossesOfAll: 2 });
    closes(streaks, [[LOSS, 5000]]);
    expect(streaks.leftMs(OWNER, 5000)).toBe(0);
  });

  test('are forgotten when a person has taken note of them', () => {
    const streaks = new LossStreaks({ max: 2, maxOfAll: 2, cooldownMs: 1000 });
    closes(streaks, [
      [LOSS, 1],
      [LOSS, 2],
    ]);
    streaks.resetBaselines();
    expect([streaks.leftMs(OWNER, 2), streaks.takeReached()]).toEqual([0, null]);
    closes(streaks, [[LOSS, 3]]);
    streaks.resetBaselines();
    closes(streaks, [[LOSS, 4]]);
    expect([streaks.leftMs(OWNER, 4), streaks.takeReached()]).toEqual([0, null]);
  });
});
