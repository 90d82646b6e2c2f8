import { Thread } from '#adapters/threads/thread.ts';
import { type ErrorCode, KairosError, messageOf } from '#domain/errors.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { FeedRow } from '#server/page/target.ts';
import type { RunningConfig } from './arm-view.ts';

/** Start data of a page thread. */
export interface PageTask {
  readonly journal: string;
  readonly recordings: string;
  /** Folders in which reports are looked for. */
  readonly reports: readonly string[];
  readonly run: string;
  readonly schedule: readonly ScheduleLine[];
}

/** What may be asked of it. */
export type PageQuestion =
  /** The rows after one, oldest first. */
  | { readonly kind: 'feed'; readonly after: number; readonly limit: number }
  /** The last row. */
  | { readonly kind: 'end' }
  /** What the journal tells of the run so far. */
  | { readonly kind: 'past' }
  /** To read further into the past of all runs, for a short time. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'history'; readonly ask: HistoryAsk }
  /** What an arming of the running configuration, given as JSON, would let trade. */
  | ({ readonly kind: 'arming' } & RunningConfig);

/** The answers: JSON texts, or HTML for reports. */
interface PageAnswers {
  readonly feed: readonly FeedRow[];
  readonly end: number;
  readonly past: { readonly json: string; readonly whole: boolean };
  /** False if something is left. */
  readonly prepare: boolean;
  readonly history: string;
  readonly arming: string;
}

/** A question on its way to the thread. */
export interface PageRequest {
  readonly id: number;
  readonly question: PageQuestion;
}

/** The thread's answer: plain data, or an error. */
export type PageResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failed: { readonly code: ErrorCode | null; readonly message: string } };

/** The messages between the page thread and the daemon. */
export interface PageThreadTypes {
  readonly data: PageTask;
  readonly toThread: PageRequest;
  readonly fromThread: PageResponse;
}

/** An idle thread ends after this time, in milliseconds, and frees its memory. */
const IDLE_MS = 5 * 60_000;

/** The largest number of waiting questions; further ones are refused. */
const MAX_WAITING = 32;

/**
 * A thread that reads journal and recordings for the page, so that nothing of it happens where orders are decided. It is
 * begun by the first question.
 */
export class PageThread {
  private readonly task: PageTask;
  private thread: Thread<PageThreadTypes> | undefined;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  private readonly timers: Pick<Timers, 'after'>;
  private cancelEnd: Cancel = () => {};
  private next = 1;
  private closed = false;

  constructor(task: PageTask, timers: Pick<Timers, 'after'>) {
    this.task = task;
    this.timers = timers;
  }

  /** Begins the thread before it is asked anything. */
  start(): void {
    if (this.closed) return;
    this.cancelEnd();
    this.cancelEnd = this.timers.after(IDLE_MS, () => this.rest());
    this.running();
  }

  /** Throws OPS_UNAVAILABLE if too many questions wait or the thread has ended, and errors of reading. */
  ask<Kind extends PageQuestion['kind']>(question: Extract<PageQuestion, { kind: Kind }>): Promise<PageAnswers[Kind]> {
    if (this.closed) throw new KairosError('OPS_UNAVAILABLE', 'the daemon is stopping');
    if (this.waiting.size >= MAX_WAITING) throw new KairosError('OPS_UNAVAILABLE', 'too many requests: ask again in a moment');
    const id = this.next++;
    this.cancelEnd();
    this.cancelEnd = this.timers.after(IDLE_MS, () => this.rest());
    // Our own thread answers each kind of question with what belongs to it.
    const answer = new Promise<PageAnswers[Kind]>((resolve, reject) =>
      this.waiting.set(id, { resolve: (value) => resolve(value as PageAnswers[Kind]), reject }),
    );
    this.running().post({ id, question });
    return answer;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelEnd();
    await this.thread?.stop();
  }

  /** The next question begins another thread. */
  private rest(): void {
    const { thread } = this;
    if (!thread || this.waiting.size > 0) return;
    this.thread = undefined;
    void thread.stop();
  }

  private running(): Thread<PageThreadTypes> {
    if (this.thread) return this.thread;
    const entry = new URL('./page-thread-entry.ts', import.meta.url);
    const thread = new Thread<PageThreadTypes>({ entry, name: 'page', data: this.task });
    this.thread = thread;
    thread.unref();
    thread.onMessage((answered) => this.answered(answered));
    thread.onError((error) => this.ended(thread, messageOf(error)));
    void thread.ended.then(() => this.ended(thread, 'it ended'));
    return thread;
  }

  private answered(answered: PageResponse): void {
    const asked = this.waiting.get(answered.id);
    this.waiting.delete(answered.id);
    if ('value' in answered) asked?.resolve(answered.value);
    else {
      const { code, message } = answered.failed;
      asked?.reject(new KairosError(code ?? 'OPS_UNAVAILABLE', message));
    }
  }

  /** The next question begins another one. */
  private ended(thread: Thread<PageThreadTypes>, why: string): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    for (const { reject } of this.waiting.values()) reject(new KairosError('OPS_UNAVAILABLE', `the answer is lost: ${why}`));
    this.waiting.clear();
  }
}
