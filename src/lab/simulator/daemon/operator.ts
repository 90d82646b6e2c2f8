import { writeFileSync } from 'node:fs';
import { controlFiles, standingHalt } from '#adapters/journal/control-files.ts';
import type { Control } from '#daemon/run/control.ts';
import { KairosError } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { currency } from '#domain/names.ts';
import { remoteAskOf } from '#domain/remote.ts';
import type { PlannedAct } from '#lab/simulator/plan/plan.ts';
import { quotedIn } from '#lab/simulator/service/products.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { SimulatedService } from '#lab/simulator/service/service.ts';
import type { Supervisor } from './supervisor.ts';

/** Receives the acts of a person that limit what may happen afterwards. */
export interface ActWatch {
  /** `isTold`: the daemon has confirmed it. */
  halted(how: string, isTold: boolean): void;
  resumed(): void;
  /** Exits of a book may be worth so much. */
  allowed(strategy: string, product: string, worth: number): void;
  /** A file of a halt is gone that nobody had seen, or that still counts. */
  haltLost(what: string): void;
}

interface OperatorOptions {
  readonly scene: Scene;
  readonly service: SimulatedService;
  readonly supervisor: Supervisor;
  readonly watch: ActWatch;
  /** The quote that an order names, by the journal. */
  readonly quoteOf: (order: string) => string | undefined;
  /** True if the journal has a decision with this reason. */
  readonly hasReason: (why: string) => boolean;
  /** Creates of unknown outcome, with what they created. */
  readonly unsettled: () => readonly { readonly actionId: string; readonly strategyId: string | null }[];
}

const WHO = 'operator';
const LOOK_MS = 10_000;
/** Not at full minutes, when lines of the schedule are due. */
const FIRST_LOOK_MS = 6_700;
/** How long a halt is kept, in milliseconds. */
const HALTED_FOR_MS = 20_000;
/** Time after which an unknown order is queried at the service, when no late answer can come, in milliseconds. */
const UNKNOWN_FOR_MS = 40_000;

/** An attentive person, who watches the daemon, ends what only a person may end, and performs the plan's acts. */
export class Operator {
  private readonly options: OperatorOptions;
  private transfers = 0;
  private haltSeenAt: number | null = null;
  /** Somebody will write the file HALT while trading is being resumed. */
  private isHaltToCome = false;
  private readonly unknownSince = new Map<string, number>();

  constructor(options: OperatorOptions) {
    this.options = options;
    const { scene } = options;
    for (const act of scene.plan.acts) scene.world.at(act.at, () => this.perform(act));
    const poll = (): void => {
      this.inspect();
      scene.world.after(LOOK_MS, poll);
    };
    scene.world.after(FIRST_LOOK_MS, poll);
  }

  /** Halts through the control server. */
  halt(why: string): void {
    this.attempt((control) => {
      control.perform({ act: 'halt', who: WHO, why });
      this.options.watch.halted(why, true);
    });
  }

  /** Halts by file only, whatever the daemon does. */
  haltByFile(): void {
    const { supervisor, scene, watch } = this.options;
    const { haltOfAll } = controlFiles(supervisor.config.settings.journal.path);
    writeFileSync(haltOfAll, 'stop\n', { mode: 0o600 });
    scene.history.tell('a person writes the file HALT');
    // The watchdog checks every 10 ms, in a thread of its own.
    scene.world.after(10, () => {
      supervisor.current?.beside.lookForHalt();
      watch.halted('the file HALT', false);
    });
  }

