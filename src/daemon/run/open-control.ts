import { buildOf, withBuild } from '#assembly/build-hash.ts';
import { scopeOf } from '#daemon/operations/armed-scope.ts';
import { Backtests } from '#daemon/operations/backtest/backtests.ts';
import { publish, tokenIn, withdraw } from '#daemon/operations/ops-files.ts';
import type { Millis } from '#domain/names.ts';
import { type OpsServer, openOps } from '#server/control/server.ts';
import { helloView } from '../page/hello-view.ts';
import { orderCheckView } from '../page/order-check-view.ts';
import { Page } from '../page/page.ts';
import { parametersView } from '../page/parameters-view.ts';
import { Control, type ControlOptions } from './control.ts';
import { Drill } from './drill.ts';
import { storedNow } from './stored.ts';

/** The running control server of a daemon. */
export interface ControlServer extends OpsServer {
  /** Needs halts by file and the broker's reports. */
  readonly drill: Drill;
}

/** Wall time of the watcher's last look. */
interface LastLook {
  at: Millis | null;
}

/** How often rows are counted without requests for metrics, in milliseconds. */
const COUNT_MS = 1_000;

/** Opens the running daemon's control server and publishes its address. Throws a KairosError. */
export async function openControl(options: ControlOptions): Promise<ControlServer> {
  const { config, timers, opened, engine, handleNow, halt } = options;
  const { host, port, token, tokens } = config.settings.ops;
  const { files } = opened;
  const drill = new Drill({ mode: config.mode, files, timers, engine, handleNow, halt });
  const backtests = new Backtests(options);
  const target = new Control(options, { drill, backtests });
  const watched: LastLook = { at: null };
  const page = pageOf(options, { target, backtests, watched });
  const stopCounting = timers.every(COUNT_MS, () => opened.metrics.count());
  const { formerPort } = opened;
  const key = token ?? tokenIn(files.token);
  const server = await openOps({
    host,
    port,
    formerPort,
    token: key,
    tokens: tokens ?? [],
    target,
    page: { target: page, timers },
    timers,
    onWatched: () => {
      watched.at = timers.wallMs();
    },
  });
  publish(files.ops, { pid: process.pid, url: server.url }, key);
  return {
    url: server.url,
    drill,
    async close() {
      withdraw(files.ops);
      stopCounting();
      await backtests.close();
      await server.close();
      await page.close();
    },
  };
}

function pageOf(
  { config, opened, engine, inbox, timers, channels, condition }: ControlOptions,
  { target, backtests, watched }: { readonly target: Control; readonly backtests: Backtests; readonly watched: LastLook },
): Page {
  const { hash: configHash, mode, settings, json } = config;
  const { run, strategies, service } = opened;
  return new Page({
    run,
    settings,
    timers,
    strategies: service.client.strategies,
    hello: helloView({ run, mode, journalPath: settings.journal.path, instance: opened.instance }),
    state: () => target.state(),
    turn: () => inbox.handled + backtests.turns,
    parameters: (id) => JSON.stringify(parametersView(target.strategyOf(id).strategy)),
    modules: () => JSON.stringify(backtests.modules()),
    orderCheck: (asked) => JSON.stringify(engine.inspect(({ preview }) => orderCheckView(preview.of(asked)))),
    metrics: async (pageClients) => {
      const stored = await storedNow(settings, timers);
      const { journalBusy, lagP99Ms } = condition();
      const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
      const resources = process.getActiveResourcesInfo();
      return opened.metrics.text({
        ...target.state(),
        journalBusy,
        lagP99Ms,
        pageClients,
        resources,
        listeners,
        stored: { ...stored, backupAt: opened.newestBackup.at },
        channels,
        watchedAt: watched.at,
      });
    },
    running: () => {
      const build = buildOf(strategies);
      return {
        mode,
        configHash,
        build: build.hash,
        config: withBuild(json, build),
        instance: opened.instance,
        scope: scopeOf({ settings, mode }),
      };
    },
  });
}
