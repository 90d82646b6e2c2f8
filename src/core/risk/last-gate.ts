import type { GateVerdict, IsStopped, LastGate } from '#ports/broker.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import type { HaltLatch } from './latch.ts';

/** Oldest signature that may still be written (I14). */
const MAX_SIGNATURE_AGE_MS = 250;

/**
 * The last check before bytes leave, on the real clock: latches, age of the signature, time left on the service's clock
 * at its worst. An order that would arrive after its quote has expired is never written.
 */
export class RealTimeGate implements LastGate {
  private readonly timers: Pick<Timers, 'wallMs' | 'monotonicMs'>;
  private readonly serviceClock: ServiceClock;
  private readonly latch: HaltLatch;
  private readonly marginMs: number;

  constructor(options: {
    timers: Pick<Timers, 'wallMs' | 'monotonicMs'>;
    serviceClock: ServiceClock;
    latch: HaltLatch;
    marginMs: number;
  }) {
    this.timers = options.timers;
    this.serviceClock = options.serviceClock;
    this.latch = options.latch;
    this.marginMs = options.marginMs;
  }

  check(order: { readonly validUntil: number; readonly signedAtMs: number; readonly isStopped?: IsStopped | undefined }): GateVerdict {
    const at = this.timers.wallMs();
    const service = this.serviceClock.now();
    const timeLeftMs = service === undefined ? 0 : Math.floor(order.validUntil - service.ms - service.halfWidthMs);
    const signatureAgeMs = Math.round(this.timers.monotonicMs() - order.signedAtMs);
    if (this.latch.isSet || order.isStopped?.() === true) return { pass: false, reason: 'GATE_HALTED', timeLeftMs };
    if (service === undefined) return { pass: false, reason: 'GATE_CLOCK', timeLeftMs };
    if (timeLeftMs <= this.marginMs) return { pass: false, reason: 'GATE_TIME_LEFT', timeLeftMs };
    if (signatureAgeMs > MAX_SIGNATURE_AGE_MS) return { pass: false, reason: 'GATE_SIGNATURE_AGE', timeLeftMs };
    return { pass: true, timeLeftMs, signatureAgeMs, at };
  }
}
