import { fileURLToPath } from 'node:url';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#apps/assembly/package.ts';
import { keepCheckpoints } from '#apps/daemon/checkpoints-thread.ts';
import { Daemon } from '#apps/daemon/daemon.ts';
import { keepHeapSmall } from '#apps/daemon/memory-watch.ts';
import { Approved } from '#core/risk/risk.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { benchConfig } from '../settings.ts';
import { givenFacts, serve } from './child.ts';
import { installProbe } from './probe.ts';
import type { SideFacts, SideQuestion } from './protocol.ts';
import { SliceMeter } from './slice-meter.ts';

/** The real daemon on a real journal, as `kairos run` has it, with stages noted from outside. */
const { folder, baseUrl, user, lanes, passAll } = givenFacts<SideFacts>();
if (passAll) Approved.assess = ({ order }) => Reflect.construct(Approved, [order, false, []]);
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

const stopCheckpoints = keepCheckpoints(config.settings.journal.path, (_level, text) => console.error(`kairos: ${text}`));

serve<SideQuestion>(
  ({ ask }) => (ask === 'begin' ? meter.begin() : meter.end()),
  async () => {
    await daemon.stop('bench', 'measured');
    await stopCheckpoints();
  },
);
