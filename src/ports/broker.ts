import type { ExecutionReport } from '#domain/execution-report.ts';
import type { OrderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';

/** Where a broker reports what became of an order: once for the last gate, and once or (late) twice for the answer. */
export type ReportSink = (orderId: OrderId, report: ExecutionReport) => void;

/**
 * Sends committed orders, each exactly once. `submit` returns at once and never throws for what the world does: the
 * report says it. There is no promise between a quote and the socket.
 */
export interface Broker {
  connect(sink: ReportSink): void;
  submit(order: OrderCore): void;
  /** Stops accepting orders, waits for open answers up to `drainMs`, then cuts. Idempotent. */
  close(drainMs: number): Promise<void>;
}

/**
 * The last word before bytes leave: halt latch, time left, age of the signature, on the real clock. `signedAtMs` is
 * monotonic.
 */
export interface LastGate {
  check(order: { readonly validUntil: number; readonly signedAtMs: number }): GateVerdict;
}

/** What the last gate said before the bytes of an order: times in milliseconds, `at` in Unix milliseconds. */
export type GateVerdict =
  | { readonly pass: true; readonly timeLeftMs: number; readonly signatureAgeMs: number; readonly at: number }
  | {
      readonly pass: false;
      readonly reason: 'GATE_TIME_LEFT' | 'GATE_SIGNATURE_AGE' | 'GATE_HALTED' | 'GATE_CLOCK';
      readonly timeLeftMs: number;
    };
