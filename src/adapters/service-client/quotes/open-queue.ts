import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Failures in a row, on any lanes, after which the host counts as refusing. */
const FAILURES_TO_BREAK = 5;

/** Says whether something waits for a connection now, so that it goes before others. Asked each time a turn is given. */
export type Urgency = () => boolean;

const AT_LEISURE: Urgency = () => false;

/**
 * Lets connections begin: urgent ones first, else in order, at most so many a second, and one at a time while the host refuses (I23). A thousand
 * lanes that lost their host send one probe, not a thousand.
 */
export class OpenQueue {
  private readonly timers: Timers;
  private readonly spacingMs: number;
  private readonly backoff: Backoff;
  private readonly waiting = new Map<() => void, Urgency>();
  private readonly connecting = new Set<object>();
  private failures = 0;
  private nextAtMs = 0;
  private cancelTimer: Cancel | null = null;

  constructor(options: { timers: Timers; opensPerSecond: number }) {
    this.timers = options.timers;
    this.spacingMs = 1000 / options.opensPerSecond;
    this.backoff = new Backoff(options.timers, 'feed');
  }

  /** True while the host is being probed instead of used. */
  get broken(): boolean {
    return this.failures >= FAILURES_TO_BREAK;
  }

  get length(): number {
    return this.waiting.size;
  }

  /** Asks for a turn; `open` is called when it comes, maybe at once. */
  ask(open: () => void, isUrgent: Urgency = AT_LEISURE): Cancel {
    const turn = (): void => open();
    this.waiting.set(turn, isUrgent);
    this.drain();
    return () => {
      this.waiting.delete(turn);
      if (this.waiting.size === 0) this.stopTimer();
    };
  }

  /** A lane begins to connect; `owner` names it until it says how that went. */
  began(owner: object): void {
    this.connecting.add(owner);
  }

  /** The host accepted the lane: all others may connect. */
  succeeded(owner: object): void {
    if (!this.connecting.delete(owner)) return;
    const wasBroken = this.broken;
    this.failures = 0;
    this.backoff.reset();
    if (wasBroken) this.nextAtMs = this.timers.monotonicMs();
    this.drain();
  }

  /** The host refused the lane. */
  failed(owner: object): void {
    if (!this.connecting.delete(owner)) return;
    this.failures += 1;
    if (this.broken) this.nextAtMs = Math.max(this.nextAtMs, this.timers.monotonicMs() + this.backoff.afterFailure(false));
    this.drain();
  }

  /** The lane has stopped connecting for a reason of its own. */
  gaveUp(owner: object): void {
    if (this.connecting.delete(owner)) this.drain();
  }

  close(): void {
    this.waiting.clear();
    this.connecting.clear();
    this.stopTimer();
  }

  private drain(): void {
    this.stopTimer();
    while (this.waiting.size > 0) {
      if (this.broken && this.connecting.size > 0) return;
      const now = this.timers.monotonicMs();
      if (now < this.nextAtMs) {
        this.cancelTimer = this.timers.after(this.nextAtMs - now, () => this.drain());
        return;
      }
      const turn = this.next();
      if (turn === undefined) return;
      this.waiting.delete(turn);
      this.nextAtMs = now + this.spacingMs;
      if (this.broken) this.backoff.attempt();
      turn();
    }
  }

  private next(): (() => void) | undefined {
    for (const [turn, isUrgent] of this.waiting) if (isUrgent()) return turn;
    const [first] = this.waiting.keys();
    return first;
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }
}
