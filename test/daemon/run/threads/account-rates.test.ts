import { expect, onTestFinished, test } from 'vitest';
import { openColumns } from '#adapters/recording/open-columns.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { DaemonFolder } from '../../../support/daemon-folder.ts';
import { waitFor } from '../../../support/wait-for.ts';

test('a daemon subscribes and records the lanes of account.rates, and has the rate of its account', async () => {
  const folder = new DaemonFolder('account-rates');
  const file = folder.write(
    'kairos.yaml',
    `account: { currency: eur, rates: [{ product: eurusd, amount: { base: 1000 } }] }
strategies:
  - { id: trend, use: sma-cross, product: btcusd, amount: { base: 0.01 } }
journal: { path: ${folder.journal} }
recording: { dir: ${folder.recordings} }
venue: { database: ':memory:', quotesPerSecond: 50 }
`,
  );
  const notices: string[] = [];
  const daemon = await Daemon.start({
    config: loadConfig({ files: [file], env: {}, cwd: folder.path, live: false, isVenue: true }),
    strategyFolders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    notice: (_, text) => notices.push(text),
    onFault: (error) => notices.push(`fault: ${String(error)}`),
  });
  onTestFinished(async () => {
    await daemon.stop('test', 'end');
    folder.remove();
  });
  const lanes = ['btcusd@base:0.01', 'eurusd@base:1000'];
  const quoted = () => daemon.inspect().lanes.flatMap(({ lane, quoteAt }) => (quoteAt === null ? [] : [{ lane: String(lane), quoteAt }]));
  await waitFor(() => (quoted().length === 2 ? true : undefined));
  const first = Math.max(...quoted().map(({ quoteAt }) => Date.parse(quoteAt)));
  // The rates are looked at each second.
  await waitFor(() => (quoted().every(({ quoteAt }) => Date.parse(quoteAt) > first + 2_500) ? true : undefined));
  expect(notices.filter((text) => /no lane leads|never stop trading|fault/.test(text))).toEqual([]);
  await daemon.stop('test', 'seen enough');
  const columns = openColumns(folder.recordings).columns;
  expect(columns.map(({ lane }) => String(lane)).sort()).toEqual(lanes);
  for (const { length } of columns) expect(length).toBeGreaterThan(1);
});
