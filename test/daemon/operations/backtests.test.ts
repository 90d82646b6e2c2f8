import path from 'node:path';
import { expect, test } from 'vitest';
import { configOfText } from '#config/config-text.ts';
import { loadConfig } from '#config/load.ts';
import type { BacktestChild, BacktestTask } from '#daemon/operations/backtest/backtest-process.ts';
import { Backtests } from '#daemon/operations/backtest/backtests.ts';
import { ROOT } from '../../support/root.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const HOUR_MS = 3_600_000;
const ASKED = { strategy: 'flip', use: undefined, hours: 24, vary: [], by: undefined, who: 'ann', why: 'to see' };
const SECRETS = { KAIROS_SERVICE_KEY: 'secret-of-test' };

/** A process that does what a test says. */
class Stub {
  readonly task: BacktestTask;
  isStopped = false;
  private tell: (told: BacktestChild['told']) => void = () => {};
  private fail: (error: unknown) => void = () => {};
  constructor(task: BacktestTask) {
    this.task = task;
  }
  onMessage(take: (told: BacktestChild['told']) => void): void {
    this.tell = take;
  }
  onError(take: (error: unknown) => void): void {
    this.fail = take;
  }
  async stop(): Promise<void> {
    this.isStopped = true;
  }
  tells(told: BacktestChild['told']): void {
    this.tell(told);
  }
  fails(error: unknown): void {
    this.fail(error);
  }
}

function bench() {
  const timers = new VirtualTimers();
  const lines: string[] = [];
  const begun: Stub[] = [];
  const set = [
    'journal.path=/srv/bot/var/kairos.db',
    'strategies=[{ id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7 } }]',
  ];
  const config = loadConfig({ files: null, set, env: SECRETS, cwd: '/srv/bot' });
  const backtests = new Backtests({
    config,
    strategyFolders: { cwd: '/srv/bot', packaged: path.join(ROOT, 'strategies') },
    timers,
    notice: (level, text) => lines.push(`${level} ${text}`),
    start: (task) => {
      const stub = new Stub(task);
      begun.push(stub);
      return stub;
    },
  });
  const last = (): Stub => {
    const stub = begun.at(-1);
    if (!stub) throw new Error('none was begun');
    return stub;
  };
  return { backtests, timers, lines, last, config };
}

test('a backtest tells how far it is and how long it takes, and names its report at the end', () => {
  const { backtests, timers, lines, last, config } = bench();
  expect(backtests.view).toBeNull();
  expect(backtests.start(ASKED)).toMatchObject({ kind: 'backtest', strategy: 'flip', state: 'playing', share: 0, leftMs: null });
  const { task } = last();
  expect(task).toMatchObject({ strategy: 'flip', from: timers.wallMs() - 24 * HOUR_MS, vary: [], by: null, cwd: '/srv/bot' });
  expect(task.file).toBe('/srv/bot/var/reports/backtest-flip-20260101T000000Z.html');
  expect(configOfText(task.config).hash).toBe(config.hash);
  expect(task.config).not.toContain(SECRETS.KAIROS_SERVICE_KEY);
  const before = backtests.turns;
  last().tells({ kind: 'share', share: 0 });
  timers.advance(20_000);
  last().tells({ kind: 'share', share: 0.25 });
  expect(backtests.view).toMatchObject({ share: 0.25, leftMs: 60_000 });
  expect(backtests.turns).toBeGreaterThan(before);
  last().tells({ kind: 'done', says: 'It made 3 usd.' });
  expect(backtests.view).toMatchObject({
    state: 'done',
    share: 1,
    leftMs: null,
    says: 'It made 3 usd.',
    report: 'backtest-flip-20260101T000000Z.html',
  });
  expect(lines).toEqual(['info ann plays a backtest of flip', 'info the backtest of flip is done: It made 3 usd.']);
});

test('a module that no strategy uses is played with the product, amount and budget of one, and its own parameters', () => {
  const { backtests, last, config } = bench();
  expect(backtests.modules()).toEqual(expect.arrayContaining(['coin-flip', 'ema-cross', 'grid']));
  expect(backtests.start({ ...ASKED, use: 'ema-cross' })).toMatchObject({ strategy: 'ema-cross' });
  const { task } = last();
  expect([task.strategy, task.file]).toEqual(['flip', '/srv/bot/var/reports/backtest-ema-cross-20260101T000000Z.html']);
  const [played] = configOfText(task.config).settings.strategies;
  expect(played).toEqual({ ...config.settings.strategies[0], use: 'ema-cross', params: {}, origin: 'its recording' });
  expect(configOfText(task.config).hash).not.toBe(config.hash);
  backtests.stop('ann');
  expect(() => backtests.start({ ...ASKED, use: '../elsewhere' })).toThrow('there is no strategy module ../elsewhere');
  expect(backtests.view).toMatchObject({ state: 'stopped' });
});

test('only one plays at a time; one that was stopped says by whom, and tells no more', () => {
  const { backtests, last } = bench();
  backtests.start({ ...ASKED, vary: ['seed=1,2,3'], by: 'netProfit' });
  const first = last();
  expect(first.task).toMatchObject({ vary: ['flip.seed=1,2,3'], by: 'netProfit', file: expect.stringContaining('/sweep-flip-') });
  first.tells({ kind: 'trials', count: 3 });
  expect(backtests.view).toMatchObject({ kind: 'sweep', trials: 3 });
  expect(() => backtests.start(ASKED)).toThrow('a sweep of flip plays: wait for its end, or stop it');
  expect(backtests.stop('bob')).toMatchObject({ state: 'stopped', says: 'stopped by bob', report: null });
  expect(first.isStopped).toBe(true);
  first.tells({ kind: 'done', says: 'late' });
  expect(backtests.view).toMatchObject({ state: 'stopped' });
  expect(() => backtests.stop('bob')).toThrow('no backtest plays');
  expect(backtests.start(ASKED)).toMatchObject({ state: 'playing' });
});

test('one that fails says why in its own line; one that takes an hour is stopped; all end with the daemon', async () => {
  const { backtests, timers, lines, last } = bench();
  backtests.start(ASKED);
  last().fails(new Error("the process 'backtest' needed more than its 512 MB"));
  expect(backtests.view).toMatchObject({ state: 'failed', says: "the process 'backtest' needed more than its 512 MB", report: null });
  expect(lines.at(-1)).toBe("warn the backtest of flip is failed: the process 'backtest' needed more than its 512 MB");
  backtests.start(ASKED);
  timers.advance(HOUR_MS - 1);
  expect(backtests.view).toMatchObject({ state: 'playing' });
  timers.advance(1);
  expect(backtests.view).toMatchObject({ state: 'failed', says: expect.stringContaining('more than an hour') });
  expect(last().isStopped).toBe(true);
  backtests.start(ASKED);
  await backtests.close();
  expect(last().isStopped).toBe(true);
  timers.advance(HOUR_MS);
  expect(backtests.view).toMatchObject({ state: 'playing' });
});
