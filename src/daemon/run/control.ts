import { armedSince, isRehearsed, journalFacts } from '#adapters/journal/acts.ts';
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
import { leftOut } from '#daemon/operations/acts.ts';
import type { Backtests } from '#daemon/operations/backtest/backtests.ts';
import type { DrillResult } from '#domain/drill-result.ts';
import { KairosError } from '#domain/errors.ts';
import type { Command, OperatorCommand } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import type { ManualRequest, ManualTask, TakenRequest } from '#domain/manual-request.ts';
import { modeFacts } from '#domain/mode.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { orderText } from '#domain/order.ts';
import type { RemoteTask } from '#domain/remote.ts';
import { farFromQuote, resolvedFill } from '#domain/resolved-fill.ts';
import type { DueLine } from '#domain/schedule.ts';
import { noStrategy } from '#domain/unknown-strategy.ts';
import { UNREHEARSED } from '#domain/unrehearsed.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { WhyNotView } from '#domain/why-not.ts';
import type { Clock } from '#ports/clock.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { whyNotAnswer } from '#report/why-not.ts';
import type { FieldsOf } from '#server/control/endpoints.ts';
import type { OpsTarget, Settlement } from '#server/control/target.ts';
import type { BacktestView, StateView } from '#server/page/view.ts';
import { stateView } from '../page/state-view.ts';
import type { Drill } from './drill.ts';
import { type DaemonCondition, notReady } from './not-ready.ts';
import type { RunResources } from './opening.ts';
import { warningsNow } from './rate-watch.ts';
import type { CauseCounts } from './threads/refusals.ts';

export interface ControlOptions {
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

/** The running daemon for its control server: its state, and a method for each act of `ENDPOINTS`, which goes through the inbox. */
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

  halt(by: FieldsOf<'halt'>) {
    return this.journal({ act: 'halt', ...by });
  }

  pause(asked: FieldsOf<'pause'>) {
    return this.journal({ act: 'pause', ...asked });
  }

  enable(asked: FieldsOf<'enable'>) {
    return this.journal({ act: 'enable', ...asked });
  }

  resume(asked: FieldsOf<'resume'>) {
    return this.release({ act: 'resume', ...asked });
  }

  arm(asked: FieldsOf<'arm'>) {
    const since = this.armedSince(asked);
    if (since !== null) return { act: 'arm', ...asked, journaled: false, since, still: this.standing };
    return this.release({ act: 'arm', config: '', ...asked });
  }

  close(asked: FieldsOf<'close'>): TakenRequest {
    return this.byHand({ act: 'close', ...asked });
  }

  flatten(asked: FieldsOf<'flatten'>): TakenRequest {
    return this.byHand({ act: 'flatten', ...asked });
  }

  order(asked: FieldsOf<'order'>): TakenRequest {
    return this.byHand({ act: 'order', ...asked });
  }

  book(asked: FieldsOf<'book'>) {
    this.take({ act: 'book', ...asked }, 'nothing could be booked');
    return { ...asked, journaled: true };
  }

  resolve({ order: id, as, figures, far, who, why }: FieldsOf<'resolve'>): Settlement & { readonly journaled: true } {
    this.checkRuns();
    const order = this.options.engine.inspect(({ books }) => [...books.openOrders()].find((one) => one.id === id));
    if (order?.state !== 'unknown') {
      const text = order
        ? `order ${id} is ${order.state}: its answer is awaited`
        : `order ${id} has an outcome, and the first stands: \`kairos reconcile\` corrects the books`;
      throw new KairosError(order ? 'ACT_REFUSED' : 'NOT_OPEN', text);
    }
    const text = orderText(order);
    const slip = far ? undefined : farFromQuote(text, figures, this.options.config.settings.service.figureTolerancePct);
    if (slip !== undefined) throw new KairosError('USAGE', `${slip}: correct it, or say that it is meant (far)`);
    const fill = as === 'accepted' ? resolvedFill(text, figures) : null;
    this.take({ act: 'resolve', who, why, order: id, fill }, `${id} could not be settled in the journal`);
    return { order: id, as, fill, journaled: true };
  }

  accept(asked: FieldsOf<'accept'>) {
    const { config, inbox, settle } = this.options;
    this.checkRuns();
    const busy = (): KairosError =>
      new KairosError('OPS_UNAVAILABLE', 'the journal cannot be written now: look again with `notifications show`');
    // First everything that waits, which may have been accepted already.
    if (!settle()) throw busy();
    inbox.post({ kind: 'notification', notified: acceptanceOf(asked, config.settings) });
    if (!settle()) throw busy();
    return { ...asked, journaled: true };
  }

  schedule(asked: FieldsOf<'schedule'>) {
    const { config, clock, engine } = this.options;
    const { name, ...by } = asked;
    const line = config.settings.schedule.find((one) => one.name === name);
    if (!line) throw new KairosError('NOT_FOUND', `the daemon's schedule has no line ${JSON.stringify(name)}`);
    const { action, arguments: given, deadlineMs } = line;
    this.take({ name, action, arguments: given, deadlineMs, dueAt: clock.now(), by }, 'it could not be journaled');
    return { ...asked, id: engine.lastLineRun, journaled: true };
  }

  remote(asked: FieldsOf<'remote'>): RemoteTask {
    return this.atService({ act: 'remote', ...asked });
  }

  'settle-create'(asked: FieldsOf<'settle-create'>): RemoteTask {
    return this.atService({ act: 'settle-create', ...asked });
  }

