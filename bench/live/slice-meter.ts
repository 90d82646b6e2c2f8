import { machineMs } from '../statistics.ts';
import type { Marks, SliceReport } from './protocol.ts';

/** Keeps what a side does from `begin` to `end`. */
export class SliceMeter {
  frames = 0;
  private readonly marks = new Map<string, Marks>();
  private startMs = 0;
  private cpu = process.cpuUsage();

  begin(): void {
    this.marks.clear();
    this.frames = 0;
    this.startMs = machineMs();
    this.cpu = process.cpuUsage();
  }

  end(): SliceReport {
    const wallMs = machineMs() - this.startMs;
    const { user, system } = process.cpuUsage(this.cpu);
    const { rss, heapUsed } = process.memoryUsage();
    return { frames: this.frames, wallMs, cpuMs: (user + system) / 1000, rssBytes: rss, heapBytes: heapUsed, marks: [...this.marks] };
  }

  /** A quote that will be ordered on was received at `receivedMs`. */
  open(quoteId: string, receivedMs: number): Marks {
    const marks: Marks = { received: receivedMs };
    this.marks.set(quoteId, marks);
    return marks;
  }

  of(quoteId: string | null): Marks | undefined {
    return quoteId === null ? undefined : this.marks.get(quoteId);
  }
}
