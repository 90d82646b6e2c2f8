const WINDOW_MS = 5000;
const STOP_ABOVE_MS = 250;
const GO_BELOW_MS = 100;
const SHARE = 0.99;

/**
 * How late the event loop comes to its timers, over the last 5 s: too late above 250 ms at the 99th percentile, and well
 * again below 100 ms (F64). Pure: whoever measures brings the times.
 */
export class LagWindow {
  private readonly seen: { readonly at: number; readonly lateMs: number }[] = [];
  /** How many of them were late at all. */
  private lateCount = 0;
  private late = false;

  add(atMs: number, lateMs: number): void {
    this.seen.push({ at: atMs, lateMs });
    if (lateMs > 0) this.lateCount += 1;
  }

  /** 99th percentile of the lateness in the window that ends at `atMs`; 0 when nothing was measured. */
  p99(atMs: number): number {
    while ((this.seen[0]?.at ?? atMs) <= atMs - WINDOW_MS) if ((this.seen.shift()?.lateMs ?? 0) > 0) this.lateCount -= 1;
    const above = this.seen.length - Math.ceil(this.seen.length * SHARE);
    if (this.lateCount <= above) return 0;
    const latest: number[] = [];
    for (const { lateMs } of this.seen) {
      const bar = latest[above];
      if (bar !== undefined && lateMs <= bar) continue;
      let place = latest.length;
      while (place > 0 && (latest[place - 1] ?? 0) < lateMs) place -= 1;
      latest.splice(place, 0, lateMs);
      latest.length = Math.min(latest.length, above + 1);
    }
    return latest[above] ?? 0;
  }

  /** Judges a percentile: true while orders should wait. */
  judge(p99Ms: number): boolean {
    this.late = this.late ? p99Ms >= GO_BELOW_MS : p99Ms > STOP_ABOVE_MS;
    return this.late;
  }
}
