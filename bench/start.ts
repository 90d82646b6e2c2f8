import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from './live/child.ts';
import { type SubscribedCount, USERS } from './live/protocol.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { writeConfig } from './settings.ts';
import { inTurns, machineMs, median } from './statistics.ts';

const KAIROS = fileURLToPath(new URL('../bin/kairos.mjs', import.meta.url));
const RUN_WITHIN_MS = 100_000;
const LOOK_MS = 5;
const HELP = 'kairos --help';
const COLD = 'kairos --help, first time';
const NODE = 'node -e 0';

/**
 * Wall time of a start: `--help` beside Node itself, with and without the compiled source kept from an earlier start, and
 * `run` until its first lane is acknowledged and until it says that it is ready.
 */
export async function benchStart({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    let cache = 0;
    const seconds = inTurns(
      [
        { label: NODE, run: () => wallSeconds(['-e', '0'], folder, {}) },
        { label: HELP, run: () => wallSeconds([KAIROS, '--help'], folder, { NODE_COMPILE_CACHE: join(folder, 'cache') }) },
        { label: COLD, run: () => wallSeconds([KAIROS, '--help'], folder, { NODE_COMPILE_CACHE: join(folder, `cache-${cache++}`) }) },
      ],
      quick ? { warmUp: 0, counted: 1 } : { warmUp: 2, counted: 9 },
    );
    const figure = (label: string): Figure => ({ label, value: median(seconds(label)) * 1000, unit: 'ms' });
    const starts: Start[] = [];
    for (let round = 0; round < (quick ? 1 : 4); round++) {
      const own = join(folder, `run-${round}`);
      mkdirSync(own);
      starts.push(await startedRun(own, join(folder, 'cache')));
    }
    const middle = (label: string, of: (start: Start) => number): Figure => ({ label, value: median(starts.map(of)), unit: 'ms' });
    return {
      name: 'start',
      ratios: [ratioOf('wall time', { ours: figure(HELP), theirs: figure(NODE) })],
      figures: [
        figure(COLD),
        middle('kairos run: to the first lane acknowledged (goal 1,500)', ({ laneMs }) => laneMs),
        middle('kairos run: to ready', ({ readyMs }) => readyMs),
      ],
    };
  });
}

/** With the user's folders: the service proves by a key there that it is a Kairos venue. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_STATE_HOME } = process.env;
  return { PATH, HOME, XDG_STATE_HOME, NO_COLOR: '1', ...more };
}

function wallSeconds(args: readonly string[], folder: string, more: Readonly<Record<string, string>>): number {
  const before = machineMs();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: environment(more) });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return (machineMs() - before) / 1000;
}

/** Milliseconds from the start of the process. */
interface Start {
  readonly laneMs: number;
  readonly readyMs: number;
}

/** Starts the daemon as a user does, against the service of the live part, and ends it with SIGTERM. */
async function startedRun(folder: string, cache: string): Promise<Start> {
  const service = Child.start('service', {});
  try {
    const baseUrl = await service.ask<string>({ ask: 'url' });
    const lane = { product: 'btcusd', amount: { base: 0.01 } };
    const file = writeConfig({ folder, baseUrl, strategies: [{ id: 'cross', use: 'sma-cross', ...lane }] });
    const before = machineMs();
    const daemon = spawn(process.execPath, [KAIROS, 'run', '--config', file], {
      cwd: folder,
      env: environment({ NODE_COMPILE_CACHE: cache }),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
    try {
      const ready = new Promise<number>((resolve) => daemon.once('message', () => resolve(machineMs())));
      const laneMs = await firstLane(service, () => daemon.exitCode !== null);
      return { laneMs: laneMs - before, readyMs: (await ready) - before };
    } finally {
      daemon.kill('SIGTERM');
      await ended;
    }
  } finally {
    await service.end();
  }
}

/** Machine time at which the service acknowledged the first lane. */
async function firstLane(service: Child, isOver: () => boolean): Promise<number> {
  const end = machineMs() + RUN_WITHIN_MS;
  while (machineMs() < end && !isOver()) {
    const { firstMs } = await service.ask<SubscribedCount>({ ask: 'subscribed', user: USERS.kairos });
    if (firstMs !== null) return firstMs;
    await pause(LOOK_MS);
  }
  throw new Error('kairos run opened no lane');
}
