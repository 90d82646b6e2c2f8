import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import type { SweepMeasured } from './replay-sweep-child.ts';

const CHILD = fileURLToPath(new URL('./replay-sweep-child.ts', import.meta.url));
const KAIROS = fileURLToPath(new URL('../bin/kairos.mjs', import.meta.url));
const KEY = 'a-key-of-the-bench-which-is-no-secret';

/** Whether there is a Redis to measure with. */
export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** Plays so many trials by a queue on loopback in two workers of one thread each, all processes of their own. */
export async function byQueue(folder: string, trials: number): Promise<SweepMeasured> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache'), KAIROS_QUEUE_KEY: KEY };
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const started: ChildProcess[] = [];
  const start = async (command: string, args: readonly string[], ready: string): Promise<void> => {
    // A cache of its own: nobody has the quotes from an earlier round.
    const child = spawn(command, args, { cwd: mkdtempSync(join(folder, 'worker-')), env, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        printed += String(text);
        if (printed.includes(ready)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${printed}`)));
    });
  };
  try {
    await start('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], 'Ready to accept');
    for (const _ of [1, 2]) await start(process.execPath, [KAIROS, 'worker', '--queue', url, '--jobs', '1'], 'waits for sweeps');
    const { stdout } = await promisify(execFile)(process.execPath, [CHILD, folder, String(trials), '2', url, KEY], { env });
    return JSON.parse(stdout);
  } finally {
    // The queue last: whoever ends without it waits for it first.
    for (const child of started.toReversed()) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }
}
