import { Queue, WaitingError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { ChannelMessage, QueuedJob, QueueState, TakeJob, WorkQueue } from '#ports/work-queue.ts';
import { type QueueAddress, queueAddress } from './queue-address.ts';

interface RedisQueueOptions {
  /** `redis://` or `rediss://`, without a password. */
  readonly url: string;
  readonly password: string | null;
  /** How long a job stays with whoever took it and says no more, in milliseconds. */
  readonly lockMs: number;
  /** Aborted when the process shall end: a connection that is lost from then on, or does not answer, is waited for no longer. */
  readonly signal?: AbortSignal;
  /** For how long an answer is waited for then. */
  readonly timers: Pick<Timers, 'after'>;
  /** Told, once each, that the connection is lost and what came of it; undefined when it is back. */
  readonly onFault?: (why: string | undefined) => void;
}

interface JobData {
  readonly text: string;
}

const PREFIX = 'kairos';
/** Tries of a job before it counts as failed, and how often it may be lost with whoever took it. */
const TRIES = 3;
const MAX_LOST = 5;
/** Messages that nobody reads any more are gone after a week. */
const CHANNEL_MS = 7 * 86_400_000;
/** Messages that are read at a time. */
const MESSAGES = 50;
const RETRY_MS = 500;
/** An answer that has not come by then is not waited for once the process shall end. */
const LEAVE_MS = 2_000;

/** A queue on Redis or Valkey: jobs are those of BullMQ, messages lie in streams, notices in keys that expire. */
export class RedisQueue implements WorkQueue {
  private readonly client: Redis;
  /** Waits for messages, and so keeps its connection busy. */
  private readonly reading: Redis;
  private readonly lockMs: number;
  private readonly queues = new Map<string, Queue<JobData>>();

  private readonly leaving = new Map<Redis, Cancel>();

  private constructor(client: Redis, { lockMs, signal, timers }: RedisQueueOptions) {
    this.client = client;
    this.reading = client.duplicate();
    this.reading.on('error', ignore);
    this.lockMs = lockMs;
    signal?.addEventListener(
      'abort',
      () => {
        for (const one of [this.client, this.reading]) this.leave(one, timers);
      },
      { once: true },
    );
  }

  /** Throws USAGE, SECRET_EXPOSED, and QUEUE_UNREACHABLE where nobody answers or the password is wrong. */
  static async open(options: RedisQueueOptions): Promise<RedisQueue> {
    const { url, password, signal, onFault } = options;
    const address = queueAddress(url);
    let opened = false;
    let fault: string | undefined;
    const client = new Redis({
      ...connectionOf(address, password),
      lazyConnect: true,
      disconnectTimeout: RETRY_MS,
      maxRetriesPerRequest: null,
      // What cannot be had at first is told at once; what is lost later comes back, unless nobody waits for it.
      retryStrategy: () => (opened && signal?.aborted !== true ? RETRY_MS : null),
    });
    client.on('error', (error) => {
      if (opened && fault === undefined) onFault?.(messageOf(error));
      fault ??= messageOf(error);
    });
    client.on('ready', () => {
      if (opened && fault !== undefined) onFault?.(undefined);
      fault = undefined;
    });
    try {
      await client.connect();
      await client.ping();
    } catch (error) {
      client.disconnect();
      const why = fault ?? messageOf(error);
      throw new KairosError('QUEUE_UNREACHABLE', `the queue at ${address.shown} cannot be used (${why}): ${mend(why)}`, { cause: error });
    }
    opened = true;
    return new RedisQueue(client, options);
  }

  async give(queue: string, jobs: readonly QueuedJob[]): Promise<void> {
    const opts = { attempts: TRIES, removeOnComplete: true, removeOnFail: false };
    await this.queue(queue).addBulk(jobs.map(({ id, text }) => ({ name: 'trials', data: { text }, opts: { ...opts, jobId: id } })));
  }

  async takeBack(queue: string, ids: readonly string[]): Promise<void> {
    // One that is being played cannot be removed, and its worker hears otherwise that it is wanted no more.
    await Promise.allSettled(ids.map((id) => this.queue(queue).remove(id)));
  }

  async state(queue: string): Promise<QueueState> {
    const own = this.queue(queue);
    const [waiting, active, failed] = await Promise.all([
      own.getRanges(['wait', 'delayed', 'prioritized']),
      own.getRanges(['active']),
      own.getFailed(),
    ]);
    return {
      waiting,
      active,
      failed: failed.flatMap(({ id, failedReason }) => (id ? [{ id, why: failedReason ?? 'the queue gave no reason' }] : [])),
    };
  }

  consume(queue: string, play: TakeJob): { close(): Promise<void> } {
    const { lockMs } = this;
    let isClosing = false;
    const worker = new Worker<JobData>(
      queue,
      async (job, token, signal) => {
        const end = await play({ id: job.id ?? '', text: job.data.text }, signal ?? new AbortController().signal);
        if (end === 'done') return;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      {
        ...{ connection: this.client, prefix: PREFIX, concurrency: 1, drainDelay: 1 },
        ...{ lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: MAX_LOST },
      },
    );
    // Told by the connection; a job that was lost meanwhile is another's.
    worker.on('error', ignore);
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'lost');
    });
    return {
      close: async () => {
        if (isClosing) return;
        isClosing = true;
        worker.cancelAllJobs('closing');
        await worker.close();
      },
    };
  }

  async remove(queue: string): Promise<void> {
    await this.queue(queue).obliterate({ force: true });
  }

  async post(board: string, id: string, { text, keepMs }: { readonly text: string; readonly keepMs: number }): Promise<void> {
    await this.client.multi().set(noticeKey(board, id), text, 'PX', keepMs).sadd(boardKey(board), id).exec();
  }

  async unpost(board: string, id: string): Promise<void> {
    await this.client.multi().del(noticeKey(board, id)).srem(boardKey(board), id).exec();
  }

  async notices(board: string): Promise<ReadonlyMap<string, string>> {
    const ids = (await this.client.smembers(boardKey(board))).sort();
    if (ids.length === 0) return new Map();
    const texts = await this.client.mget(ids.map((id) => noticeKey(board, id)));
    const gone = ids.filter((_, n) => texts[n] === null);
    if (gone.length > 0) await this.client.srem(boardKey(board), ...gone);
    return new Map(ids.flatMap((id, n): [string, string][] => (typeof texts[n] === 'string' ? [[id, texts[n]]] : [])));
  }

  async send(channel: string, text: string): Promise<void> {
    const key = channelKey(channel);
    await this.client.multi().xadd(key, '*', 'text', text).pexpire(key, CHANNEL_MS).exec();
  }

  async receive(channel: string, behind: string, waitMs: number): Promise<readonly ChannelMessage[]> {
    const found = await this.reading.xread('COUNT', MESSAGES, 'BLOCK', Math.max(1, waitMs), 'STREAMS', channelKey(channel), behind);
    return (found?.[0]?.[1] ?? []).map(([id, fields]) => ({ id, text: fields[1] ?? '' }));
  }

  async trim(channel: string, upTo?: string): Promise<void> {
    const key = channelKey(channel);
    if (upTo === undefined) await this.client.del(key);
    else await this.client.xtrim(key, 'MINID', '=', behind(upTo));
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.disconnect();
  }

  /** Gives a connection up that does not answer: what waits for it then fails. One that is lost is not tried more than once more. */
  private leave(client: Redis, timers: Pick<Timers, 'after'>): void {
    if (client.status === 'end') return;
    let answered = client.status === 'reconnecting';
    if (client.status === 'ready')
      client.ping().then(() => {
        answered = true;
      }, ignore);
    this.leaving.set(
      client,
      timers.after(LEAVE_MS, () => (answered ? this.leave(client, timers) : client.disconnect())),
    );
  }

  private disconnect(): void {
    for (const cancel of this.leaving.values()) cancel();
    this.reading.disconnect();
    this.client.disconnect();
  }

  private queue(name: string): Queue<JobData> {
    const queue = this.queues.get(name) ?? new Queue<JobData>(name, { connection: this.client, prefix: PREFIX });
    if (!this.queues.has(name)) queue.on('error', ignore);
    this.queues.set(name, queue);
    return queue;
  }
}

const boardKey = (board: string): string => `${PREFIX}:board:${board}`;
const noticeKey = (board: string, id: string): string => `${PREFIX}:notice:${board}:${id}`;
const channelKey = (channel: string): string => `${PREFIX}:channel:${channel}`;

/** The id behind that of a message of a stream, `time-number`. */
const behind = (id: string): string => id.replace(/(\d+)$/, (number) => String(Number(number) + 1));

function connectionOf({ host, port, db, username, isTls }: QueueAddress, password: string | null) {
  return { host, port, db, ...(username !== undefined && { username }), ...(password !== null && { password }), ...(isTls && { tls: {} }) };
}

function mend(why: string): string {
  if (/WRONGPASS|NOAUTH|AUTH/.test(why)) return 'check KAIROS_QUEUE_PASSWORD, and the user in --queue';
  if (/certificate|self.signed|altname|TLS|SSL/i.test(why))
    return "check the server's certificate; NODE_EXTRA_CA_CERTS names one of your own authority";
  return 'check --queue, and that redis-server or valkey-server runs there';
}

/** The client's own listener tells of what the connection of all is lost by. */
function ignore(): void {}
