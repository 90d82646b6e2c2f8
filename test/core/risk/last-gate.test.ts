import { expect, test } from 'vitest';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { ServiceInstant } from '#ports/service-clock.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MARGIN_MS = 100;

function gate(service: (timers: VirtualTimers) => ServiceInstant | undefined) {
  const timers = new VirtualTimers();
  const latch = new HaltLatch();
  const made = new RealTimeGate({ timers, serviceClock: { now: () => service(timers) }, latch, marginMs: MARGIN_MS });
  return { timers, latch, made };
}

/** The service's clock against ours, the doubt, what the quote has left there, and whether its order may leave. */
const cases: readonly [string, number, number, number, boolean][] = [
  ['in step', 0, 0, 101, true],
  ['in step, at the margin', 0, 0, 100, false],
  ['in doubt', 0, 60, 161, true],
  ['in doubt, at the margin', 0, 60, 160, false],
  ['ahead', 7000, 60, 161, true],
  ['ahead, at the margin', 7000, 60, 160, false],
  ['B42 56 years ahead', 1_767_225_600_000, 0, 101, true],
];
test.each(cases)("F14 time left is the service's, at its worst: %s", (_, aheadMs, halfWidthMs, leftMs, pass) => {
  const { timers, made } = gate((t) => ({ ms: t.monotonicMs() + aheadMs, halfWidthMs }));
  const validUntil = timers.monotonicMs() + aheadMs + leftMs;
  const verdict = made.check({ validUntil, signedAtMs: timers.monotonicMs() });
  expect(verdict).toMatchObject({ pass, timeLeftMs: leftMs - halfWidthMs, ...(pass ? {} : { reason: 'GATE_TIME_LEFT' }) });
});

test("nothing leaves while the service's time is not known", () => {
  const { timers, made } = gate(() => undefined);
  const verdict = made.check({ validUntil: timers.monotonicMs() + 60_000, signedAtMs: timers.monotonicMs() });
  expect(verdict).toMatchObject({ pass: false, reason: 'GATE_CLOCK' });
});

test('I14 F59 the age of a signature is monotonic: it counts a pause, and no step of the wall clock makes it younger or older', () => {
  const { timers, made } = gate((t) => ({ ms: t.monotonicMs(), halfWidthMs: 0 }));
  const signedAtMs = timers.monotonicMs();
  const check = () => made.check({ validUntil: timers.monotonicMs() + 60_000, signedAtMs });
  timers.jumpWall(3_600_000);
  timers.advance(250);
  expect(check()).toMatchObject({ pass: true, signatureAgeMs: 250 });
  timers.jumpWall(-7_200_000);
  timers.advance(1);
  expect(check()).toMatchObject({ pass: false, reason: 'GATE_SIGNATURE_AGE' });
  timers.advance(7000);
  expect(check()).toMatchObject({ pass: false, reason: 'GATE_SIGNATURE_AGE' });
});

test('a halt that a person has ended lets bytes pass', () => {
  const { timers, latch, made } = gate((t) => ({ ms: t.monotonicMs(), halfWidthMs: 0 }));
  const check = () => made.check({ validUntil: timers.monotonicMs() + 60_000, signedAtMs: timers.monotonicMs() }).pass;
  latch.set();
  const elsewhere = new HaltLatch(latch.shared);
  expect([check(), elsewhere.isSet]).toEqual([false, true]);
  elsewhere.clear();
  expect([check(), latch.isSet]).toEqual([true, false]);
});

test('I07 the halt comes before everything', () => {
  const { timers, latch, made } = gate(() => undefined);
  latch.set();
  expect(made.check({ validUntil: 0, signedAtMs: timers.monotonicMs() })).toMatchObject({ pass: false, reason: 'GATE_HALTED' });
});
