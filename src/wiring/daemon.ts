import { KairosError, messageOf } from '../domain/errors.ts';
import type { Command } from '../domain/event.ts';
import type { Journal } from '../ports/journal.ts';
import { SystemClock } from '../time/system-clock.ts';
import { RealTimeGate } from '../trading/last-gate.ts';
import { HaltLatch } from '../trading/latch.ts';
import { WireFeed } from '../wire/feed.ts';
import { lanesOf, productText } from './assemble.ts';
import { shownInputs } from './bound-inputs.ts';
import { type ControlServer, openControl } from './control.ts';
import { type HaltNote, leaveHalt, readHalt } from './control-files.ts';
import { Engine } from './engine.ts';
import { engineRules } from './engine-rules.ts';
import { Heartbeat } from './heartbeat.ts';
import { Inbox } from './inbox.ts';
import { limitedNotice, type Notice } from './notice.ts';
import { type Opened, type OpeningOptions, openAll, startFacts } from './opening.ts';
import { type OrderLine, orderLine } from './order-line.ts';
import { outside } from './outside.ts';
import { openSchedule, type Schedule } from './schedule.ts';
import { TimeKeeping } from './time-keeping.ts';
import { removeStall, Watchdog } from './watchdog.ts';
import { watchedJournal } from './watched-journal.ts';

/** Rows that wait, and the inbox log, are written at least this often. */
const FLUSH_MS = 250;
/** How long open orders may take to be answered after a stop. */
const DRAIN_MS = 8_000;

export interface DaemonOptions extends OpeningOptions {
  readonly notice: Notice;
  /** Called once when an error was handled nowhere: trading is halted by then, the process should end. */
  readonly onFault: (error: unknown) => void;
  /** Stands between the engine and its journal; for tests that make commits slow. */
  readonly wrapJournal?: (journal: Journal) => Journal;
}

/**
 * The running whole: journal, recording, service or embedded venue, feed, broker and engine. Nothing is decided here; it
 * joins the parts, starts them in their order and stops them in the reverse one.
 */
export class Daemon {
  readonly opened: Opened;
  private readonly options: DaemonOptions;
  private readonly clock: SystemClock;
  private readonly latch = new HaltLatch();
  private readonly journal: Journal;
  private readonly line: OrderLine;
  private readonly feed: WireFeed;
  private readonly inbox: Inbox;
  private readonly engine: Engine;
  private readonly schedule: Schedule;
  private readonly heartbeat: Heartbeat;
  private readonly watchdog: Watchdog;
  private ops: ControlServer | undefined;
  private readonly time: TimeKeeping;
  private stopFlushing: () => void = () => {};
  private stopped: Promise<void> | undefined;
  private failed = false;
  private phase: 'starting' | 'running' | 'stopping' = 'starting';
  private journalBusy = false;

  private constructor(options: DaemonOptions, opened: Opened) {
    this.options = options;
    this.opened = opened;
    const { config, timers, notice } = options;
    const { settings } = config;
    const { service, store, log, recovered, strategies } = opened;
    this.clock = new SystemClock(timers);
    const ids = strategies.map(({ strategy }) => strategy.id);
    this.heartbeat = new Heartbeat(ids);
    this.journal = watchedJournal(options.wrapJournal?.(store) ?? store, this.heartbeat);
    this.time = new TimeKeeping({
      settings: settings.clock,
      service,
      timers,
      clock: this.clock,
      post: (event) => this.inbox.post(event),
      onSuspension: (why) => {
        this.feed.replace(why);
        this.line.renew();
      },
      onRoundTrip: config.mode === 'dry' ? (ms) => this.line.onRoundTrip?.(ms) : undefined,
      notice,
    });
    const { serviceClock } = this.time;
    const gate = new RealTimeGate({ timers, serviceClock, latch: this.latch, marginMs: settings.trading.sendMarginMs });
    this.line = orderLine(config, {
      opened,
      timers,
      gate,
      serviceClock,
      notice,
      onConnectTrouble: (why, certificate) => {
        limited('warn', `orders: no connection can be opened ahead: ${why}`);
        if (certificate && !this.latch.isSet) this.inbox.post({ kind: 'condition', name: 'certificate', on: true, figure: 1 });
      },
    });
    const limited = limitedNotice(notice, timers);
    this.feed = new WireFeed({
      baseUrl: service.baseUrl,
      service: service.settings,
      timers,
      opensPerSecond: settings.lanes.opensPerSecond,
      reserve: settings.lanes.reserve,
      isUrgent: (lane) => this.engine.restsOn(lane),
      onRefusedFrame: (lane, why) => limited('warn', `lane ${lane}: a frame was refused: ${why}`),
    });
    this.inbox = new Inbox({
      clock: this.clock,
      log,
      first: recovered.lastInboxSeq + 1,
      soon: (drain) => setImmediate(() => this.guarded(drain)),
      handle: (event) => this.engine.handle(event),
    });
    this.engine = new Engine({
      journal: this.line.journalTo(this.journal),
      broker: this.line.broker,
      ...(this.line.onUnknown && { onUnknown: this.line.onUnknown }),
      latch: this.latch,
      ...engineRules(settings, strategies),
      reserve: {
        size: settings.lanes.reserve,
        waitMs: settings.lanes.waitMs,
        lend: (lane) => this.feed.lend(lane),
        giveBack: (lane) => this.feed.giveBack(lane),
      },
      onInside: (strategy) => this.heartbeat.enterStrategy(strategy),
      act: outside({ line: this.line, settings, timers, post: (event) => this.inbox.post(event) }),
      onNextDue: (at) => this.clock.wakeAt(at, () => this.inbox.post({ kind: 'wake' })),
      notice,
    });
    this.schedule = openSchedule({ settings, recovered, timers, notice }, (line) => this.inbox.post({ kind: 'due', line }));
    this.watchdog = new Watchdog({
      files: opened.files,
      latch: this.latch,
      heartbeat: this.heartbeat,
      strategies: ids,
      timers,
      onHalt: (note) => {
        if (!this.ops?.drill.isOwn(note)) this.halt(note);
      },
    });
  }