  private perform(planned: PlannedAct): void {
    const { act, figure: pct = 100, amount = '1', name = '', resume = false } = planned;
    const { plan } = this.options.scene;
    const [first] = plan.strategies;
    const by = { who: WHO, why: 'as planned' };
    if (act === 'halt-in-resume') this.isHaltToCome = true;
    if (act === 'halt' || act === 'halt-in-resume') this.halt('as planned');
    else if (act === 'stop-file') this.haltByFile();
    else if (act === 'book')
      this.book({ kind: amount.startsWith('-') ? 'withdrawal' : 'deposit', book: 'treasury', currency: currency('usd'), amount });
    else if (act === 'correct') this.correct(amount);
    else if (act === 'halt-away') this.actAway('halt');
    else if (act === 'resume-away') this.actAway('resume');
    else if (act === 'line') for (const _ of [1, 2]) this.attempt((control) => control.schedule({ name, ...by }));
    else if (act === 'create' || act === 'remote-pause' || act === 'remote-start') this.remote(act);
    else if (first) {
      this.attempt((control) => {
        if (act === 'close') control.byHand({ act, strategy: first.id, product: null, pct, ...by });
        else if (act === 'flatten') control.byHand({ act, resume, ...by });
        else if (act === 'end') control.byHand({ act: 'flatten', resume: false, end: true, ...by });
        else if (act === 'order') {
          const { product = first.product, side = 'buy' } = planned;
          control.byHand({ act, product, side, amount: { base: amount }, ...by });
        } else control.perform({ act, strategy: first.id, ...by });
      });
    }
  }

  /** Acts on the journal while no daemon runs. */
  private actAway(act: 'halt' | 'resume'): void {
    const { supervisor, watch } = this.options;
    supervisor.actAway({ act, strategy: null, who: WHO, why: 'as planned' }, () =>
      act === 'halt' ? watch.halted('a halt while no daemon ran', true) : watch.resumed(),
    );
  }

  /** Asks the service about its own strategies. */
  private remote(act: 'create' | 'remote-pause' | 'remote-start'): void {
    const [product = ''] = this.options.scene.plan.products;
    const fields = { strategyType: 'AI', productCode: product };
    const asked = act === 'create' ? remoteAskOf(act, { fields }) : remoteAskOf(act.slice('remote-'.length), { strategyId: 'resident' });
    this.attempt((control) => control.remote({ asked, who: WHO, why: 'as planned' }));
  }

  /** What the first strategy has earned is other by the account than by its book. */
  private correct(amount: string): void {
    const [{ id: book, product } = { id: '', product: '' }] = this.options.scene.plan.strategies;
    this.book({ kind: 'correction', book, product, currency: currency(quotedIn(product)), amount });
  }

  /** The service moves something without a notification, and a person books it until it is in the journal. */
  private book(entry: Parameters<Control['book']>[0]['entries'][number]): void {
    const { scene, service } = this.options;
    service.books.transfer(entry.currency, entry.amount);
    this.transfers += 1;
    const why = `transfer ${this.transfers}`;
    scene.history.tell(`a person moves ${entry.amount} ${entry.currency}, ${why}`);
    const again = (): void => {
      if (this.options.hasReason(why)) return;
      this.attempt((control) => control.book({ entries: [entry], who: WHO, why }));
      scene.world.after(LOOK_MS, again);
    };
    again();
  }

  /** What the page and `why-not` say stands in the history. */
  private read(control: Control | null): void {
    const { history, machine } = this.options.scene;
    if (control && !machine.isHeldUp) history.note(JSON.stringify([{ ...control.state(), pid: 0 }, control.whyNot().answers]));
  }

  /** Allows the exits that wait for a person, up to what they are worth and a little. */
  private allowExits(control: Control | null): void {
    if (!control || !this.options.scene.plan.settings.some((one) => one.startsWith('risk.maxExitValue='))) return;
    for (const { strategy, product, worth } of control.state().waitingExits) {
      const upTo = String(Math.ceil(Number(worth) * 1.1));
      this.attempt(() => {
        // The order may leave before the daemon has answered.
        this.options.watch.allowed(strategy, product, Number(upTo));
        control.byHand({ act: 'close', strategy, product, pct: 100, upTo, who: WHO, why: 'looked at' });
      });
    }
  }

  private settleCreates(): void {
    for (const create of this.options.unsettled()) {
      const since = this.unknownSince.get(create.actionId) ?? this.options.scene.world.now;
      this.unknownSince.set(create.actionId, since);
      if (this.options.scene.world.now - since < UNKNOWN_FOR_MS) continue;
      this.attempt((control) => control['settle-create']({ ...create, who: WHO, why: 'looked up at the service' }));
    }
  }

