import { dialectOf } from '#adapters/service-client/dialect/dialect.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import { messageOf } from '#domain/errors.ts';
import { MORNING } from '#lab/simulator/plan/zones.ts';
import { strategiesOf } from './daemon/configuration.ts';
import { PowerCut } from './daemon/crash-points.ts';
import { Disk } from './daemon/disk.ts';
import { Operator } from './daemon/operator.ts';
import { Supervisor } from './daemon/supervisor.ts';
import type { SimulatedFault } from './plan/faults.ts';
import { CALM_MS, lengthMs, type SimulationPlan } from './plan/plan.ts';
import { Troubles } from './plan/troubles.ts';
import { DepositNotifier } from './service/notifier.ts';
import type { Scene } from './service/scene.ts';
import { Sender } from './service/sender.ts';
import { SimulatedService } from './service/service.ts';
import { ServiceTime } from './service/service-time.ts';
import { behave } from './strategies/mischief.ts';
import { arrange } from './troublemaker.ts';
import { Auditor, type Violation } from './watch/auditor.ts';
import { besides, type FilmObserver, type OpenFilm } from './watch/filming.ts';
import { checkSignals } from './watch/signal-check.ts';
import { Draws } from './world/draws.ts';
import { simulateGlobals } from './world/globals.ts';
import { EventHistory } from './world/history.ts';
import { SimulatedMachine } from './world/machine.ts';
import { World } from './world/world.ts';

/** Frames of a stack: the HTTP client makes an error for each connection that it closes, and nobody reads those. */
const FRAMES = 4;

/** The outcome of a plan. */
export interface SimulationOutcome {
  readonly seed: string;
  /** The first broken invariant; null if all hold. */
  readonly violation: Violation | null;
  /** The last events, in plain words. */
  readonly last: readonly string[];
  /** A hash over every byte on the wire, every answer and every row; equal for equal plans. */
  readonly hash: string;
  /** How often each fault struck. */
  readonly seen: Readonly<Partial<Record<SimulatedFault, number>>>;
  readonly orders: number;
  readonly quotes: number;
  readonly lives: number;
}

/** Follows a history in plain words and byte by byte. */
interface Listener {
  readonly onLine?: ((line: string) => void) | undefined;
  readonly onNote?: ((line: string) => void) | undefined;
  /** Opens what films the history. */
  readonly film?: OpenFilm | undefined;
}

/** Plays a plan from start to end. One at a time in a thread, since simulated time applies to the whole thread. */
export async function simulate(
  plan: SimulationPlan,
  shipped: ReadonlyMap<string, MarkedStrategy>,
  listener: Listener = {},
): Promise<SimulationOutcome> {
  const simulation = new Simulation(plan, shipped, listener);
  try {
    return await simulation.play();
  } finally {
    simulation.close();
  }
}

class Simulation {
  private readonly plan: SimulationPlan;
  private readonly world: World;
  private readonly disk = new Disk();
  private readonly history = new EventHistory(() => this.world.now, `${this.disk.home}/`);
  private readonly troubles: Troubles;
  private readonly auditor: Auditor;
  private readonly supervisor: Supervisor;
  private readonly strategiesOf: (settings: Settings) => readonly LoadedStrategy[];
  private readonly code = (): number => this.supervisor.code;
  private readonly unlisten: () => void;
  private readonly filming: FilmObserver | undefined;
  private readonly sender: Sender;
  private readonly framesBefore = Error.stackTraceLimit;

