import type { Millis } from '#domain/names.ts';
import type { Alert } from './alert.ts';

/** The daemon's state as seen from outside. */
export type Sight =
  /** It answers, so its loop turns. */
  | { readonly kind: 'alive' }
  /** A process holds the journal and cannot be asked yet, or no more: it starts, or stops. */
  | { readonly kind: 'between' }
  /** There is none, and the last one ended in good order. */
  | { readonly kind: 'stopped' }
  /** It does not answer, or there is none and the last one did not end in good order. */
  | { readonly kind: 'lost'; readonly why: string }
  /** There is none, and its last start has failed. */
  | { readonly kind: 'failed'; readonly why: string };

interface WatchRules {
  /** How long it may be lost before an alert, in milliseconds. */
  readonly afterMs: number;
  /** Null: never. */
  readonly pauseAllAfterMs: number | null;
}

/** What follows from one observation. */
interface WatchOutcome {
  readonly alerts: readonly Alert[];
  /** The service is to be asked now to pause its own strategies. */
  readonly pauseAll: boolean;
}

/**
 * How long a start or a stop may take, how long a daemon that was stopped in good order may stay away before that is told,
 * and how long after a request to pause the next is made, where it failed.
 */
export const PATIENCE_MS = 60_000;
const SUBJECT = 'daemon';

/**
 * The watcher's judgement: a daemon that is lost for `afterMs` is dead, once, and one whose start has failed is so at once, with each
 * error; the service is asked to pause once for each death. A watcher that has not seen the daemon alive yet is patient, since both start together. Pure: times are given.
 */
export class DaemonWatch {
  private readonly rules: WatchRules;
  private seen = false;
  private state: 'alive' | 'stopped' | 'away' = 'alive';
  private sinceMs = 0;
  private told: 'dead' | 'stopped' | undefined;
  private failure: string | undefined;
  private pauseAtMs = 0;

  constructor(rules: WatchRules) {
    this.rules = rules;
  }

  saw(sight: Sight, monotonicMs: number, at: Millis): WatchOutcome {
    // One that is killed at each start is seen as lost, failed and starting by turns: away all the time.
    const state = sight.kind === 'alive' || sight.kind === 'stopped' ? sight.kind : 'away';
    if (state !== this.state) {
      this.state = state;
      this.sinceMs = monotonicMs;
    }
    if (sight.kind === 'alive') return this.alive(at);
    const lastedMs = monotonicMs - this.sinceMs;
    if (sight.kind === 'stopped') return quiet(this.told === undefined && lastedMs >= PATIENCE_MS ? this.tell('stopped', STOPPED, at) : []);
    const { afterMs, pauseAllAfterMs } = this.rules;
    const isLost = sight.kind !== 'between';
    const limitMs = isLost && this.seen ? afterMs : Math.max(afterMs, PATIENCE_MS);
    const pauseAll = isLost && pauseAllAfterMs !== null && lastedMs >= Math.max(pauseAllAfterMs, limitMs) && monotonicMs >= this.pauseAtMs;
    if (pauseAll) this.pauseAtMs = monotonicMs + PATIENCE_MS;
    if (sight.kind === 'failed') return { alerts: this.failed(sight.why, at), pauseAll };
    if (this.told === 'dead' || lastedMs < limitMs) return { alerts: [], pauseAll };
    const why = isLost ? sight.why : 'it hangs while it starts or ends';
    return { alerts: this.tell('dead', `the daemon is dead: ${why}`, at), pauseAll };
  }

  /** That is done with. Otherwise the service is asked again in a minute, where the daemon is still lost. */
  paused(): void {
    this.pauseAtMs = Number.POSITIVE_INFINITY;
  }

  private alive(at: Millis): WatchOutcome {
    const { told } = this;
    this.seen = true;
    this.told = undefined;
    this.failure = undefined;
    this.pauseAtMs = 0;
    return quiet(told ? [{ event: told, at, subject: SUBJECT, title: 'the daemon is back', text: '', over: true }] : []);
  }

  private failed(why: string, at: Millis): readonly Alert[] {
    if (this.failure === why) return [];
    this.failure = why;
    return this.tell('dead', `the daemon did not start: ${why}`, at).map((alert) => ({ ...alert, changed: true }));
  }

  private tell(event: 'dead' | 'stopped', title: string, at: Millis): readonly Alert[] {
    this.told = event;
    return [{ event, at, subject: SUBJECT, title, text: 'Positions stay open and nothing manages them: kairos status', over: false }];
  }
}

const STOPPED = 'the daemon was stopped cleanly and is not back';

const quiet = (alerts: readonly Alert[]): WatchOutcome => ({ alerts, pauseAll: false });
