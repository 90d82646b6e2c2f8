import type { Cancel, Timers } from '#ports/timers.ts';
import type { TrialResult } from '#research/replay/trial.ts';

interface ResultSenderOptions {
  readonly timers: Pick<Timers, 'after'>;
  readonly send: (results: readonly TrialResult[]) => Promise<void>;
}

/** Results go together that are finished within this time, so many at most. */
const TOGETHER_MS = 250;
const MAX_TOGETHER = 50;

/** Sends results in messages of some trials each, so that what a worker has finished is not lost with it, and the queue has little to do. */
export class ResultSender {
  private readonly options: ResultSenderOptions;
  private waiting: TrialResult[] = [];
  private cancel: Cancel | undefined;
  private sent: Promise<void> = Promise.resolve();

  constructor(options: ResultSenderOptions) {
    this.options = options;
  }

  add(results: readonly TrialResult[]): void {
    this.waiting.push(...results);
    if (this.waiting.length >= MAX_TOGETHER) this.send();
    else this.cancel ??= this.options.timers.after(TOGETHER_MS, () => this.send());
  }

  /** Sends what waits. Throws what a message before it, or this one, has failed of. */
  async flush(): Promise<void> {
    this.send();
    await this.sent;
  }

  /** Nothing more is sent. */
  close(): void {
    this.cancel?.();
    this.waiting = [];
  }

  private send(): void {
    this.cancel?.();
    this.cancel = undefined;
    const results = this.waiting;
    this.waiting = [];
    if (results.length === 0) return;
    const { send } = this.options;
    this.sent = this.sent.then(() => send(results));
    // Told by `flush`.
    this.sent.catch(() => {});
  }
}
