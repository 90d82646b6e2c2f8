import type { ExecutionReport } from '#domain/execution-report.ts';
import type { OrderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';

/** Receives a broker's reports on an order: one of the last gate, then one answer, and a second if it comes late. */
export type ReportSink = (orderId: OrderId, report: ExecutionReport) => void;

/**
 * Sends committed orders, each exactly once. `submit` returns at once and does not throw for network faults: the report
 * has them. Where a connection is open, no promise is awaited between `submit` and the socket.
 */
export interface Broker {
  connect(sink: ReportSink): void;
  submit(order: OrderCore, isStopped?: IsStopped): void;
  /** Stops accepting orders, waits for open answers up to `drainMs`, then cuts. Idempotent. */
  close(drainMs: number): Promise<void>;
}

/** Asked of an order at the last gate: true once something that was latched after its commit refuses it, as REDUCING refuses an opening. */
export type IsStopped = () => boolean;

/** The last check before bytes leave: latches, time left and age of the signature, on the real clock. `signedAtMs` is monotonic. */
export interface LastGate {
  check(order: { readonly validUntil: number; readonly signedAtMs: number; readonly isStopped?: IsStopped | undefined }): GateVerdict;
}

/** The last gate's verdict on an order: times in milliseconds, `at` in Unix milliseconds. */
export type GateVerdict =
  | { readonly pass: true; readonly timeLeftMs: number; readonly signatureAgeMs: number; readonly at: number }
  | {
      readonly pass: false;
      readonly reason: 'GATE_TIME_LEFT' | 'GATE_SIGNATURE_AGE' | 'GATE_HALTED' | 'GATE_CLOCK';
      readonly timeLeftMs: number;
    };