  backtest(asked: FieldsOf<'backtest'>): BacktestView {
    this.strategyOf(asked.strategy);
    return this.backtests.start(asked);
  }

  'stop-backtest'({ who }: FieldsOf<'stop-backtest'>): BacktestView {
    return this.backtests.stop(who);
  }

  async drill(asked: WhoWhy): Promise<DrillResult> {
    this.checkRuns();
    return this.tried.perform(asked);
  }

  token() {
    return { right: true };
  }

  byHandTask(id: string): ManualTask | undefined {
    return this.options.engine.manualTask(id);
  }

  remoteTask(id: string): RemoteTask | undefined {
    return this.options.engine.remote.task(id);
  }

  /** Performs an act of a person. Returns what stands of all strategies after it. Throws as the act (`Acts`). */
  perform(act: OperatorCommand): readonly Latch['kind'][] {
    const { config, opened } = this.options;
    this.checkRuns();
    const of = 'strategy' in act && act.strategy !== null ? this.strategyOrLatched(act.strategy) : undefined;
    if (act.act === 'enable' && of?.strategy.enabled === false) throw leftOut(act.strategy);
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
    const command = act.act === 'arm' ? { ...act, config: withBuild(config.json, build), build: build.hash } : act;
    this.take(command, `the ${act.act} could not be journaled`);
    if (act.act === 'resume' && act.strategy === null) removeHalt(opened.files, seen);
    return this.standing;
  }

  /** What stands of all strategies. */
  private get standing(): readonly Latch['kind'][] {
    return this.options.engine.inspect(({ state }) => state.standing);
  }

  /** Since when what is to be armed is armed, and nothing but pauses stands; null where arming it changes something. */
  private armedSince({ configHash, build }: FieldsOf<'arm'>): string | null {
    const { config, clock, opened } = this.options;
    this.checkRuns();
    const running = { configHash: config.hash, build: buildOf(opened.strategies).hash };
    if (configHash !== running.configHash || (build !== '' && build !== running.build)) return null;
    return this.standing.every((kind) => kind === 'paused') ? armedSince(config.settings.journal.path, running, clock.now()) : null;
  }

  /** Begins a manual request. Throws as the act, and ACT_REFUSED if it is refused at once. */
  byHand(asked: ManualRequest): TakenRequest {
    const { opened, engine } = this.options;
    this.checkRuns();
    if (asked.act === 'close') this.checkBook(asked.strategy);
    const seen = haltsSeen(opened.files);
    const wasHalted = engine.isHalted;
    this.take(asked, `${asked.act} could not be journaled`);
    if (wasHalted && !engine.isHalted) removeHalt(opened.files, seen);
    const task = engine.manualTask();
    if (!task) throw new KairosError('OPS_UNAVAILABLE', 'nothing was begun');
    if (task.refused) throw new KairosError('ACT_REFUSED', `${asked.act} is refused: ${task.refused.why}`);
    return { ...task, journaled: this.isJournaled };
  }

  /** A strategy by its id. Throws NOT_FOUND. */
  strategyOf(id: string): LoadedStrategy {
    const found = this.options.opened.strategies.find(({ strategy }) => strategy.id === id);
    if (!found) throw noStrategy(id, this.configured());
    return found;
  }

  /** The same; undefined for one that the settings have no more, and that is paused or disabled still. */
  private strategyOrLatched(id: string): LoadedStrategy | undefined {
    if (this.configured().has(id)) return this.strategyOf(id);
    const { latches } = journalFacts(this.options.config.settings.journal.path);
    return latches.some(({ strategy }) => strategy === id) ? undefined : this.strategyOf(id);
  }

  private journal<Act extends OperatorCommand>(act: Act) {
    this.perform(act);
    return { ...act, journaled: this.isJournaled };
  }

  /** False while another program holds the journal: the row of what was taken follows. */
  private get isJournaled(): boolean {
    return !this.options.condition().journalBusy;
  }

  /** Performs what lets orders go out, and answers with what keeps them back all the same. */
  private release<Act extends OperatorCommand>(act: Act) {
    const still = this.perform(act);
    return { ...act, journaled: true, still };
  }

  /** Begins a request about the service's own strategies. Throws ACT_REFUSED if it is refused at once. */
  private atService(command: Extract<Command, { act: 'remote' | 'settle-create' }>): RemoteTask {
    const { config, engine } = this.options;
    this.checkRuns();
    if (!modeFacts(config.mode).sendsOrders)
      throw new KairosError('ACT_REFUSED', 'the daemon runs dry, and this would touch real strategies');
    this.take(command, 'nothing could be journaled');
    const task = engine.remote.task();
    if (!task) throw new KairosError('OPS_UNAVAILABLE', 'nothing was begun');
    if (task.refused !== null) throw new KairosError('ACT_REFUSED', `${task.action} is refused: ${task.refused}`);
    return task;
  }

  /** Gives the engine what a person asks for; journaled on return, or as `isJournaled` says. Throws OPS_UNAVAILABLE, or JOURNAL_FAULT, which begins with `failure`. */
  private take(asked: Command | DueLine, failure: string): void {
    this.checkRuns();
    if (!this.options.handleNow(asked)) throw new KairosError('JOURNAL_FAULT', `${failure}; the daemon is halted and ends`);
  }

  private checkRuns(): void {
    const { phase } = this.options.condition();
    if (phase !== 'running') throw new KairosError('OPS_UNAVAILABLE', `the daemon is ${phase}`);
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