  /** Starts everything; on return lanes are being opened. Throws a KairosError, with nothing left running. */
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
    return lanesOf(this.options.config.settings.strategies, this.options.config.settings.lanes);
  }

  /** Where the control server listens. */
  get opsUrl(): string {
    return this.ops?.url ?? 'off';
  }

  get isHalted(): boolean {
    return this.engine.isHalted;
  }

  /** Shuts the last gate at once; the journal hears of it as soon as the inbox is drained. Idempotent. */
  halt({ who, why }: HaltNote): void {
    this.latch.set();
    this.inbox.post({ kind: 'command', command: { act: 'halt', who, why } });
  }

  /** Stops orders first, waits for open answers, then closes everything. Idempotent. */
  stop(who: string, why: string): Promise<void> {
    this.stopped ??= this.shutDown(who, why);
    return this.stopped;
  }

  /** Halts trading at once because of an error that was handled nowhere. */
  fault(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.latch.set();
    try {
      this.opened.store.makeRoom(error);
      this.engine.fault(error);
    } catch (second) {
      // The journal may be what failed: the latch is set all the same, and the process ends.
      leaveHalt(this.opened.files, `${messageOf(error)}; the halt could not be journaled`, this.options.timers.wallMs());
      this.options.notice('error', `the halt could not be journaled: ${messageOf(second)}`);
    }
    this.options.onFault(error);
  }

  /** Opens the control server: last of all that can fail, and before anything trades. */
  private async listen(undo: (() => Promise<void> | void)[]): Promise<void> {
    const { config, timers } = this.options;
    const { opened, engine, clock } = this;
    this.ops = await openControl({
      config,
      timers,
      opened,
      engine,
      clock,
      handleNow: (command) => this.handleNow(command),
      halt: (note) => this.halt(note),
      condition: () => ({ phase: this.phase, journalBusy: this.journalBusy }),
    });
    undo.push(() => this.ops?.close());
  }

  /** Does as commanded at once; false when it ended in a fault. */
  private handleNow(command: Command): boolean {
    if (command.act === 'halt') this.latch.set();
    this.guarded(() => {
      this.inbox.post({ kind: 'command', command });
      this.inbox.drain();
    });
    return !this.failed;
  }

  private begin(): void {
    const { config, timers, notice } = this.options;
    const { products, run, book, strategies, recovered, files, stall } = this.opened;
    const note = readHalt(files.halt) ?? readHalt(files.halted);
    if (note) this.latch.set();
    this.line.connect((orderId, report) => {
      this.ops?.drill.heard(orderId, report);
      this.inbox.post({ kind: 'answer', orderId, report });
      this.time.reported(report);
    });
    this.feed.connect(this.line.quotesTo(this.inbox));
    this.inbox.post({ kind: 'start', facts: startFacts({ config, run, book, strategies, recovered, stall }) });
    this.inbox.post({ kind: 'products', products: products.map(productText) });
    for (const feed of this.opened.warmUps) this.inbox.post({ kind: 'warmup', feed });
    if (note) this.halt(note);
    this.time.start();
    this.inbox.drain();
    if (stall && stall.strategy === null) notice('error', stall.why);
    removeStall(files.stall);
    this.feed.openAll(this.lanes, shownInputs(this.opened.strategies));
    this.schedule.start();
    this.stopFlushing = timers.every(FLUSH_MS, () => this.guarded(() => this.flush()));
    this.phase = 'running';
  }

  private async shutDown(who: string, why: string): Promise<void> {
    const { store, log, service, run } = this.opened;
    this.guarded(() => {
      this.inbox.post({ kind: 'command', command: { act: 'stop', who, why } });
      this.inbox.drain();
    });
    this.phase = 'stopping';
    await this.schedule.stop();
    await this.time.stop();
    await this.feed.close();
    await this.line.close(DRAIN_MS);
    this.guarded(() => {
      this.inbox.drain();
      this.flush();
    });
    this.clock.wakeAt(undefined, () => {});
    this.stopFlushing();
    await this.ops?.close();
    await this.watchdog.close();
    store.end(run, this.failed ? 'crashed' : this.engine.isHalted ? 'halted' : 'stopped');
    store.close();
    log.close();
    await service.close();
  }

  private flush(): void {
    this.opened.log.flush();
    try {
      this.journal.flush();
      this.journalBusy = false;
    } catch (error) {
      // A busy journal has written nothing and keeps the rows: they go with the next flush or commit.
      if (!(error instanceof KairosError) || error.code !== 'JOURNAL_BUSY') throw error;
      this.journalBusy = true;
    }
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(error);
    }
  }
}
