import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { Channel } from './alert.ts';
import { postChannel } from './post.ts';

const EVERY_MS = 60_000;
const ANSWER_MS = 10_000;

/** Asks an address outwards while the daemon is well: who hears nothing of it knows that daemon, watcher or machine is gone. */
export class OutwardHeartbeat {
  private readonly channel: Channel | null;
  private readonly timers: Timers;
  private readonly notice: Notice;
  private nextMs = 0;
  private isFailing = false;

  constructor(address: string | null, { timers, notice }: { readonly timers: Timers; readonly notice: Notice }) {
    this.channel = address === null ? null : postChannel('heartbeat', { secrets: [address] }, () => ({ url: address, body: {} }));
    this.timers = timers;
    this.notice = notice;
  }

  /** Call it whenever the daemon was seen alive. Never rejects: what fails is told once. */
  async beat(): Promise<void> {
    const now = this.timers.monotonicMs();
    if (this.channel === null || now < this.nextMs) return;
    this.nextMs = now + EVERY_MS;
    const limit = new AbortController();
    const cancel = this.timers.after(ANSWER_MS, () => limit.abort(new Error(`nothing within ${ANSWER_MS} ms`)));
    try {
      await this.channel.send({ title: '', text: '', events: [], silent: true, urgent: false, at: this.timers.wallMs() }, limit.signal);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.notice('warn', `alerts.heartbeat is not heard: ${messageOf(error)}`);
      this.isFailing = true;
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.channel?.close();
  }
}
