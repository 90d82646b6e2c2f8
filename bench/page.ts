import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { Page } from '#apps/daemon/page/page.ts';
import { stateView } from '#apps/daemon/page/state-view.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { openOps } from '#server/control/server.ts';
import type { OpsTarget } from '#server/control/target.ts';
import type { StateView } from '#server/page/view.ts';
import { Child } from './live/child.ts';
import type { PagesFacts, PagesQuestion, PagesReport } from './live/page-clients.ts';
import type { BenchOptions } from './options.ts';
import { type Latenesses, orderRatios, play, quoteMaker, TRADING, timedEngine } from './orders-in-time.ts';
import { pageLoad } from './page-load.ts';
import { ordersBesidePages } from './page-orders.ts';
import { REPLAY_START, type ReplayEngine } from './replay-engine.ts';
import type { BenchResult } from './result.ts';
import { inScratch } from './scratch.ts';
import { benchConfig } from './settings.ts';

const PAGES = 20;
const STALLED = 1;
/** Until the pages have been told what was there before, and the thread that reads the journal is warm. */
const SETTLE_MS = 1_500;

/**
 * From the frame to the order's first byte at the service of a whole daemon with twenty pages and without (`ordersBesidePages`), and, in one
 * process: from the time at which a quote is due to its order at the broker, the commit in it, while twenty pages listen, one of which
 * does not read, beside the same without pages. One engine on a journal on disk, the page's server in the same process, the
 * pages in another; in turns. Each order makes four rows, which every page is told. Then what pages cost a whole daemon.
 */
export async function benchPage({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const rounds = quick ? 2 : 7;
    const sliceMs = quick ? 500 : 10_000;
    const timed = await timedEngine(folder);
    const { engine, now } = timed;
    const { settings } = benchConfig({ folder, baseUrl: null, strategies: [TRADING] });
    const page = pageOf(engine, { ...settings, journal: { ...settings.journal, path: join(folder, 'engine.db') } }, now);
    const ops = await openOps({
      host: '127.0.0.1',
      port: null,
      token: 'nobody-asks-for-anything',
      target: idle(() => page.state()),
      page: { target: page, timers: systemTimers },
      timers: systemTimers,
    });
    const pages = Child.start('page-clients', { url: ops.url, pages: PAGES, stalled: STALLED } satisfies PagesFacts);
    const ask = <Reply>(question: PagesQuestion): Promise<Reply> => pages.ask<Reply>(question);
    const times: Latenesses = { with: [], without: [] };
    let told = { events: 0, bytes: 0 };
    try {
      const quotes = quoteMaker();
      for (let round = 0; round < rounds; round++) {
        for (const how of ['without', 'with'] as const) {
          if (how === 'with') await ask({ ask: 'begin' });
          await wait(quick ? 0 : SETTLE_MS);
          const found = await play(timed, { quotes, sliceMs });
          const { events = 0, bytes = 0 } = how === 'with' ? await ask<PagesReport>({ ask: 'end' }) : {};
          if (round === 0) continue;
          times[how].push(...found);
          told = { events: told.events + events, bytes: told.bytes + bytes };
        }
      }
    } finally {
      await pages.end();
      await ops.close();
      await page.close();
      engine.close();
    }
    const seconds = ((rounds - 1) * sliceMs) / 1000;
    return {
      name: 'twenty pages, one stalled',
      ratios: [...(await ordersBesidePages({ quick, pages: PAGES })), ...orderRatios(times, 'pages')],
      figures: [
        { label: 'events that a page is told a second', value: told.events / (PAGES - STALLED) / seconds, unit: '' },
        { label: 'kilobytes that a page is told a second', value: told.bytes / 1000 / (PAGES - STALLED) / seconds, unit: '' },
        ...(await pageLoad(join(folder, 'daemon'), { quick, pages: PAGES })),
      ],
    };
  });
}

function pageOf(engine: ReplayEngine, settings: ReturnType<typeof benchConfig>['settings'], now: () => number): Page {
  const state = (): StateView => {
    const facts = {
      run: 'bench',
      book: 'paper',
      mode: 'paper',
      version: 'bench',
      startedAt: isoTime(REPLAY_START),
      phase: 'running',
      service: 'http://127.0.0.1:1',
      embedded: true,
      pid: process.pid,
      notReady: [],
      currency: settings.account.currency,
      modules: new Map<string, string>(),
    } as const;
    return engine.inspect((parts) => stateView(facts, parts, now()));
  };
  return new Page({
    run: 'bench',
    settings,
    timers: systemTimers,
    hello: { run: 'bench', version: 'bench', mode: 'paper' },
    state,
    strategies: { find: async () => [] },
    turn: () => engine.handled(),
    orderCheck: () => '{}',
    running: () => ({ configHash: '', build: '', config: '{}' }),
    metrics: async () => ({ type: 'text/plain', text: '' }),
  });
}

/** Nobody asks it for anything but to be looked at. */
function idle(state: () => StateView): OpsTarget {
  const nothing = (): never => {
    throw new KairosError('OPS_UNAVAILABLE', 'nothing is done here');
  };
  return {
    state,
    whyNot: nothing,
    notReady: () => [],
    perform: nothing,
    book: nothing,
    resolve: nothing,
    accept: nothing,
    byHand: nothing,
    byHandTask: nothing,
    remote: nothing,
    remoteTask: nothing,
    runLine: nothing,
    drill: async () => nothing(),
  };
}
