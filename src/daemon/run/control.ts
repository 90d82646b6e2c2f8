import { isRehearsed } from '#adapters/journal/acts.ts';
import { type HaltNote, haltsSeen, removeHalt } from '#adapters/journal/control-files.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { buildOf, withBuild } from '#assembly/build-hash.ts';
import { VERSION } from '#assembly/package.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import { acceptanceOf } from '#daemon/operations/acceptance.ts';
import { scopeOf } from '#daemon/operations/armed-scope.ts';
import { Backtests } from '#daemon/operations/backtest/backtests.ts';
import { publish, tokenIn, withdraw } from '#daemon/operations/ops-files.ts';
import type { DrillResult } from '#domain/drill-result.ts';
import { KairosError } from '#domain/errors.ts';
import type { Command, OperatorCommand } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import type { ManualRequest, ManualTask } from '#domain/manual-request.ts';
import { modeFacts } from '#domain/mode.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { orderText } from '#domain/order-text.ts';
import type { RemoteTask } from '#domain/remote.ts';
import { resolvedFill } from '#domain/resolved-fill.ts';
import type { DueLine } from '#domain/schedule.ts';
import { noStrategy } from '#domain/unknown-strategy.ts';
import { UNREHEARSED } from '#domain/unrehearsed.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { WhyNotView } from '#domain/why-not.ts';
import type { Clock } from '#ports/clock.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { whyNotAnswer } from '#report/why-not.ts';
import type { AcceptRequest, BacktestRequest, BookRequest, LineRequest, ResolveRequest } from '#server/control/bodies.ts';
import { type OpsServer, openOps } from '#server/control/server.ts';
import type { OpsTarget, RemoteCommand, Settlement } from '#server/control/target.ts';
import type { BacktestView, StateView } from '#server/page/view.ts';
import { helloView } from '../page/hello-view.ts';
import { orderCheckView } from '../page/order-check-view.ts';
import { Page } from '../page/page.ts';
import { parametersView } from '../page/parameters-view.ts';
import { stateView } from '../page/state-view.ts';
import { Drill } from './drill.ts';
import { type DaemonCondition, notReady } from './not-ready.ts';
import type { RunResources } from './opening.ts';
import { warningsNow } from './rate-watch.ts';
import { storedNow } from './stored.ts';
import type { CauseCounts } from './threads/refusals.ts';

interface ControlOptions {
  readonly config: LoadedConfig;
  readonly timers: Timers;
  readonly opened: RunResources;
  readonly engine: Engine;
  readonly clock: Pick<Clock, 'now'>;
  /** Takes what a person asked for, behind everything that waits; false if that ended in a fault. Throws where the journal is held. */
  readonly handleNow: (asked: Command | DueLine) => boolean;
  readonly inbox: Pick<Inbox, 'post' | 'handled'>;
  /** Handles and commits everything that waits; false if the journal could not. */
  readonly settle: () => boolean;
  /** Shuts the gate for good. */
  readonly halt: (note: HaltNote) => void;
  readonly refusedSignals: CauseCounts;
  readonly channels: ReadonlyMap<string, boolean>;
  /** The user's folder of strategy modules. */
  readonly strategyFolders: LoaderOptions;
  readonly notice: Notice;
  readonly condition: () => DaemonCondition & { readonly lagP99Ms: number };
}

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
      const stored = await storedNow(settings);
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
        stored,
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

/** The running daemon for its control server: its state, and the acts of a person, which go through the inbox. */
export class Control implements OpsTarget {
  private readonly options: ControlOptions;

  private readonly tried: Drill;

  private readonly backtests: Backtests;

  private readonly startedAt: Millis;

  constructor(options: ControlOptions, { drill, backtests }: { readonly drill: Drill; readonly backtests: Backtests }) {
    this.options = options;
    this.startedAt = options.timers.wallMs();
    this.tried = drill;
    this.backtests = backtests;
  }

  state(): StateView {
    const { config, opened, engine, clock, condition, refusedSignals } = this.options;
    const { run, book, service } = opened;
    const { settings, mode } = config;
    const facts = {
      run,
      book,
      mode,
      version: VERSION,
      startedAt: isoTime(this.startedAt),
      phase: condition().phase,
      service: service.baseUrl,
      embedded: service.embedded,
      pid: process.pid,
      notReady: this.notReady(),
      backtest: this.backtests.view,
      currency: settings.account.currency,
      sources: settings.signals.sources,
      refusedSignals,
      modules: new Map(settings.strategies.map(({ id, use }) => [id, use])),
    };
    return engine.inspect((parts) => {
      const { warnings, isWhole } = warningsNow({ settings, latest: (lane) => parts.market.latest(lane) });
      return stateView({ ...facts, rateWarnings: isWhole ? warnings : [] }, parts, clock.now());
    });
  }

  whyNot(): WhyNotView {
    const { opened, engine, clock } = this.options;
    return { pid: process.pid, version: VERSION, run: opened.run, answers: opened.silences.at(clock.now(), engine).map(whyNotAnswer) };
  }

  notReady(): readonly string[] {
    const { config, engine, clock, condition } = this.options;
    return notReady(engine.snapshot(clock.now()), { ...condition(), settings: config.settings });
  }

