import { describe, expect, test } from 'vitest';
import { usd } from '../support/limits.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { threshold } from '../support/strategies.ts';

const MANUAL = { arm: 'manual', crashHalt: { count: 3, windowMs: 600_000 } } as const;
const BY = { who: 'ann', why: 'checked' };

const rig = rigsOfTests({ strategies: { t: threshold }, arming: MANUAL });

function tick(r: Rig, price: number): string {
  const isSent = r.price(price);
  const story = r.story().at(-1) ?? '';
  if (isSent) r.answer(r.last);
  return story;
}

const arm = (r: Rig, configHash = 'hash', build = 'build'): void =>
  r.give({ kind: 'command', command: { act: 'arm', ...BY, configHash, config: '{}', build } });

/** Starts again on the same journal a second later: after a crash, or a stop in good order. */
function again(r: Rig, how: 'crash' | 'stop', options: Omit<RigOptions, 'strategies'> = {}): Rig {
  if (how === 'stop') {
    r.give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'asked' } });
    r.end();
  }
  r.crash();
  return rig({ folder: r.folder, startAt: r.clock.now() + 1000, ...options });
}

const rowsOf = (r: Rig, kind: string) => r.rows().filter((row) => row.kind === kind);

describe('a live start', () => {
  test('the first is DISARMED: nothing opens until a person arms it', () => {
    const r = rig();
    expect(r.notices).toEqual([expect.stringMatching(/^error: DISARMED/)]);
    expect(rowsOf(r, 'disarmed')).toMatchObject([{ reason: 'DISARMED', detail: { who: 'kairos' } }]);
    expect(tick(r, 60_000)).toBe('refused DISARMED');
    arm(r);
    expect(rowsOf(r, 'armed')).toMatchObject([{ reason: 'BY_PERSON', detail: { ...BY, configHash: 'hash' } }]);
    expect(tick(r, 60_000)).toBe('approved');
  });

  test('after a clean stop with the armed configuration it is ACTIVE', () => {
    const first = rig();
    arm(first);
    const second = again(first, 'stop');
    expect(tick(second, 60_000)).toBe('approved');
  });

  test('F66 F67 I09 with another configuration it is DISARMED again, also for exits; the old one stays armed', () => {
    const first = rig();
    arm(first);
    tick(first, 60_000);
    const second = again(first, 'stop', { configHash: 'loosened' });
    expect(tick(second, 59_000)).toBe('refused DISARMED');
    const third = again(second, 'stop');
    expect(rowsOf(third, 'armed').at(-1)).toMatchObject({ reason: 'BY_RULE' });
    expect(tick(third, 59_000)).toBe('approved');
  });

  test('F67 with other code it is DISARMED until a person arms that', () => {
    const first = rig();
    arm(first);
    tick(first, 60_000);
    const second = again(first, 'stop', { build: 'changed' });
    expect(second.notices).toEqual([
      'error: DISARMED, no order goes out until `kairos arm`: Kairos or the source of a strategy is not what was armed',
    ]);
    expect(tick(second, 59_000)).toBe('refused DISARMED');
    arm(second, 'hash', 'changed');
    expect(tick(second, 59_000)).toBe('approved');
    const third = again(second, 'stop', { build: 'changed' });
    expect(tick(third, 60_000)).toBe('approved');
  });

  test('F65 after a crash exits work and nothing opens until a person arms; the third in ten minutes halts', () => {
    let r = rig();
    arm(r);
    tick(r, 60_000);
    r = again(r, 'crash');
    expect(rowsOf(r, 'reducing')).toMatchObject([{ reason: 'START_UNSURE' }]);
    expect(tick(r, 59_000)).toBe('approved');
    expect(tick(r, 60_000)).toBe('refused REDUCING');
    r = again(r, 'crash');
    expect(r.latch.isSet).toBe(false);
    r = again(r, 'crash');
    expect(rowsOf(r, 'halted')).toMatchObject([{ reason: 'CRASH_LOOP' }]);
    expect(tick(r, 60_000)).toBe('refused HALTED');
    r = again(r, 'stop');
    expect(r.latch.isSet).toBe(true);
    r.give({ kind: 'command', command: { act: 'resume', strategy: null, ...BY } });
    r = again(r, 'stop');
    expect(r.latch.isSet).toBe(false);
    expect(tick(r, 60_000)).toBe('approved');
  });

  test('F65 fifty crashes in a row: no opening order, one halt', () => {
    let r = rig();
    arm(r);
    for (let n = 0; n < 50; n++) {
      r = again(r, 'crash');
      tick(r, 60_000);
    }
    expect(r.query('SELECT count(*) AS n FROM orders')).toEqual([{ n: 0 }]);
    expect(rowsOf(r, 'halted')).toHaveLength(1);
  });

  test('two crashes and a third after the window halt nothing', () => {
    let r = rig();
    arm(r);
    r = again(again(r, 'crash'), 'crash');
    r.moveBy(600_000);
    tick(r, 59_000);
    r = again(r, 'crash');
    expect(r.latch.isSet).toBe(false);
  });

  test('an order of unknown outcome that was left makes it REDUCING', () => {
    const first = rig();
    arm(first);
    first.price();
    first.answer(first.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    const second = again(first, 'stop');
    expect(rowsOf(second, 'reducing')).toMatchObject([{ reason: 'START_UNSURE' }]);
  });
});

describe('REDUCING', () => {
  const limits = { maxDayLoss: usd(50) };

  function lost(options: Omit<RigOptions, 'strategies'> = {}): Rig {
    const r = rig({ limits, ...options });
    if (r.story().some((story) => story.startsWith('disarmed'))) arm(r);
    tick(r, 60_000);
    tick(r, 54_000);
    expect(rowsOf(r, 'reducing')).toMatchObject([{ reason: 'MAX_DAY_LOSS' }]);
    return r;
  }

  test('survives a stop in good order, until a person arms', () => {
    const second = again(lost(), 'stop', { limits });
    expect(rowsOf(second, 'reducing')).toHaveLength(1);
    expect(tick(second, 60_000)).toBe('refused REDUCING');
    arm(second);
    expect(tick(second, 60_000)).toBe('approved');
  });

  test('on paper a start is active, and what was lost still counts', () => {
    const arming = { arm: 'auto', crashHalt: null } as const;
    const second = again(lost({ arming }), 'stop', { arming, limits });
    expect(rowsOf(second, 'armed')).toMatchObject([{ reason: 'BY_RULE' }]);
    expect(tick(second, 60_000)).toBe('refused REDUCING');
    expect(rowsOf(second, 'reducing')).toHaveLength(2);
  });

  test('ends by itself where trading.rearmAfter says so, and only then', () => {
    const r = lost({ arming: { ...MANUAL, rearmAfterMs: 5_000 } });
    for (let n = 0; n < 9; n++) expect(tick(r, 60_000)).toBe('refused REDUCING');
    expect(tick(r, 60_000)).toBe('approved');
    expect(rowsOf(r, 'armed').at(-1)).toMatchObject({ reason: 'BY_RULE', detail: { who: 'kairos' } });
  });
});
