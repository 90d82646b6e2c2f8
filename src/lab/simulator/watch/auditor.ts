import { answerOf } from '#adapters/journal/acts.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { lanesOf } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { isLentLane } from '#domain/lane.ts';
import type { Disk } from '#lab/simulator/daemon/disk.ts';
import type { ActWatch } from '#lab/simulator/daemon/operator.ts';
import type { DaemonProcess } from '#lab/simulator/daemon/process.ts';
import type { LivesWatch, Supervisor } from '#lab/simulator/daemon/supervisor.ts';
import { CALM_MS } from '#lab/simulator/plan/plan.ts';
import type { FeedWatch } from '#lab/simulator/service/feed-connection.ts';
import type { HttpConnection, HttpWatch } from '#lab/simulator/service/http-connection.ts';
import { isOrderPath, type WireRequest } from '#lab/simulator/service/http-text.ts';
import type { NotifierWatch } from '#lab/simulator/service/notifier.ts';
import { isCreate } from '#lab/simulator/service/own-strategies.ts';
import type { QuoteFrame } from '#lab/simulator/service/quote-frames.ts';
import { LOGIN, type Scene, USER } from '#lab/simulator/service/scene.ts';
import type { SimulatedService } from '#lab/simulator/service/service.ts';
import { checkBackups } from './backup-check.ts';
import { BooksWatch } from './books-watch.ts';
import { ChainWatch } from './chain-check.ts';
import { FeedConnections } from './feed-watch.ts';
import { checkFigures } from './figures-check.ts';
import type { Violate, Violation } from './finding.ts';
import { JournalEye } from './journal-eye.ts';
import { LatchWatch } from './latch-watch.ts';
import { checkMoney } from './money-check.ts';
import { OrderWatch } from './order-watch.ts';
import { OutcomeWatch } from './outcome-watch.ts';
import { ProcessesWatch } from './processes-watch.ts';
import { checkRecordings } from './recording-check.ts';
import { RemoteWatch } from './remote-watch.ts';
import { checkFinancing, checkSchedule } from './schedule-check.ts';
import { checkSecrets } from './secret-check.ts';
import { checkOpening } from './tables-check.ts';

export type { Violation } from './finding.ts';

/** Observes wire, disk and state from outside, and checks the invariants. It uses none of Kairos's own checks. */
export class Auditor implements FeedWatch, HttpWatch, LivesWatch, ActWatch, NotifierWatch {
  violation: Violation | null = null;
  quotes = 0;
  lives = 0;
  private readonly found: Violate = (invariant, what) => this.violate(invariant, what);
  private readonly scene: Scene;
  private readonly disk: Disk;
  private readonly eye: JournalEye;
  private readonly chain: ChainWatch;
  private readonly feed: FeedConnections;
  private readonly wire: OrderWatch;
  private readonly outcomes: OutcomeWatch;
  readonly remote: RemoteWatch;
  private readonly processes: ProcessesWatch;
  private readonly latches: LatchWatch;
  private startedAt = 0;
  private hasCrashed = false;
  /** When trading last left ACTIVE. */
  private latchedAt = 0;
  private books: BooksWatch | null = null;
  private service: SimulatedService | null = null;
  private supervisor: Supervisor | null = null;
  /** Transfers answered 2xx, which the service does not send again. */
  private readonly taken = new Set<string>();

  constructor(scene: Scene, disk: Disk) {
    const violate = this.found;
    const isHeld = (): boolean => this.supervisor?.isJournalHeld === true;
    this.scene = scene;
    this.disk = disk;
    this.eye = new JournalEye(disk.journal);
    this.chain = new ChainWatch(this.eye, disk, violate);
    this.feed = new FeedConnections(scene, violate);
    this.wire = new OrderWatch({ scene, eye: this.eye, feed: this.feed, quoteOf: (id) => this.service?.issued.find(id), violate });
    this.processes = new ProcessesWatch(scene, () => this.supervisor, violate);
    this.latches = new LatchWatch({ scene, eye: this.eye, running: () => this.supervisor?.running ?? null, isHeld, violate });
    this.remote = new RemoteWatch({
      scene,
      eye: this.eye,
      violate,
      strategies: () => this.service?.strategies,
      running: () => {
        const seen = this.supervisor?.running?.daemon?.inspect();
        return seen ? { since: this.startedAt, trading: seen.trading } : null;
      },
    });
    this.outcomes = new OutcomeWatch({ scene, orderOn: (quoteId) => this.wire.orders.get(quoteId), isHeld, violate });
  }