  perform(act: OperatorCommand): readonly Latch['kind'][] {
    const { config, engine, opened, handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    if ('strategy' in act && act.strategy !== null) this.strategyOf(act.strategy);
    if (act.act === 'arm' && act.configHash !== config.hash) {
      throw new KairosError('CONFIG_INVALID', 'the daemon runs another configuration than the one to be armed: arm that, or restart it');
    }
    // One that is written from here on halts again.
    const seen = haltsSeen(opened.files);
    const build = buildOf(opened.strategies);
    if (act.act === 'arm' && act.build !== '' && act.build !== build.hash) {
      throw new KairosError(
        'CONFIG_INVALID',
        'the daemon runs other code than what is to be armed, of Kairos or of a strategy: restart it first',
      );
    }
    if (act.act === 'arm' && modeFacts(config.mode).isRealMoney && act.unrehearsed !== true && !isRehearsed(config.settings.journal.path)) {
      throw new KairosError('ACT_REFUSED', UNREHEARSED);
    }
    if (!handleNow(act.act === 'arm' ? { ...act, config: withBuild(config.json, build), build: build.hash } : act))
      throw new KairosError('JOURNAL_FAULT', `the ${act.act} could not be journaled; the daemon is halted and ends`);
    if (act.act === 'resume' && act.strategy === null) removeHalt(opened.files, seen);
    return engine.inspect(({ state }) => state.standing);
  }

  book(asked: BookRequest): void {
    const { handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    if (!handleNow({ act: 'book', ...asked }))
      throw new KairosError('JOURNAL_FAULT', 'nothing could be booked; the daemon is halted and ends');
  }

  resolve({ order: id, as, figures, who, why }: ResolveRequest): Settlement {
    const { engine, handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    const order = engine.inspect(({ books }) => [...books.openOrders()].find((one) => one.id === id));
    if (order?.state !== 'unknown') {
      const text = order
        ? `order ${id} is ${order.state}: its answer is awaited`
        : `order ${id} has an outcome, and the first stands: \`kairos reconcile\` corrects the books`;
      throw new KairosError(order ? 'ACT_REFUSED' : 'NOT_OPEN', text);
    }
    const fill = as === 'accepted' ? resolvedFill(orderText(order), figures) : null;
    if (!handleNow({ act: 'resolve', who, why, order: id, fill }))
      throw new KairosError('JOURNAL_FAULT', `${id} could not be settled in the journal; the daemon is halted and ends`);
    return { order: id, as, fill };
  }

  accept(asked: AcceptRequest): void {
    const { config, inbox, settle, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    const busy = (): KairosError =>
      new KairosError('OPS_UNAVAILABLE', 'the journal cannot be written now: look again with `notifications show`');
    // First everything that waits, which may have been accepted already.
    if (!settle()) throw busy();
    inbox.post({ kind: 'notification', notified: acceptanceOf(asked, config.settings) });
    if (!settle()) throw busy();
  }

  byHand(asked: ManualRequest): ManualTask {
    const { opened, engine, handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    if (asked.act === 'close') this.checkBook(asked.strategy);
    const seen = haltsSeen(opened.files);
    const wasHalted = engine.isHalted;
    if (!handleNow(asked)) throw new KairosError('JOURNAL_FAULT', `${asked.act} could not be journaled; the daemon is halted and ends`);
    if (wasHalted && !engine.isHalted) removeHalt(opened.files, seen);
    const task = engine.manualTask();
    if (!task) throw new KairosError('OPS_UNAVAILABLE', 'nothing was begun');
    if (task.refused) throw new KairosError('ACT_REFUSED', `${asked.act} is refused: ${task.refused.why}`);
    return task;
  }

  byHandTask(id: string): ManualTask | undefined {
    return this.options.engine.manualTask(id);
  }

  remote(command: RemoteCommand): RemoteTask {
    const { config, engine, handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    if (!modeFacts(config.mode).sendsOrders)
      throw new KairosError('ACT_REFUSED', 'the daemon runs dry, and this would touch real strategies');
    if (!handleNow(command)) throw new KairosError('JOURNAL_FAULT', 'nothing could be journaled; the daemon is halted and ends');
    const task = engine.remote.task();
    if (!task) throw new KairosError('OPS_UNAVAILABLE', 'nothing was begun');
    if (task.refused !== null) throw new KairosError('ACT_REFUSED', `${task.action} is refused: ${task.refused}`);
    return task;
  }

  remoteTask(id: string): RemoteTask | undefined {
    return this.options.engine.remote.task(id);
  }

  runLine({ name, who, why }: LineRequest): void {
    const { config, clock, handleNow, condition } = this.options;
    const { phase } = condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    const line = config.settings.schedule.find((one) => one.name === name);
    if (!line) throw new KairosError('NOT_FOUND', `the daemon's schedule has no line ${JSON.stringify(name)}`);
    const { action, arguments: given, deadlineMs } = line;
    if (!handleNow({ name, action, arguments: given, deadlineMs, dueAt: clock.now(), by: { who, why } }))
      throw new KairosError('JOURNAL_FAULT', 'it could not be journaled; the daemon is halted and ends');
  }

  backtest(asked: BacktestRequest): BacktestView {
    this.strategyOf(asked.strategy);
    return this.backtests.start(asked);
  }

  stopBacktest(who: string): BacktestView {
    return this.backtests.stop(who);
  }

  async drill(asked: WhoWhy): Promise<DrillResult> {
    const { phase } = this.options.condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
    return this.tried.perform(asked);
  }

  /** A strategy by its id. Throws NOT_FOUND. */
  strategyOf(id: string): LoadedStrategy {
    const found = this.options.opened.strategies.find(({ strategy }) => strategy.id === id);
    if (!found) throw noStrategy(id, this.configured());
    return found;
  }

  /** A book may be of a strategy that runs no more. */
  private checkBook(id: string): void {
    const books = this.options.engine.inspect((parts) => [...parts.books.positions()].map(({ strategy }) => strategy));
    const known = new Set([...this.configured(), MANUAL_BOOK, ...books]);
    if (!known.has(id)) throw noStrategy(id, known);
  }

  private configured(): ReadonlySet<string> {
    return new Set(this.options.opened.strategies.map(({ strategy }) => strategy.id));
  }
}