  constructor(
    plan: SimulationPlan,
    shipped: ReadonlyMap<string, MarkedStrategy>,
    { onLine = () => {}, onNote = () => {}, film }: Listener,
  ) {
    const { history, disk } = this;
    const world = new World(plan.startsAt ?? MORNING);
    this.plan = plan;
    this.world = world;
    this.strategiesOf = (settings) => strategiesOf(settings, shipped, this.code());
    history.onLine = onLine;
    history.onNote = onNote;
    this.troubles = new Troubles(plan.seed, plan.troubles, () => world.now);
    this.troubles.onStrike = (fault, what) => {
      if (what !== '') history.tell(`${fault}: ${what}`);
      this.filming?.struck?.(fault, what);
    };
    Error.stackTraceLimit = FRAMES;
    const machine = new SimulatedMachine(world, plan.turnMs);
    const draws = new Draws(plan.seed);
    simulateGlobals(world, machine.timersOf({ isOver: false }, draws.fork('globals')));
    const dialect = dialectOf(plan.dialect);
    if (typeof dialect === 'string') throw new Error(dialect);
    const time = new ServiceTime(world, draws.fork('clock').between(-3_000, 3_000), this.troubles);
    const scene: Scene = { world, machine, plan, troubles: this.troubles, draws: draws.fork('world'), history, time, dialect };
    this.auditor = new Auditor(scene, disk);
    const watch = film ? besides(this.auditor, () => this.filming) : this.auditor;
    const service = new SimulatedService(scene, watch);
    this.supervisor = new Supervisor({ scene, disk, service, watch, strategiesOf: this.strategiesOf });
    this.filming = film?.({ scene, disk, service, supervisor: this.supervisor });
    this.sender = new Sender({ scene, door: () => this.supervisor.running?.beside.signal ?? null });
    this.auditor.meet(service, this.supervisor);
    new DepositNotifier({ scene, books: service.books, watch, door: () => this.supervisor.running?.beside.deliver ?? null });
    const operator = new Operator({
      scene,
      service,
      supervisor: this.supervisor,
      watch,
      quoteOf: (order) => this.auditor.quoteOf(order),
      hasReason: (why) => this.auditor.hasReason(why),
      unsettled: () => this.auditor.remote.unsettled(),
    });
    const { supervisor, auditor } = this;
    arrange({
      scene,
      supervisor,
      operator,
      violate: (invariant, what) => auditor.violate(invariant, what),
      hasReason: (why) => auditor.hasReason(why),
    });
    this.unlisten = this.listen();
  }

  async play(): Promise<SimulationOutcome> {
    const { world, auditor, supervisor, plan } = this;
    const over = (): boolean => auditor.violation !== null;
    world.onStep = () => {
      auditor.step();
      this.filming?.step();
    };
    world.onThrow = (error) => this.thrown(error, 'exception');
    supervisor.start();
    await world.run(lengthMs(plan) - CALM_MS, over);
    this.troubles.end();
    await world.run(lengthMs(plan), over);
    if (!over()) auditor.judgeCalm();
    behave();
    if (!over()) {
      const finished = supervisor.finish();
      await world.run(lengthMs(plan) + 30_000, over);
      await finished;
      await auditor.judgeEnd(this.strategiesOf);
      if (!over()) checkSignals(this.disk.journal, this.sender, (invariant, what) => auditor.violate(invariant, what));
    }
    const { violation, orders, quotes, lives } = auditor;
    return {
      seed: plan.seed,
      violation,
      last: this.history.lines(60),
      hash: this.history.hash(),
      seen: Object.fromEntries(this.troubles.seen),
      orders,
      quotes,
      lives,
    };
  }

  close(): void {
    Error.stackTraceLimit = this.framesBefore;
    this.unlisten();
    this.auditor.close();
    this.disk.remove();
  }

  /** Receives uncaught errors, as a process does. */
  private listen(): () => void {
    const thrown = (error: unknown): void => this.thrown(error, 'exception');
    const rejected = (error: unknown): void => this.thrown(error, 'rejection');
    process.on('uncaughtException', thrown);
    process.on('unhandledRejection', rejected);
    return () => {
      process.off('uncaughtException', thrown);
      process.off('unhandledRejection', rejected);
    };
  }

  private thrown(error: unknown, how: 'exception' | 'rejection'): void {
    if (error instanceof PowerCut) return;
    if (isOwn(error))
      this.auditor.violate('simulator', `the simulator itself failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
    else this.supervisor.uncaught(error, how);
  }
}

/** True for an error of the simulator's own code. */
function isOwn(error: unknown): boolean {
  const [, first = ''] = (error instanceof Error ? (error.stack ?? '') : '').split('\n    at ');
  return /\/src\/lab\/simulator\/(?!strategies|troublemaker|daemon\/stages)/.test(first);
}