  meet(service: SimulatedService, supervisor: Supervisor): void {
    this.service = service;
    this.supervisor = supervisor;
    const { scene, eye, found: violate, wire } = this;
    this.books = new BooksWatch({ scene, books: service.books, eye, orders: wire.orders, latches: () => this.latches.rows, violate });
  }

  get orders(): number {
    return this.wire.orders.size;
  }

  /** Records a violation; the first one counts. */
  violate(invariant: string, what: string): void {
    if (this.violation !== null) return;
    this.violation = { invariant, what, at: this.scene.world.now };
    this.scene.history.tell(`${invariant} does not hold: ${what}`);
  }

  quoteOf(order: string): string | undefined {
    return this.eye.quoteOf(order);
  }

  hasReason(why: string): boolean {
    return this.eye.rows("SELECT 1 FROM decisions WHERE json_extract(detail, '$.why') = ?", why).length > 0;
  }

  step(): void {
    this.outcomes.step();
    this.processes.step();
    this.latches.step();
  }

  /** Checks that everything is live a minute after the last fault (I26), and that there was something to judge. */
  judgeCalm(): void {
    const seen = this.supervisor?.running?.daemon?.inspect();
    if (!seen) {
      this.violate('I26', 'no daemon runs, a minute after the last fault');
      return;
    }
    const dead = seen.lanes.filter(({ lane, untradable }) => untradable !== null && !isLentLane(lane));
    if (dead.length > 0) this.violate('I26', `a minute after the last fault lane ${dead[0]?.lane} is not tradable: ${dead[0]?.untradable}`);
    if (seen.time.reason !== null)
      this.violate('I26', `a minute after the last fault the service's time is not known: ${seen.time.reason}`);
    if (seen.trading !== 'ACTIVE' && this.latchedAt <= this.scene.world.now - CALM_MS)
      this.violate('I26', `trading is ${seen.trading} since more than a minute, with a person at hand and no fault`);
    const unsettled = seen.orders.filter(({ order, state }) => state === 'unknown' && !this.isRecent(order));
    if (unsettled.length > 0)
      this.violate('I26', `order ${unsettled[0]?.order} is unknown since more than a minute, with a person at hand and no fault`);
    if ((this.service?.books.executed.size ?? 0) === 0) this.violate('idle', 'nothing was traded, so nothing was tested');
  }

  /** True if an order was written in the last minute, or never, and the last start was then: a person settles one unknown at a time. */
  private isRecent(orderId: string): boolean {
    const at = this.wire.orders.get(this.eye.quoteOf(orderId) ?? '')?.at ?? this.startedAt;
    return at > this.scene.world.now - CALM_MS;
  }

  /** Checks the disk at the end. */
  async judgeEnd(strategiesOf: (settings: Settings) => readonly LoadedStrategy[]): Promise<void> {
    const { eye, service, supervisor, found: violate } = this;
    if (!service || !supervisor) return;
    this.chain.check();
    checkMoney({ eye, books: service.books, wire: this.wire.orders, taken: this.taken, dialect: this.scene.dialect, violate });
    checkFigures(eye, this.scene, violate);
    checkOpening(eye, this.scene.plan, violate);
    checkSecrets(this.disk.folder, violate);
    this.remote.judgeEnd();
    checkSchedule(eye, this.scene, violate);
    checkFinancing(eye, this.scene, violate);
    checkBackups(eye, this.disk.backups, violate);
    if (this.violation === null) await checkRecordings({ eye, settings: supervisor.config.settings, strategiesOf, violate });
    this.scene.history.note(`the journal ends at row ${this.chain.end.seq}, ${this.chain.end.hash}`);
  }

  close(): void {
    this.eye.close();
  }

  delivered(frame: QuoteFrame, connection: number): void {
    this.quotes += 1;
    this.feed.delivered(frame, connection);
    if (frame.quote !== null) this.books?.delivered(frame.quote);
  }

  subscribed(connection: number, query: string, isAcked: boolean): void {
    this.feed.subscribed(connection, query, isAcked);
    this.books?.subscribed(query);
  }

  closed(connection: number): void {
    this.feed.closed(connection);
  }

  wrote(request: WireRequest, connection: HttpConnection): void {
    if (isCreate(request)) this.remote.creating();
    if (!isOrderPath(request.path)) return;
    const order = this.wire.wrote(request, connection);
    if (order) this.books?.wrote(order);
  }

  came(connection: HttpConnection, answer: { readonly bytes: Buffer; readonly isClear: boolean }): void {
    const order = this.wire.came(connection, answer);
    if (order && answer.isClear) this.outcomes.executed(order);
  }

  notice(level: string, text: string): void {
    this.scene.history.tell(`daemon ${level}: ${text}`);
    if ([USER.secret, USER.apiKey, LOGIN.password].some((secret) => text.includes(secret)))
      this.violate('I15', `a secret stands in what is reported to a person: ${text}`);
    this.outcomes.notice(text);
  }

