import type { ChannelMessage, QueuedJob, QueueState, TakeJob, WorkQueue } from '#ports/work-queue.ts';

const TRIES = 3;

interface Held extends QueuedJob {
  state: 'waiting' | 'active' | 'failed';
  tries: number;
  why: string;
}

/** A queue in the memory of one process. Whoever waits for a message waits a tenth of the time. */
export class MemoryQueue implements WorkQueue {
  private readonly queues = new Map<string, Map<string, Held>>();
  private readonly boards = new Map<string, Map<string, { readonly text: string; readonly until: number }>>();
  private readonly channels = new Map<string, ChannelMessage[]>();
  private sent = 0;

  async give(queue: string, jobs: readonly QueuedJob[]): Promise<void> {
    const own = this.jobs(queue);
    for (const job of jobs) if (!own.has(job.id)) own.set(job.id, { ...job, state: 'waiting', tries: 0, why: '' });
  }

  async takeBack(queue: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) if (this.jobs(queue).get(id)?.state !== 'active') this.jobs(queue).delete(id);
  }

  async state(queue: string): Promise<QueueState> {
    const all = [...this.jobs(queue).values()];
    const ids = (state: Held['state']) => all.filter((job) => job.state === state).map(({ id }) => id);
    const failed = all.filter((job) => job.state === 'failed').map(({ id, why }) => ({ id, why }));
    return { waiting: ids('waiting'), active: ids('active'), failed };
  }

  consume(queue: string, play: TakeJob): { close(): Promise<void> } {
    const lost = new AbortController();
    const working = this.work(queue, play, lost.signal);
    return {
      close: () => {
        lost.abort();
        return working;
      },
    };
  }

  async remove(queue: string): Promise<void> {
    this.queues.delete(queue);
  }

  async post(board: string, id: string, { text, keepMs }: { readonly text: string; readonly keepMs: number }): Promise<void> {
    this.board(board).set(id, { text, until: performance.now() + keepMs });
  }

  async unpost(board: string, id: string): Promise<void> {
    this.board(board).delete(id);
  }

  async notices(board: string): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.board(board)].flatMap(([id, { text, until }]) => (until > performance.now() ? [[id, text] as const] : [])));
  }

  async send(channel: string, text: string): Promise<void> {
    this.sent += 1;
    this.channels.set(channel, [...(this.channels.get(channel) ?? []), { id: `${this.sent}`, text }]);
  }

  async receive(channel: string, behind: string, waitMs: number): Promise<readonly ChannelMessage[]> {
    const end = performance.now() + waitMs / 10;
    for (;;) {
      const found = (this.channels.get(channel) ?? []).filter(({ id }) => Number(id) > Number(behind));
      if (found.length > 0 || performance.now() >= end) return found;
      await pause(5);
    }
  }

  async trim(channel: string, upTo?: string): Promise<void> {
    const left = (this.channels.get(channel) ?? []).filter(({ id }) => upTo !== undefined && Number(id) > Number(upTo));
    if (left.length > 0) this.channels.set(channel, left);
    else this.channels.delete(channel);
  }

  async close(): Promise<void> {}

  /** Names of all that is left on it. */
  get left(): readonly string[] {
    const jobs = [...this.queues].flatMap(([name, own]) => (own.size > 0 ? name : []));
    const boards = [...this.boards].flatMap(([name, own]) => (own.size > 0 ? name : []));
    return [...jobs, ...boards, ...this.channels.keys()];
  }

  /** A job that is lost with the memory of the queue. */
  lose(queue: string, id: string): void {
    this.jobs(queue).delete(id);
  }

  private async work(queue: string, play: TakeJob, lost: AbortSignal): Promise<void> {
    while (!lost.aborted) {
      const job = [...this.jobs(queue).values()].find(({ state }) => state === 'waiting');
      if (!job) {
        await pause(5);
        continue;
      }
      job.state = 'active';
      try {
        if ((await play(job, lost)) === 'done') this.jobs(queue).delete(job.id);
        else job.state = 'waiting';
      } catch (error) {
        job.tries += 1;
        job.why = String(error instanceof Error ? error.message : error);
        job.state = job.tries < TRIES ? 'waiting' : 'failed';
      }
    }
  }

  private jobs(queue: string): Map<string, Held> {
    const own = this.queues.get(queue) ?? new Map<string, Held>();
    this.queues.set(queue, own);
    return own;
  }

  private board(name: string) {
    const own = this.boards.get(name) ?? new Map<string, { readonly text: string; readonly until: number }>();
    this.boards.set(name, own);
    return own;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