  private inspect(): void {
    const running = this.options.supervisor.running;
    if (!running?.daemon) return;
    const seen = running.daemon.inspect();
    this.read(running.beside.control);
    this.settleUnknowns(seen.orders);
    this.settleCreates();
    this.allowExits(running.beside.control);
    const { now } = this.options.scene.world;
    if (seen.halted) {
      this.haltSeenAt ??= now;
      if (now - this.haltSeenAt >= HALTED_FOR_MS) this.resume();
      return;
    }
    this.haltSeenAt = null;
    if (seen.trading === 'DISARMED') this.arm();
    // A pause of all is ended for all: that of one strategy is another.
    else if (seen.trading === 'REDUCING' || seen.strategies.every(({ paused }) => paused)) {
      this.act({ act: 'resume', strategy: null, who: WHO, why: 'looked at' });
    }
    for (const { id, paused, disabled } of seen.strategies) {
      if (disabled) this.act({ act: 'enable', strategy: id, who: WHO, why: 'looked at' });
      if (paused) this.act({ act: 'resume', strategy: id, who: WHO, why: 'looked at' });
    }
  }

  /** A resume that is refused takes no file of a halt away, and a file that comes meanwhile halts. */
  private resume(): void {
    const { supervisor, watch } = this.options;
    const files = controlFiles(supervisor.config.settings.journal.path);
    const wasThere = standingHalt(files) !== undefined;
    let isResumed = false;
    let isLate = false;
    if (this.isHaltToCome) {
      supervisor.running?.journal?.during('resumed', () => {
        this.isHaltToCome = false;
        isLate = true;
        this.haltByFile();
      });
    }
    this.attempt((control) => {
      control.perform({ act: 'resume', strategy: null, who: WHO, why: 'looked at' });
      isResumed = true;
      watch.resumed();
      this.haltSeenAt = null;
    });
    if ((isLate || (wasThere && !isResumed)) && !standingHalt(files))
      watch.haltLost(isLate ? 'a file HALT that came while trading was resumed' : 'the file HALT, by a resume that was refused');
  }

  private arm(): void {
    const { config } = this.options.supervisor;
    this.act({ act: 'arm', who: WHO, why: 'looked at', configHash: config.hash, config: config.json, build: '', unrehearsed: true });
  }

  /** Queries orders at the service and settles them. */
  private settleUnknowns(orders: readonly { readonly order: string; readonly state: string }[]): void {
    const { scene, service } = this.options;
    const unknown = new Set(orders.filter(({ state }) => state === 'unknown').map(({ order }) => order));
    for (const order of this.unknownSince.keys()) if (!unknown.has(order) && !order.includes('-r')) this.unknownSince.delete(order);
    for (const order of unknown) {
      const since = this.unknownSince.get(order) ?? scene.world.now;
      this.unknownSince.set(order, since);
      if (scene.world.now - since < UNKNOWN_FOR_MS) continue;
      const quoteId = this.options.quoteOf(order);
      const executed = quoteId === undefined ? undefined : service.books.executed.get(quoteId);
      const figures = executed && {
        price: executed.price,
        size: executed.size,
        value: executed.value,
        fee: executed.fee,
        feeCcy: executed.feeCcy,
      };
      this.attempt((control) => {
        control.resolve({
          order,
          as: executed ? 'accepted' : 'rejected',
          figures: figures ?? {},
          far: true,
          who: WHO,
          why: 'the service says so',
        });
      });
    }
  }

  private act(command: OperatorCommand): void {
    this.attempt((control) => control.perform(command));
  }

  /** Performs an act on the running daemon, which may refuse it. */
  private attempt(act: (control: Control) => void): void {
    const { scene, supervisor } = this.options;
    const running = supervisor.running;
    if (!running?.beside.control || scene.machine.isHeldUp) return;
    try {
      act(running.beside.control);
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      scene.history.tell(`the daemon refuses a person: ${error.message}`);
    }
  }
}
