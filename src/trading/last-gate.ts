import type { GateVerdict, LastGate } from '../ports/broker.ts';
import type { Timers } from '../ports/timers.ts';
import type { HaltLatch } from './latch.ts';

/** Oldest signature that may still be written (I14). */
const MAX_SIGNATURE_AGE_MS = 250;

/**
 * The last word before bytes leave, on the real clock: halt latch, age of the signature, time left. An order that
 * would arrive after its quote's death is never written.
 */
export class RealTimeGate implements LastGate {
  private readonly timers: Timers;
  private readonly latch: HaltLatch;
  private readonly marginMs: number;

  constructor(options: { timers: Timers; latch: HaltLatch; marginMs: number }) {
    this.timers = options.timers;
    this.latch = options.latch;
    this.marginMs = options.marginMs;
  }

  check(order: { readonly validUntil: number; readonly signedAtMs: number }): GateVerdict {
    const at = this.timers.wallMs();
    const timeLeftMs = order.validUntil - at;
    const signatureAgeMs = at - order.signedAtMs;
    if (this.latch.isSet) return { pass: false, reason: 'GATE_HALTED', timeLeftMs };
    if (timeLeftMs <= this.marginMs) return { pass: false, reason: 'GATE_TIME_LEFT', timeLeftMs };
    if (signatureAgeMs > MAX_SIGNATURE_AGE_MS || signatureAgeMs < 0) return { pass: false, reason: 'GATE_SIGNATURE_AGE', timeLeftMs };
    return { pass: true, timeLeftMs, signatureAgeMs, at };
  }
}
