import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { RedisQueue } from '#adapters/shared-jobs/redis-queue.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { type Redis, startRedis } from '../support/redis.ts';
import { workQueueContract } from './work-queue.ts';

const shared = new MemoryQueue();
workQueueContract('in memory', async () => shared);

describe('on Redis', { tags: 'redis-server' }, () => {
  let redis: Redis | undefined;
  const password = 'sesame-open';
  afterAll(async () => {
    await redis?.close();
  });

  const open = async (given: Partial<Parameters<typeof RedisQueue.open>[0]> = {}): Promise<RedisQueue> => {
    redis ??= await startRedis({ password });
    const queue = await RedisQueue.open({ url: `redis://127.0.0.1:${redis.port}`, password, lockMs: 500, timers: systemTimers, ...given });
    onTestFinished(() => queue.close());
    return queue;
  };

  workQueueContract('BullMQ', () => open());

  test('a job whose worker hangs is given to another when its lock is over', async () => {
    const queue = await open();
    await queue.give('hangs', [{ id: 'd-1', text: 'x' }]);
    // As a worker whose process stands still: it renews nothing.
    const { Worker } = await import('bullmq');
    const hung = new Worker('hangs', () => new Promise(() => {}), {
      ...{ connection: { host: '127.0.0.1', port: redis?.port ?? 0, password }, prefix: 'kairos' },
      ...{ lockDuration: 500, stalledInterval: 500, skipLockRenewal: true, skipStalledCheck: true },
    });
    hung.on('error', () => {});
    onTestFinished(() => hung.close(true));
    await expect.poll(async () => (await queue.state('hangs')).active).toEqual(['d-1']);
    const played: string[] = [];
    const taking = (await open()).consume('hangs', async ({ id }) => {
      played.push(id);
      return 'done';
    });
    await expect.poll(() => played).toEqual(['d-1']);
    await taking.close();
  });

  test('whoever is told to end while the queue is lost ends, and does not wait for it', async () => {
    const lost = await startRedis();
    const stop = new AbortController();
    const at = { url: `redis://127.0.0.1:${lost.port}`, password: null, lockMs: 500, timers: systemTimers };
    const queue = await RedisQueue.open({ ...at, signal: stop.signal });
    const taking = queue.consume('lost', async () => 'done');
    await lost.close();
    const notices = queue.notices('sweeps').then(
      () => 'answered',
      () => 'given up',
    );
    stop.abort();
    await taking.close();
    expect(await notices).toBe('given up');
    await queue.close();
  });

  test('whoever is told to end while the queue does not answer ends, also one that waits for a message', async () => {
    const hung = await startRedis();
    const stop = new AbortController();
    const at = { url: `redis://127.0.0.1:${hung.port}`, password: null, lockMs: 500 };
    // What is waited for is over at once.
    const timers = { after: (_ms: number, run: () => void) => systemTimers.after(20, run) };
    const queue = await RedisQueue.open({ ...at, timers, signal: stop.signal });
    await queue.give('hung', [{ id: 'd-1', text: 'x' }]);
    const asked = [queue.receive('results', '0', 60_000), queue.receive('results', '0', 500)];
    hung.process.signal('SIGSTOP');
    stop.abort();
    const said = await Promise.allSettled([...asked, queue.unpost('sweeps', 's'), queue.close()]);
    expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
    await hung.close();
  });

  test('a wrong password, a port where nobody is and a password in the address are refused in one line that shows no password', async () => {
    await open();
    const at = `127.0.0.1:${redis?.port}`;
    const failed = (given: Partial<Parameters<typeof RedisQueue.open>[0]>) =>
      open(given).then(
        () => 'was opened',
        (error: Error) => error.message,
      );
    expect(await failed({ password: 'guessed-word' })).toMatch(
      /^the queue at 127\.0\.0\.1:\d+ cannot be used \(WRONGPASS [^)]*\): check KAIROS_QUEUE_PASSWORD/,
    );
    expect(await failed({ url: 'redis://127.0.0.1:1' })).toMatch(/ECONNREFUSED.*check --queue/);
    for (const url of [`redis://:guessed-word@${at}`, `http://${at}`, `redis://${at}/first`]) {
      const said = await failed({ url });
      expect(said).toMatch(/^--queue/);
      expect(said).not.toContain('guessed-word');
    }
  });
});