  committed(decisions: readonly Decision[]): void {
    for (const decision of decisions) {
      this.outcomes.committed(decision);
      this.latches.committed(decision);
      this.books?.committed(decision);
      const isAsked =
        decision.kind !== 'resolved' || decision.detail.who !== 'service' || this.service?.queries.asked.has(decision.quoteId ?? '');
      if (!isAsked) this.violate('I04', `order ${decision.orderId} is resolved by the service, which was not asked`);
      if (decision.kind === 'approved') this.wire.approved(decision.quoteId ?? '');
      if (decision.kind === 'armed') this.processes.armed();
      if (decision.kind === 'halted') this.wire.stop(decision.detail.why);
      if (decision.kind === 'halted' || decision.kind === 'reducing' || decision.kind === 'disarmed') this.latchedAt = this.scene.world.now;
      if (decision.kind === 'resumed' && decision.strategy === null) this.wire.stop(null);
    }
  }

  opening(): void {
    this.feed.opening();
  }

  starting(): void {
    this.lives += 1;
    this.startedAt = this.scene.world.now;
    this.wire.starting(this.supervisor?.config.settings.trading.sendMarginMs ?? 0);
    const settings = this.supervisor?.config.settings;
    if (!settings) return;
    // On damaged files no process starts, and they may say anything.
    if (!this.supervisor?.isDamaged) {
      this.chain.check();
      this.readOwed();
      this.latches.starting();
      this.books?.starting(settings, this.hasCrashed);
    }
    const books = new Set(settings.strategies.flatMap(({ use, product }) => (use === 'book-imbalance' ? [product] : [])));
    this.feed.expect(lanesOf(settings).length + books.size + settings.lanes.reserve);
  }

  /** Whoever reads a journal sees each order that was permitted, also where a crash has left its row owing. */
  private readOwed(): void {
    const owed = this.eye.rows<{ order_id: string }>(
      "SELECT order_id FROM decisions d WHERE kind = 'approved' AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.order_id = d.order_id)",
    );
    if (owed.length === 0) return;
    const seen = new Set(answerOf(this.disk.journal, (reader) => reader.openOrders())?.map(({ order_id }) => order_id));
    for (const { order_id } of owed)
      if (!seen.has(order_id)) this.violate('I08', `order ${order_id} was permitted, and a reader does not see it`);
  }

  started(): void {
    this.processes.started();
  }

  unnoticed(ms: number): void {
    this.processes.unnoticed(ms);
  }

  leftOver(timers: number, connections: number): void {
    this.processes.leftOver(timers, connections);
  }

  threw(process: DaemonProcess): void {
    this.wire.stop('an error that nobody caught');
    this.processes.threw(process);
  }

  failed(error: unknown): void {
    this.processes.failed(error);
    this.outcomes.failed(error);
  }

  haltLost(what: string): void {
    this.violate('I32', `${what} is gone, and nobody ended that halt`);
  }

  blind(what: string): void {
    this.violate('I20', `the daemon starts on a journal of which ${what}`);
  }

  doubled(): void {
    this.violate('I29', 'a second process has started on the journal of the first');
  }

  ended(how: 'crash' | 'stop' | 'fault'): void {
    this.hasCrashed = how === 'crash';
    if (this.hasCrashed) this.wire.crashed();
    else this.disk.settle();
    this.outcomes.ended(how);
    this.eye.close();
  }

  /** What a person has begun anew is measured from where the next process finds it, as after a crash. */
  actedAway(act: OperatorCommand['act']): void {
    this.hasCrashed = true;
    if (act === 'resume') this.books?.begunAnew();
  }

  refused(error: unknown): void {
    this.processes.refused(error);
  }

  allowed(strategy: string, product: string, worth: number): void {
    this.books?.limits.allow(strategy, product, worth);
  }

  halted(how: string, isTold: boolean): void {
    this.wire.stop(how);
    if (isTold) this.outcomes.halted(this.eye);
  }

  resumed(): void {
    this.wire.stop(null);
  }

  answered(transferId: string, status: number, isGenuine: boolean): void {
    if (status < 200 || status > 299) return;
    if (isGenuine) this.taken.add(transferId);
    if (!isGenuine) this.violate('I17', `a forged notification of transfer ${transferId} was answered ${status}`);
    else if (this.eye.rows('SELECT 1 FROM notifications WHERE transfer_id = ?', transferId).length === 0) {
      this.violate('I16', `transfer ${transferId} was answered ${status}, and the journal does not have it`);
    }
  }
}
