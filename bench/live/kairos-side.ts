import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { RiskApproval } from '#core/risk/risk.ts';
import { runningDaemon } from '#daemon/operations/daemon-access.ts';
import { ask } from '#daemon/operations/ops-client.ts';
import { keepCheckpoints } from '#daemon/run/checkpoints-thread.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { keepHeapSmall } from '#daemon/run/memory-watch.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import type { BacktestView, StateView } from '#server/page/view.ts';
import { benchConfig } from '../settings.ts';
import { Child, givenFacts, serve } from './child.ts';
import type { PagesFacts, PagesQuestion, PagesReport } from './page-clients.ts';
import { installProbe } from './probe.ts';
import type { SideFacts, SideQuestion } from './protocol.ts';
import { SliceMeter } from './slice-meter.ts';

const TOLD_MS = 500;
const LOOK_MS = 50;
const BY = { who: 'bench', why: 'measured' };

/** The real daemon on a real journal, as `kairos run` has it, with stages noted from outside. */
const { folder, baseUrl, user, lanes, passAll, pages = 0 } = givenFacts<SideFacts>();
if (passAll) RiskApproval.assess = ({ order }) => Reflect.construct(RiskApproval, [order, false, []]);
const module = (name: string): string => fileURLToPath(new URL(`../strategies/${name}.ts`, import.meta.url));

keepHeapSmall();
const config = benchConfig({
  folder,
  baseUrl,
  user,
  strategies: lanes.map(({ product, size, trades }, index) => ({
    id: `lane-${index}`,
    use: module(trades ? 'alternate' : 'watch'),
    product,
    amount: { base: size },
  })),
});
const meter = new SliceMeter();
const traded = lanes.filter(({ trades }) => trades);
const wrapJournal = installProbe(
  meter,
  new Set(traded.map(({ product, size }) => laneFor(productCode(product), { base: decimalOf(size) }).id)),
);
const daemon = await Daemon.start({
  config,
  strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
  timers: systemTimers,
  notice: (level, text) => {
    if (level !== 'info') console.error(`kairos: ${level}: ${text}`);
  },
  onFault: (error) => {
    console.error(error);
    process.exit(1);
  },
  wrapJournal,
});

const control = runningDaemon(config.settings);

const stopCheckpoints = keepCheckpoints(config.settings.journal.path, (_level, text) => console.error(`kairos: ${text}`));

const watchers = pages === 0 ? null : Child.start('page-clients', { url: daemon.opsUrl, pages, stalled: 1 } satisfies PagesFacts);

let listening = false;
let isSweeping = false;

/** Starts the sweep of the slice, and waits until its trials are played. */
async function sweep(): Promise<void> {
  isSweeping = true;
  await ask('backtest', { ...BY, strategy: 'lane-0', vary: ['amount=0.0001..1:0.0001'] }, control);
  while ((await playing()).share === 0) await pause(LOOK_MS);
}

async function playing(): Promise<BacktestView> {
  const { backtest }: Pick<StateView, 'backtest'> = JSON.parse(await (await fetch(`${daemon.opsUrl}/api/state`)).text());
  if (backtest?.state === 'playing') return backtest;
  throw new Error(`the sweep does not play: ${backtest?.state} ${backtest?.says}`);
}

serve<SideQuestion>(
  async (question) => {
    if (question.ask === 'begin') {
      if (watchers && question.withPages) {
        listening = true;
        await watchers.ask({ ask: 'begin' } satisfies PagesQuestion);
        // Until the pages have been told what was there before.
        await pause(TOLD_MS);
      }
      if (question.withSweep) await sweep();
      return meter.begin();
    }
    const report = meter.end();
    if (isSweeping) {
      isSweeping = false;
      await playing();
      await ask('stop-backtest', BY, control);
    }
    if (!watchers || !listening) return report;
    listening = false;
    return { ...report, told: await watchers.ask<PagesReport>({ ask: 'end' } satisfies PagesQuestion) };
  },
  async () => {
    await watchers?.end();
    await daemon.stop('bench', 'measured');
    await stopCheckpoints();
  },
);
