import { ClockSteps } from '#adapters/time/clock-steps.ts';
import type { SystemClock } from '#adapters/time/system-clock.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Notice } from '#ports/notice.ts';
import type { ServiceClock, ServiceInstant } from '#ports/service-clock.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { BOUND_FOR_MS, type ClockSource } from './clock-source.ts';

const LOOK_MS = 250;
/** A jump forward of so much may be the end of a suspension: connections are replaced, since their peers may be gone. */
const SUSPENDED_MS = 2000;
/** Engine time is moved when it is behind the service's by more than the one, and not by more than the other at once. */
const BEHIND_MS = 1000;
const MAX_MOVED_MS = 24 * 3_600_000;

export interface ClockKeeperOptions {
  readonly source: ClockSource;
  readonly timers: Timers;
  readonly clock: SystemClock;
  readonly post: (event: InboxEvent) => void;
  /** Called when the machine may have been suspended. */
  readonly onSuspension: (why: string) => void;
  readonly notice: Notice;
}

/**
 * Keeps the engine told of the service's clock: how far it is from engine time and how sure that is, and when this machine's
 * own clocks jump. What follows from it for orders is the engine's to say.
 */
export class ClockKeeper implements ServiceClock {
  private readonly options: ClockKeeperOptions;
  private readonly steps = new ClockSteps();
  private stopPolling: Cancel = () => {};
  private publishedMs = Number.NEGATIVE_INFINITY;
  private parted = false;
  private unsettled = false;
  private farTold = false;

  constructor(options: ClockKeeperOptions) {
    this.options = options;
  }

  start(): void {
    const { source, timers } = this.options;
    this.steps.inspect(timers.wallMs(), timers.monotonicMs());
    source.start(() => this.publish());
    this.stopPolling = timers.every(LOOK_MS, () => this.poll());
  }

  /** Measures the service's clock again; until then no order goes out. */
  resync(): void {
    this.unsettle();
    this.options.source.resync();
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.stopPolling();
    await this.options.source.stop();
  }

  now(): ServiceInstant | undefined {
    const { source, timers } = this.options;
    const monotonicMs = timers.monotonicMs();
    if (this.parted || this.steps.hasJumped(timers.wallMs(), monotonicMs)) return undefined;
    const bound = source.bound();
    return bound && { ms: monotonicMs + bound.offsetMs, halfWidthMs: bound.halfWidthMs };
  }

  private poll(): void {
    const { timers, post } = this.options;
    const { parted, jumpMs } = this.steps.inspect(timers.wallMs(), timers.monotonicMs());
    if (parted !== this.parted) {
      this.parted = parted;
      post({ kind: 'condition', name: 'clock-step', on: parted, figure: Math.round(jumpMs) });
    }
    if (jumpMs !== 0) this.stepped(jumpMs);
    else if (timers.monotonicMs() - this.publishedMs >= BOUND_FOR_MS) this.publish();
  }

  private stepped(jumpMs: number): void {
    const { notice, onSuspension } = this.options;
    const seconds = `${(jumpMs / 1000).toFixed(1)} s`;
    notice('warn', `this machine's wall clock jumped by ${seconds}; orders wait until the service's time is known again`);
    if (jumpMs >= SUSPENDED_MS) onSuspension(`wall time jumped by ${seconds}`);
    this.resync();
  }

  private unsettle(): void {
    if (this.unsettled) return;
    this.unsettled = true;
    this.options.post({ kind: 'condition', name: 'clock', on: true, figure: 0 });
  }

  private publish(): void {
    const { source, timers, clock, post } = this.options;
    const bound = source.bound();
    if (bound === undefined) {
      if (source.newestMs !== undefined) this.unsettle();
      return;
    }
    this.publishedMs = timers.monotonicMs();
    if (this.unsettled) {
      this.unsettled = false;
      post({ kind: 'condition', name: 'clock', on: false, figure: 0 });
    }
    const aheadMs = this.publishedMs + bound.offsetMs - clock.now();
    const offsetMs = Math.round(aheadMs) - this.follow(aheadMs - bound.halfWidthMs);
    const ageMs = Math.round(this.publishedMs - (source.newestMs ?? this.publishedMs));
    const machineOffsetMs = Math.round(this.publishedMs + bound.offsetMs - timers.wallMs());
    post({ kind: 'clock', offsetMs, halfWidthMs: Math.ceil(bound.halfWidthMs), ageMs, machineOffsetMs });
  }

  /** Moves engine time forward where it has fallen behind, as after a suspension. Returns by how much. */
  private follow(behindMs: number): number {
    const { clock, notice } = this.options;
    if (behindMs > MAX_MOVED_MS || behindMs < -MAX_MOVED_MS) {
      if (!this.farTold)
        notice('error', "this machine's clock is wrong by more than a day, and so are the times in the journal; set it and restart");
      this.farTold = true;
      return 0;
    }
    if (behindMs <= BEHIND_MS) return 0;
    const moved = Math.floor(behindMs);
    clock.moveForward(moved);
    return moved;
  }
}
