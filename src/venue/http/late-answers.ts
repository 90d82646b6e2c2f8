import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** Holds answers back that are to come late. One that is still held when its caller goes, or the server closes, is never given. */
export class LateAnswers {
  private readonly timers: Pick<Timers, 'after'>;
  private readonly held = new Set<() => void>();

  constructor(app: FastifyInstance, timers: Pick<Timers, 'after'>) {
    this.timers = timers;
    app.addHook('preClose', async () => {
      for (const drop of this.held) drop();
    });
  }

  /** Waits; false where nobody is to be answered any more. */
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
