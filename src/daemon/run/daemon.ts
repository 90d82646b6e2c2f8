import { type HaltNote, leaveHalt, standingHalt } from '#adapters/journal/control-files.ts';
import type { WireFeed } from '#adapters/service-client/quotes/feed.ts';
import { SystemClock } from '#adapters/time/system-clock.ts';
import { lanesOf } from '#assembly/assemble.ts';
import { shownInputs } from '#assembly/bound-inputs.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import { VERSION } from '#assembly/package.ts';
import { Redactor } from '#assembly/redactor.ts';
import { Engine } from '#core/engine/engine.ts';
import { Inbox } from '#core/engine/inbox.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { scrubTexts } from '#core/strategy/kept-text.ts';
import { remoteActionsOf } from '#daemon/operations/remote/remote-service.ts';
import type { InboxEvent } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import { JOURNAL_HELD } from '#domain/no-order-words.ts';
import type { Product } from '#domain/product.ts';
import type { Journal } from '#ports/journal.ts';
import { BESIDE } from './beside.ts';
import { connectService, lanesToLend } from './connect-service.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { EventIntake } from './event-intake.ts';
import { externalActions } from './external-actions.ts';
import { Heartbeat } from './heartbeat.ts';
import { JournalKeeper, watchedJournal } from './journal-keeper.ts';
import type { ControlServer } from './open-control.ts';
import { firstEvents, openAll, type PreviousRun, type RunResources } from './opening.ts';
import type { OrderLine } from './order-line.ts';
import { openReceivers, type Receivers } from './receivers.ts';
import { watchRotation } from './rotation.ts';
import { openSchedule, type Schedule } from './schedule.ts';
import { watchService } from './service-watch.ts';
import { haltUncaught, type UncaughtKind } from './strategy-faults.ts';
import { StrategyUse } from './strategy-use.ts';
import type { TimeKeeping } from './time-keeping.ts';
import { tellStall, type Watchdog } from './watchdog.ts';

/** Longest time until deferred rows and the inbox log are written, and that a stop waits for the answers of open orders, in milliseconds. */
const FLUSH_MS = 250;
const DRAIN_MS = 8_000;
/** How long a stop waits in all, in milliseconds: less than a process manager does. */
const STOP_MS = 9_500;
/** How long after a person asked for something a run is not ended for a rotation, in milliseconds: a rehearsal asks for balances in between. */
const HANDS_OFF_MS = 300_000;
/** How long before a line of the schedule a run is not ended for a rotation, in milliseconds: it takes 10 s for 100,000 decisions. */
const CLEAR_MS = 30_000;

/**
 * The running daemon: journal, recording, service or embedded venue, feed, broker and engine. It decides nothing: it
 * joins the parts, starts them in order and stops them in reverse.
 */
export class Daemon {
  readonly opened: RunResources;
  private readonly options: DaemonOptions;
  private readonly clock: SystemClock;
  private readonly latch = new HaltLatch();
  private readonly secrets: Redactor;
  private readonly keeper: JournalKeeper;
  private readonly line: OrderLine;
  private readonly feed: WireFeed;
  private readonly inbox: Inbox;
  private readonly intake: EventIntake;
  private readonly engine: Engine;
  private readonly schedule: Schedule;
  private readonly heartbeat: Heartbeat;
  /** What the watchdog told before the daemon began: its file may be gone since, and the gate is shut. */
  private early: HaltNote | undefined;
  private readonly watchdog: Pick<Watchdog, 'close' | 'hasLooked'>;
  private readonly use: StrategyUse;
  private ops: ControlServer | undefined;
  private receivers: Receivers | undefined;
  private readonly time: TimeKeeping;
  private readonly repeated: (() => void)[] = [];
  private stopped: Promise<void> | undefined;
  private failed = false;
  /** It ends by an error that a restart mends. */
  private isLeaving = false;
  private isHandedOver = false;
  /** As the service listed them last. */
  private products: readonly Product[];
  /** When a person asked for something last. */
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  private constructor(options: DaemonOptions, opened: RunResources) {
    this.options = options;
    this.opened = opened;
    this.products = opened.products;
    const { config, timers, notice, beside = BESIDE } = options;
    const { store, log, recovered, strategies } = opened;
    this.secrets = new Redactor(config.settings.service);
    scrubTexts(this.secrets.text);
    const post = (event: InboxEvent): void => this.intake.post(this.secrets.event(event));
    this.clock = new SystemClock(timers);
    const ids = strategies.map(({ strategy }) => strategy.id);
    this.heartbeat = new Heartbeat(ids);
    this.use = new StrategyUse({
      ...options,
      ...config,
      strategies,
      heartbeat: this.heartbeat,
      isDisabled: (id) => this.engine.inspect(({ host }) => host.isDisabled(id)),
      post,
      onLeave: (error) => {
        this.isLeaving = true;
        options.onLeave?.(error);
      },
    });
    const journal = watchedJournal(options.wrapJournal?.(store, recovered) ?? store, { ...opened, heartbeat: this.heartbeat, timers });
    this.keeper = new JournalKeeper({ journal, log });
    ({
      time: this.time,
      line: this.line,
      feed: this.feed,
    } = connectService(config, {
      ...options,
      opened,
      clock: this.clock,
      latch: this.latch,
      post: (event) => this.inbox.post(event),
      engine: () => this.engine,
    }));
    const heard = opened.silences.hearing(log);
    this.inbox = new Inbox({
      clock: this.clock,
      log: { ...heard, append: (event) => this.step(() => heard.append(event)) },
      first: recovered.lastInboxSeq + 1,
      soon: (drain) => setImmediate(() => this.guarded(() => this.use.duringTurn(drain))),
      handle: (event) => this.step(() => this.use.duringEvent(() => this.engine.handle(event))),
    });
    this.intake = new EventIntake({
      ...opened,
      inbox: this.inbox,
      keeper: this.keeper,
      timers,
      guarded: (work) => this.guarded(work),
      isFailed: () => this.failed,
      isHalted: () => this.engine.isHalted,
    });
    this.engine = this.engineOn(journal, post);
    this.schedule = openSchedule({ ...config, ...opened, timers, notice }, (line) => this.intake.due(line));
    this.watchdog = beside.startWatchdog({
      ...options,
      files: opened.files,
      latch: this.latch,
      heartbeat: this.heartbeat,
      strategies: ids,
      thread: opened.watching,
      onHalt: (note) => {
        if (this.phase === 'starting') this.early ??= note;
        else if (!this.ops?.drill.isOwn(note)) this.halt(note);
      },
    });
  }

