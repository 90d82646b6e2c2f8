import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { Started } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { lookFor, waitFor } from '../support/wait-for.ts';

const PM2 = path.join(ROOT, 'node_modules/pm2/bin/pm2');
const ECOSYSTEM = path.join(ROOT, 'ecosystem.config.js');

const CONFIG = `strategies:
  - { id: cross, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 4 } }
venue: { quotesPerSecond: 10 }
`;

/** The back-off begins with 0.2 s. */
const SEVERAL_RESTARTS_MS = 1500;

interface App {
  readonly pid: number;
  readonly status: string;
  readonly restarts: number;
  readonly exitCode: number | null;
}

/** A pm2 of our own, with its daemon, in a folder outside the checkout; the developer's pm2 never hears of it. */
class OwnPm2 {
  readonly home: string;
  private readonly folder: DaemonFolder;

  constructor(folder: DaemonFolder) {
    this.folder = folder;
    this.home = path.join(folder.path, 'pm2');
    mkdirSync(this.home);
  }

  async run(...args: string[]): Promise<string> {
    const env = { PM2_HOME: this.home, PM2_DISABLE_VERSION_CHECK: 'true' };
    const { code, stdout, stderr } = await new Started(process.execPath, [PM2, ...args], { cwd: this.folder.path, env }).ended;
    if (code !== 0) throw new Error(`pm2 ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}\n${this.log()}`);
    return stdout;
  }

  start(...more: string[]): Promise<string> {
    return this.run('start', ECOSYSTEM, '--cwd', this.folder.path, ...more);
  }

  async app(name = 'kairos'): Promise<App> {
    const apps: readonly { name: string; pid: number; pm2_env: { status: string; restart_time: number; exit_code?: number } }[] =
      JSON.parse((await this.run('jlist')).trim().split('\n').at(-1) ?? '[]');
    const app = apps.find(({ name: given }) => given === name);
    if (!app) throw new Error(`pm2 has no app ${name}`);
    const { status, restart_time, exit_code } = app.pm2_env;
    return { pid: app.pid, status, restarts: restart_time, exitCode: exit_code ?? null };
  }

  /** What pm2 itself says of its daemon's life. */
  log(): string {
    return readFileSync(path.join(this.home, 'pm2.log'), 'utf8');
  }

  /** What the daemon said on standard error. */
  errors(): string {
    const logs = path.join(this.home, 'logs');
    return readdirSync(logs)
      .filter((file) => /^kairos-error/.test(file))
      .map((file) => readFileSync(path.join(logs, file), 'utf8'))
      .join('');
  }

  exits(): readonly string[] {
    return [...this.log().matchAll(/App \[kairos:\d+\] exited with code \[(\d+)\]/g)].map((match) => match[1] ?? '');
  }

  /** Ends the daemon and what it runs: as pm2 does it, and by its process id where that fails. */
  async kill(): Promise<void> {
    const pid = Number(/\d+/.exec(readOr(path.join(this.home, 'pm2.pid')))?.[0] ?? 0);
    await this.run('kill');
    const gone = await lookFor(() => (isAlive(pid) ? undefined : true));
    if (!gone) process.kill(pid, 'SIGKILL');
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // pm2 never came so far as to write it: there is nothing to end.
    return '';
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process.
    return false;
  }
}

describe('under pm2, from ecosystem.config.js as it is', () => {
  let folder: DaemonFolder;
  let pm2: OwnPm2;

  beforeEach(() => {
    folder = new DaemonFolder('pm2');
    pm2 = new OwnPm2(folder);
    folder.write('kairos.yaml', CONFIG);
  });

  afterEach(async () => {
    await pm2.kill();
    folder.remove();
  });

  const accepted = (run: string | undefined) =>
    folder.rows(`SELECT order_id FROM orders WHERE state = 'accepted' AND run_id = '${run}'`).length;
  const traded = (index: number) => waitFor(() => (accepted(folder.runs()[index]?.run_id) > 0 ? true : undefined));

  test('F60: starts and trades, reloads into a new process that trades on, and stops, each run ended cleanly with 0', async () => {
    await pm2.start();
    const first = await pm2.app();
    expect(first).toMatchObject({ status: 'online', restarts: 0 });
    // A start that takes longer than pm2 waits is online before it is ready.
    await expect.poll(() => folder.holder()).toBe(first.pid);
    expect(await pm2.app('kairos-watch')).toMatchObject({ status: 'online', restarts: 0 });
    expect(await traded(0)).toBe(true);

    await pm2.run('reload', 'kairos');
    const second = await pm2.app();
    expect(second).toMatchObject({ status: 'online', restarts: 1 });
    expect(second.pid).not.toBe(first.pid);
    expect(isAlive(first.pid)).toBe(false);
    await expect.poll(() => folder.runs()).toMatchObject([{ end_state: 'stopped' }, { end_state: null }]);
    expect(await traded(1)).toBe(true);

    await pm2.run('stop', 'kairos');
    expect(await pm2.app()).toMatchObject({ pid: 0, status: 'stopped', exitCode: 0 });
    expect(isAlive(second.pid)).toBe(false);
    await expect.poll(() => pm2.exits()).toEqual(['0', '0']);
    expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }, { end_state: 'stopped' }]);
    expect(folder.holder()).toBeNull();
    expect(folder.files().filter((file) => !/^(pm2|var)\//.test(file))).toEqual(['kairos.yaml']);
  });

  test('a wrong configuration ends with 2 and is not started again and again, nor shown as online', async () => {
    folder.write('kairos.yaml', 'strategis: []\n');
    await pm2.start();
    await waitFor(() => pm2.exits()[0]);
    await pause(SEVERAL_RESTARTS_MS);
    expect(pm2.exits()).toEqual(['2']);
    // Its status reads `waiting restart`: pm2 names it so wherever there is a back-off, and plans none for these codes.
    expect(await pm2.app()).toMatchObject({ pid: 0, restarts: 0, exitCode: 2 });
    await expect.poll(() => pm2.errors()).toMatch(/^kairos: kairos\.yaml:1: strategis: .*\n$/);
  });

  test('a plain start after a live one is not live, though pm2 keeps the environment', async () => {
    await pm2.start('--env', 'live');
    // The settings do not say `mode: live`.
    await expect.poll(() => pm2.errors()).toMatch(/^kairos: --live or KAIROS_LIVE=yes is given/);
    await pm2.start();
    expect(await pm2.app()).toMatchObject({ status: 'online' });
    expect(await traded(0)).toBe(true);
  });
});
