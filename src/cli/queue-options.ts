import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import type { Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { wholeNumber } from './numbers.ts';
import { printNote } from './output.ts';

/** `--queue` of a command that works with machines elsewhere. */
export const queueOption = (what: string): Option => new Option('--queue <url>', `${what}: redis://HOST:PORT, or rediss:// for TLS`);

/** `--jobs` of a command that plays trials. */
export const jobsOption = (): Option =>
  new Option('--jobs <n>', 'threads at a time').argParser(wholeNumber(1, 256)).default(availableParallelism(), 'one a core');

/**
 * What a coordinator, a worker and whoever looks at them have in common. The packages of queues are loaded here alone. Throws
 * CONFIG_INVALID without a key, and as `RedisQueue.open`. A queue that is lost once the signal has come is waited for no longer.
 */
export async function openQueue(url: string, { queue }: Pick<Settings, 'queue'>, signal?: AbortSignal) {
  if (queue.key === null)
    throw new KairosError(
      'CONFIG_INVALID',
      'queue.key: jobs must be signed; put 32 characters or more into a file and name it in KAIROS_QUEUE_KEY_FILE, the same on all machines',
    );
  const [{ RedisQueue }, { QueueKey }, { systemTimers: timers }] = await Promise.all([
    import('#adapters/shared-jobs/redis-queue.ts'),
    import('#research/workers/queue-key.ts'),
    import('#adapters/time/system-timers.ts'),
  ]);
  const { password, lockMs } = queue;
  const onFault = (why: string | undefined): void =>
    printNote(why === undefined ? 'the queue is back' : `the queue is lost (${why}): tries again`);
  return {
    key: new QueueKey(queue.key),
    queue: await RedisQueue.open({ url, password, lockMs, timers, onFault, ...(signal && { signal }) }),
  };
}

interface QueuePlaying {
  readonly base: StudyBase;
  readonly settings: Pick<Settings, 'queue'>;
  readonly onStop: () => void;
  /** Aborted when the sweep shall end: it ends without a queue that is lost then. */
  readonly signal: AbortSignal;
}

/** Whoever plays the trials of a sweep by a queue, and closes it with them. Throws as `openQueue` and `QueuePlayers.open`. */
export async function queuePlayers(url: string, { base, settings, onStop, signal }: QueuePlaying): Promise<TrialPlayers> {
  const { queue, key } = await openQueue(url, settings, signal);
  let isLeft = false;
  /** Once the sweep shall end, what the queue fails of is told once and keeps nobody. */
  const leave = (error: unknown): void => {
    if (!signal.aborted) throw error;
    if (!isLeft)
      printNote(`ends without the queue (${messageOf(error)}): what it still holds of the sweep is taken back when that goes on`);
    isLeft = true;
  };
  const [{ QueuePlayers }, { systemTimers: timers }] = await Promise.all([
    import('#research/workers/queue-players.ts'),
    import('#adapters/time/system-timers.ts'),
  ]);
  try {
    const players = await QueuePlayers.open({ queue, key, timers, at: settings.queue, tell: printNote, onStop }, base);
    return {
      play: (work) => players.play(work).catch(leave),
      close: async () => {
        await players.close().catch(leave);
        await queue.close();
      },
    };
  } catch (error) {
    await queue.close();
    throw error;
  }
}

type StudyBase = import('#research/sweep/study.ts').StudyBase;
type TrialPlayers = import('#research/sweep/trial-players.ts').TrialPlayers;