  private engineOn(journal: Journal, post: (event: InboxEvent) => void): Engine {
    const { line, opened, options } = this;
    const { config, timers, notice, beside = BESIDE } = options;
    const { settings } = config;
    return new Engine({
      journal: line.journalTo(journal),
      broker: line.broker,
      ...(line.onUnknown && { onUnknown: line.onUnknown }),
      latch: this.latch,
      ...{ ...engineRules(settings, opened.strategies), mendEnables: opened.mendEnables },
      reserve: lanesToLend(settings.lanes, this.feed),
      onInside: (strategy) => this.use.enter(strategy),
      act: externalActions({ ...opened, ...beside, line, settings, timers, post, ended: this.intake.ended }),
      remote: remoteActionsOf(opened.service.client, timers, post),
      onNextDue: (at) => this.clock.wakeAt(at, () => this.inbox.post({ kind: 'wake' })),
      notice,
    });
  }

  /** Starts everything; on return lanes are opening. Throws a KairosError and leaves nothing running. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const undo: (() => Promise<void> | void)[] = [];
    try {
      const daemon = new Daemon(options, await openAll(options, undo));
      undo.push(() => daemon.watchdog.close());
      await daemon.listen(undo);
      undo.push(() => daemon.time.stop());
      daemon.begin();
      return daemon;
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw error;
    }
  }

  get lanes() {
    return lanesOf(this.options.config.settings);
  }

  /** Address of the control server. */
  get opsUrl(): string {
    return this.ops?.url ?? 'off';
  }

  /** Addresses for the service's notifications and for signals from outside; null where they are not received. */
  get listensAt(): Pick<Receivers, 'webhooksUrl' | 'signalsUrl'> {
    return this.receivers ?? { webhooksUrl: null, signalsUrl: null };
  }

  /** Its present state and time. */
  inspect() {
    return { now: this.clock.now(), journalBusy: this.keeper.isBusy, ...this.engine.snapshot(this.clock.now()) };
  }

  /** Shuts the last gate at once; the journal hears of it as soon as the inbox is drained, or at the next start. Idempotent. */
  halt({ who, why }: HaltNote): void {
    const { opened, options } = this;
    this.latch.set();
    if (!this.intake.ended.aborted) this.inbox.post({ kind: 'command', command: { act: 'halt', who, why } });
    else if (standingHalt(opened.files) === undefined) leaveHalt(opened.files, { who, why }, options.timers.wallMs());
  }

  /** Stops orders first, waits for open answers, then closes everything. Idempotent. */
  stop(who: string, why: string): Promise<void> {
    this.stopped ??= this.shutDown(who, why);
    return this.stopped;
  }

  /** Stops as `stop` does, but for the service: it stays open for the next run in this process. */
  async handOver(who: string, why: string): Promise<PreviousRun> {
    const { service, strategies } = this.opened;
    this.isHandedOver = true;
    await this.stop(who, why);
    return { service, strategies, products: this.products, opsPort: Number(new URL(this.opsUrl).port) };
  }

  /** Handles an uncaught error: one of a strategy disables it, any other halts. */
  uncaught(error: unknown, how: UncaughtKind): void {
    if (this.failed || !this.use.takes(error, how)) this.fault(error);
  }

  /** Halts trading at once because of an uncaught error. */
  fault(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.latch.set();
    const { opened, engine, secrets } = this;
    this.options.onFault(haltUncaught(error, { ...this.options, opened, engine, secrets }));
  }

