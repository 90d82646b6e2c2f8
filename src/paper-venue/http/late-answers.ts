import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** Delays answers. A delayed answer is dropped if its caller goes or the server closes. */
export class LateAnswers {
  private readonly timers: Pick<Timers, 'after'>;
  private readonly held = new Set<() => void>();

  constructor(app: FastifyInstance, timers: Pick<Timers, 'after'>) {
    this.timers = timers;
    app.addHook('preClose', async () => {
      for (const drop of this.held) drop();
    });
  }

  /** Waits; resolves to false if the caller is gone. */
  wait(reply: FastifyReply, delayMs: Millis): Promise<boolean> {
    return new Promise((resolve) => {
      const drop = (): void => {
        cancel();
        this.held.delete(drop);
        resolve(false);
      };
      const cancel = this.timers.after(delayMs, () => {
        this.held.delete(drop);
        resolve(true);
      });
      this.held.add(drop);
      reply.raw.once('close', drop);
    });
  }
}
