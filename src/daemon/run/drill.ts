import { type ControlFiles, type HaltNote, readHalt, removeOwnHalt, standingHalt, writeHalt } from '#adapters/journal/control-files.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { DrillResult } from '#domain/drill-result.ts';
import { KairosError } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import type { OrderId } from '#domain/names.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { Timers } from '#ports/timers.ts';

interface DrillOptions {
  readonly mode: Mode;
  readonly files: ControlFiles;
  readonly timers: Timers;
  readonly engine: Pick<Engine, 'isHalted' | 'openOrders' | 'drillOrder'>;
  /** Posts a command and handles everything that waits; false if that ended in a fault. */
  readonly handleNow: (command: Command) => boolean;
  /** Shuts the gate for good. */
  readonly halt: (note: HaltNote) => void;
}

/** Time for the watchdog to see the file, and for the gate to report the order, in milliseconds. */
const SEEN_WITHIN_MS = 1_000;
const STOPPED_WITHIN_MS = 2_000;

interface Under {
  readonly note: HaltNote;
  readonly seen: () => void;
  readonly heard: (order: OrderId, report: ExecutionReport) => void;
}

/**
 * Proves on paper that a halt by file stops orders: writes the file, waits until the watchdog shuts the gate, places an
 * order of its own book, and checks that the gate lets no byte of it out. Then undoes the halt. If the gate fails,
 * trading halts for good.
 */
export class Drill {
  private readonly options: DrillOptions;
  private under: Under | undefined;
  private count = 0;

  constructor(options: DrillOptions) {
    this.options = options;
  }

  get isUnderWay(): boolean {
    return this.under !== undefined;
  }

  /** True if a halt that the watchdog saw is the drill's own. */
  isOwn(note: HaltNote): boolean {
    if (note.why !== this.under?.note.why) return false;
    this.under.seen();
    return true;
  }

  /** Takes the broker's reports, among them that of the drill's order. */
  heard(order: OrderId, report: ExecutionReport): void {
    this.under?.heard(order, report);
  }

  /** Throws DRILL_REFUSED and does nothing if a drill could do harm or would prove nothing. */
  async perform({ who, why }: WhoWhy): Promise<DrillResult> {
    this.check();
    const { files, handleNow } = this.options;
    this.count += 1;
    const note = { who, why: `drill ${this.count} of process ${process.pid}: ${why}` };
    let result: DrillResult;
    try {
      result = await this.tryOut(note);
    } finally {
      this.under = undefined;
    }
    const present = readHalt(files.halt);
    if (present === undefined || present.why === note.why) removeOwnHalt(files);
    else this.options.halt(present);
    if (!handleNow({ act: 'drilled', who, why, result })) throw new KairosError('JOURNAL_FAULT', 'the drill could not be journaled');
    return result;
  }

  private check(): void {
    const { mode, engine, files } = this.options;
    const refusal = !modeFacts(mode).isForTrials
      ? `a drill sends an order if the gate fails, so it is for paper; this is ${mode}`
      : engine.isHalted || standingHalt(files) !== undefined
        ? 'trading is halted already: resume first'
        : this.under !== undefined
          ? 'a drill is under way'
          : engine.openOrders > 0
            ? 'an order is in flight: try again in a moment'
            : undefined;
    if (refusal !== undefined) throw new KairosError('DRILL_REFUSED', refusal);
  }

  private async tryOut(note: HaltNote): Promise<DrillResult> {
    const { files, timers, engine, handleNow } = this.options;
    const seen = Promise.withResolvers<number>();
    const reports = new Map<OrderId, { readonly report: ExecutionReport; readonly at: number }>();
    let wanted: OrderId | undefined;
    const told = Promise.withResolvers<{ readonly report: ExecutionReport; readonly at: number }>();
    const start = timers.monotonicMs();
    const since = (): number => Math.round((timers.monotonicMs() - start) * 10) / 10;
    this.under = {
      note,
      seen: () => seen.resolve(since()),
      heard: (order, report) => {
        const first = reports.get(order) ?? { report, at: since() };
        reports.set(order, first);
        if (order === wanted) told.resolve(first);
      },
    };
    writeHalt(files.halt, note, timers.wallMs());
    const shutMs = await this.within(SEEN_WITHIN_MS, seen.promise);
    if (shutMs === null) return { verdict: 'failed', outcome: 'the watchdog did not see the file', orderId: null, shutMs, stoppedMs: null };
    handleNow({ act: 'drill', ...note });
    const attempt = engine.drillOrder;
    if (attempt?.kind !== 'sent') {
      const outcome = `no order could be tried: ${attempt?.kind === 'refused' ? attempt.reason : 'no lane has a quote to use'}`;
      return { verdict: 'inconclusive', outcome, orderId: null, shutMs, stoppedMs: null };
    }
    wanted = attempt.orderId;
    const already = reports.get(wanted);
    if (already) told.resolve(already);
    const last = await this.within(STOPPED_WITHIN_MS, told.promise);
    return { ...verdictOf(last?.report), orderId: wanted, shutMs, stoppedMs: last?.at ?? null };
  }

  private within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<null>();
    const cancel = this.options.timers.after(ms, () => late.resolve(null));
    return Promise.race([promise, late.promise]).finally(cancel);
  }
}

/** The gate's verdict. An order that something else stopped proves nothing. */
function verdictOf(report: ExecutionReport | undefined): Pick<DrillResult, 'verdict' | 'outcome'> {
  if (report === undefined) return { verdict: 'failed', outcome: 'the order was not reported' };
  if (!('reason' in report) || report.type === 'answered') return { verdict: 'failed', outcome: 'the gate let the order out' };
  if (report.reason === 'GATE_HALTED') return { verdict: 'passed', outcome: 'the gate stopped the order' };
  return { verdict: 'inconclusive', outcome: `the order was stopped by something else: ${report.reason}` };
}
