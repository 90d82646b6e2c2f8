import { appendFileSync, chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { EXAMPLE_CERTIFICATE } from '../../support/example-certificate.ts';
import { type Ended, endAll, runKairos, Started, startKairos } from '../../support/process.ts';
import { startRedis } from '../../support/redis.ts';
import { ROOT } from '../../support/root.ts';
import { syntheticRecording } from '../../support/synthetic-recording.ts';

const LOCK_MS = 3000;
const CONFIG = `strategies:
  - { id: cross, use: ./cross.ts, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 40 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off }
`;
const PASSWORD = 'sesame-open-1234';
const KEY = 'a-key-that-all-of-them-have-1234567890';
const LONG_AGO_MS = 40 * 86_400_000;

export interface Scale {
  /** Values of the one parameter; of the other there are ten. */
  readonly fast: number;
  /** Length of the recording. */
  readonly seconds: number;
}

/** What came of a sweep by queue, and of the same on one machine. */
export interface WithFaults {
  readonly byQueue: Ended;
  readonly alone: Ended;
  /** All trials as CSV. */
  readonly byQueueCsv: string;
  readonly aloneCsv: string;
  /** Trials in the log of the sweep by queue: when two workers were stopped, and at the end. */
  readonly keptAtFault: number;
  readonly kept: number;
  /** What `kairos queue --json` said on the way. */
  readonly shown: Ended;
  /** What the older worker printed, and all that anybody did. */
  readonly older: string;
  readonly said: string;
}

/**
 * Plays a sweep over three workers, behind TLS and a password: one is killed and one stopped on the way (it goes on later), one has another
 * clock and time zone; an older Kairos asks for jobs as well. Then plays the same on one machine, in the same folder. Ends all it began.
 */
export async function sweepWithFaults({ fast, seconds }: Scale): Promise<WithFaults> {
  const [home, away, before] = [new DaemonFolder('queue-home'), new DaemonFolder('queue-away'), new DaemonFolder('queue-older')];
  const redis = await startRedis({ password: PASSWORD, tls: true });
  try {
    home.write('kairos.yaml', CONFIG);
    // A strategy of the user's own, that workers do not have.
    home.write('cross.ts', readFileSync(path.join(ROOT, 'strategies/sma-cross.ts'), 'utf8'));
    syntheticRecording({ dir: home.recordings, lanes: ['btcusd 0.01'], seconds });
    const env = {
      KAIROS_QUEUE_KEY_FILE: away.write('key', KEY),
      KAIROS_QUEUE_PASSWORD: PASSWORD,
      KAIROS_QUEUE_LOCK_MS: `${LOCK_MS}`,
      NODE_OPTIONS: ['loopback-names', 'earlier-clock'].map((name) => `--import=${path.join(ROOT, `test/support/${name}.ts`)}`).join(' '),
      NODE_EXTRA_CA_CERTS: away.write('ca.pem', EXAMPLE_CERTIFICATE),
    };
    chmodSync(env.KAIROS_QUEUE_KEY_FILE, 0o600);
    const queue = ['--queue', `rediss://service.example:${redis.port}`];
    const words = ['worker', ...queue, '--jobs', '1'];
    const worker = (more: Record<string, string> = {}): Started => startKairos(words, { cwd: away.path, env: { ...env, ...more } });
    const workers = [worker(), worker(), worker({ TEST_CLOCK_BEHIND_MS: `${LONG_AGO_MS}`, TZ: 'Asia/Kathmandu' })] as const;
    const older = new Started(process.execPath, [olderKairos(before), ...words], { cwd: away.path, env });

    const sweep = ['sweep', '--vary', `cross.fast=2..${fast + 1}`, '--vary', 'cross.slow=240..249', '--json'];
    const byQueue = startKairos([...sweep, ...queue, '--out', 'queue.csv'], { cwd: home.path, env });
    for (const one of workers) await one.says(/plays the sweep/);
    await byQueue.until('some trials', () => (kept(home) >= 10 ? true : undefined));
    await workers[0].kill();
    workers[1].signal('SIGSTOP');
    const keptAtFault = kept(home);
    await older.says(/takes no jobs/);
    await byQueue.until('most trials', () => (kept(home) >= fast * 5 ? true : undefined), 600_000);
    // Nothing ends while the queue is asked.
    workers[2].signal('SIGSTOP');
    const shown = await runKairos(['queue', ...queue, '--json'], { cwd: away.path, env });
    for (const stopped of [workers[1], workers[2]]) stopped.signal('SIGCONT');
    const ended = await byQueue.ended;
    const keptInAll = kept(home);

    renameSync(path.join(home.path, 'var/sweeps'), path.join(home.path, 'var/by-queue'));
    const alone = await runKairos([...sweep, '--jobs', '2', '--out', 'alone.csv'], { cwd: home.path, withinMs: 600_000 });
    const [byQueueCsv, aloneCsv] = ['queue.csv', 'alone.csv'].map((name) => readFileSync(path.join(home.path, name), 'utf8'));
    const all = await Promise.all([older, ...workers, byQueue].map((one) => one.kill()));
    const said = all.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    return {
      ...{ byQueue: ended, alone, byQueueCsv: byQueueCsv ?? '', aloneCsv: aloneCsv ?? '' },
      ...{ keptAtFault, kept: keptInAll, shown, older: all[0]?.stdout ?? '', said },
    };
  } finally {
    await endAll();
    await redis.close();
    for (const folder of [home, away, before]) folder.remove();
  }
}

/** True where a secret of the queue stands in what was said. */
export const isSecretIn = (text: string): boolean => text.includes(PASSWORD) || text.includes(KEY);

/** Trials that the coordinator has kept. */
function kept(folder: DaemonFolder): number {
  const dir = path.join(folder.path, 'var/sweeps');
  if (!existsSync(dir)) return 0;
  return readdirSync(dir)
    .flatMap((file) => readFileSync(path.join(dir, file), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"kind":"trial"')).length;
}

/** A copy of Kairos with one file that differs. */
function olderKairos(folder: DaemonFolder): string {
  const copied = ['src', 'bin', 'scripts', 'package.json'];
  for (const name of copied) cpSync(path.join(ROOT, name), path.join(folder.path, name), { recursive: true });
  for (const name of ['node_modules', 'config', 'strategies']) symlinkSync(path.join(ROOT, name), path.join(folder.path, name));
  appendFileSync(path.join(folder.path, 'src/domain/decimal.ts'), '// As it was.\n');
  return path.join(folder.path, 'bin/kairos.mjs');
}