  /** Opens the receivers, then the control server, which takes any free port: the last part that can fail, before anything trades. */
  private async listen(undo: (() => Promise<void> | void)[]): Promise<void> {
    const { config, timers, channels = new Map(), beside = BESIDE } = this.options;
    const { opened, engine, clock } = this;
    this.receivers = await openReceivers(
      beside,
      {
        settings: config.settings,
        opened,
        timers,
        serviceClock: this.time.serviceClock,
        inbox: this.inbox,
        settle: () => this.intake.settle(() => this.keeper.write()),
        isRunning: () => this.phase === 'running',
        notice: this.options.notice,
      },
      undo,
    );
    await this.watchdog.hasLooked;
    this.ops = await beside.openControl({
      config,
      timers,
      opened,
      engine,
      clock,
      handleNow: (asked) => {
        if ('act' in asked && asked.act === 'halt') this.latch.set();
        this.askedAtMs = timers.monotonicMs();
        return this.intake.handleNow(asked);
      },
      inbox: this.inbox,
      settle: () => this.intake.settle(),
      halt: (note) => this.halt(note),
      refusedSignals: this.receivers.refusedSignals,
      channels,
      strategyFolders: this.options.strategyFolders,
      notice: this.options.notice ?? (() => {}),
      condition: () => ({ phase: this.phase, journalBusy: this.keeper.isBusy, lagP99Ms: this.time.lagP99Ms }),
    });
    undo.push(() => this.ops?.close());
  }

  private begin(): void {
    const { config, timers, notice } = this.options;
    const { run, store, files } = this.opened;
    const note = standingHalt(files) ?? this.early;
    // Only now: a start that was refused is no run, and so no crash either.
    store.beginRun({ run, at: timers.wallMs(), mode: config.mode, version: VERSION, configHash: config.hash, configJson: config.json });
    this.line.connect((orderId, report) => {
      this.ops?.drill.heard(orderId, report);
      this.inbox.post(this.secrets.event({ kind: 'answer', orderId, report }));
      this.time.reported(report);
    });
    this.feed.connect(this.line.quotesTo(this.inbox));
    for (const event of firstEvents(this.opened, config)) this.inbox.post(event);
    if (note) this.halt(note);
    this.time.start();
    this.inbox.drain();
    tellStall(this.opened, notice);
    this.feed.openAll(this.lanes, shownInputs(this.opened.strategies));
    this.schedule.start();
    this.repeated.push(
      watchService(config, this.opened, {
        timers,
        notice,
        engine: this.engine,
        post: (event) => this.inbox.post(event),
        onProducts: (products) => {
          this.products = products;
        },
      }),
      timers.every(FLUSH_MS, () => this.guarded(() => this.intake.flush())),
      this.use.watch(),
    );
    const { onRotationDue } = this.options;
    if (onRotationDue)
      this.repeated.push(watchRotation(config.settings.journal, { timers, notice, underWay: () => this.underWay(), onDue: onRotationDue }));
    this.phase = 'running';
  }

  /** What an end of the run would cut off or leave open, in words; undefined at a quiet moment. */
  private underWay(): string | undefined {
    if (this.phase !== 'running') return `the daemon is ${this.phase}`;
    if (this.keeper.isBusy) return JOURNAL_HELD;
    if (this.ops?.drill.isUnderWay) return 'a drill is under way';
    const { next } = this.schedule;
    if (next && next.at - this.options.timers.wallMs() < CLEAR_MS) return `schedule ${next.name} is due at ${isoTime(next.at)}`;
    const isAsked = this.options.timers.monotonicMs() - this.askedAtMs < HANDS_OFF_MS;
    return isAsked ? 'a person has asked for something just now' : this.engine.underWay;
  }

  private async shutDown(who: string, why: string): Promise<void> {
    const { store, log, service, run } = this.opened;
    const until = this.options.timers.monotonicMs() + STOP_MS;
    this.guarded(() => {
      this.inbox.post({ kind: 'command', command: { act: 'stop', who, why } });
      this.inbox.drain();
    });
    this.phase = 'stopping';
    await this.receivers?.close();
    await this.schedule.stop();
    await this.time.stop();
    await this.feed.close();
    await this.line.close(DRAIN_MS);
    await this.intake.writeAll(until);
    this.clock.wakeAt(undefined, () => {});
    for (const stop of this.repeated) stop();
    await this.ops?.close();
    if (!this.options.ending?.hasBegun) await this.watchdog.close();
    store.end(run, this.failed || this.isLeaving ? 'crashed' : this.engine.isHalted ? 'halted' : 'stopped');
    store.close();
    log.close();
    if (!this.isHandedOver) await service.close();
  }

  /** One step of an event: what it throws halts, and what waits behind is handled all the same. A start fails by it. */
  private step(work: () => void): void {
    if (this.phase === 'starting') work();
    else this.guarded(work);
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(error);
    }
  }
}
