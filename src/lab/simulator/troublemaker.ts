import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { CRASH_POINTS } from './daemon/crash-points.ts';
import type { Crash } from './daemon/disk.ts';
import type { Operator } from './daemon/operator.ts';
import { breakStage } from './daemon/stages.ts';
import type { Supervisor } from './daemon/supervisor.ts';
import type { SimulatedFault } from './plan/faults.ts';
import type { Strike } from './plan/troubles.ts';
import type { Scene } from './service/scene.ts';
import { mischief } from './strategies/mischief.ts';
import type { Violate } from './watch/finding.ts';
import { knock } from './watch/strangers.ts';

interface TroublemakerParts {
  readonly scene: Scene;
  readonly supervisor: Supervisor;
  readonly operator: Operator;
  readonly violate: Violate;
  /** True if the journal has a decision with this reason. */
  readonly hasReason: (why: string) => boolean;
}

/** How long a crash waits for its point in the code, in milliseconds. */
const PATIENCE_MS = 20_000;
const HOGGED_EVERY_MS = 700;

/** Arranges the faults of single moments: those of the machine, its processes, and people. */
export function arrange({ scene, supervisor, operator, ...seen }: TroublemakerParts): void {
  const { world, machine, troubles, draws } = scene;
  const at = (fault: SimulatedFault, what: string, strike: (one: Strike) => void): void => {
    for (const one of troubles.all(fault)) {
      world.at(one.trouble.from, () => {
        if (!troubles.on(fault) && one.trouble.to > one.trouble.from) return;
        if (what !== '') troubles.struck(fault, what);
        strike(one);
      });
    }
  };
  at('F20', '', () => haltInFlight(scene, supervisor, operator));
  at('F45', '', (one) => crashSomewhere(scene, supervisor, one));
  at('F46', 'the disk is full', () => supervisor.running?.journal?.failNext('full'));
  at('F47', 'a sync fails', () => supervisor.running?.journal?.failNext('sync'));
  at('F49', '', () => supervisor.startSecond());
  at('F50', '', ({ draws: own }) => supervisor.damage({ fault: 'F50', draws: own }));
  at('F51', '', ({ draws: own }) => supervisor.damage({ fault: 'F51', draws: own }));
  at('F53', 'another program reads the journal', ({ trouble }) => readOn(scene, supervisor.journalFile, trouble.to));
  at('F54', '', ({ draws: own }) => supervisor.damage({ fault: 'F54', draws: own }));
  at('F55', 'somebody sets the wall clock', ({ trouble }) => machine.setWall(Math.round(trouble.figure)));
  at('F56', 'the clocks drift apart', () => {});
  at('F57', 'the machine is suspended', ({ trouble }) => machine.suspend(trouble.figure));
  at('F60', 'the process is asked to end', () => supervisor.restart('SIGTERM'));
  at('F61', 'an error that nobody handles', () =>
    machine.receive(() => supervisor.uncaught(new Error('thrown by a timer of nobody'), 'exception')),
  );
  at('F61b', '', (one) => throwInStage(scene, supervisor, one));
  at('F62', 'the process is out of memory', () => crashNow(scene, supervisor, 'kill', 'out of memory'));
  at('F65', 'the process is killed time and again', () => {
    for (let count = 0; count < 4; count += 1) world.after(count * 30_000, () => crashNow(scene, supervisor, 'kill', 'by a signal'));
  });
  at('F66', 'the next process has another configuration', ({ draws: own }) => {
    supervisor.restart('a change of the configuration', [`risk.maxOrdersPerMinute=${own.whole(15, 30)}`]);
  });
  at('F67', '', () => supervisor.changeCode());
  at('F69', '', ({ trouble }) => spinOnce(scene, supervisor, trouble.figure));
  at('F73', '', ({ draws: own }) => knock({ scene, supervisor, ...seen }, own));
  at('F75', 'a person halts by the file', () => operator.haltByFile());
  for (const { trouble } of troubles.all('F64')) hog(trouble.from, trouble.to, trouble.figure);
  mischief.hooks = { misbehaved: (fault) => troubles.struck(fault), called: () => greed(scene, supervisor) };

  function hog(from: number, to: number, ms: number): void {
    world.at(from, () => {
      if (!troubles.on('F64')) return;
      troubles.struck('F64');
      machine.burn(ms);
      const next = world.now + Math.max(ms, HOGGED_EVERY_MS * draws.between(0.7, 1.3));
      if (next < to) hog(next, to, ms);
    });
  }
}

/** The drawn misbehaviour of a strategy in its calls. */
function greed({ troubles }: Scene, supervisor: Supervisor): void {
  if (troubles.on('F70')) {
    troubles.struck('F70');
    supervisor.running?.beside.memory.keep(20);
  }
}

/** Another program keeps a snapshot of the journal until a time. */
function readOn({ world }: Scene, journal: string, until: number): void {
  if (!existsSync(journal)) return;
  const reader = new Database(journal, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM decisions').get();
  world.at(until, () => reader.close());
}

/** Waits for an order in flight, then halts. */
function haltInFlight({ world, troubles }: Scene, supervisor: Supervisor, operator: Operator): void {
  const poll = (left: number): void => {
    const isOpen = supervisor.running?.daemon?.inspect().orders.some(({ state }) => state === 'sent');
    if (isOpen) {
      troubles.struck('F20', 'a person halts while an order is on the way');
      operator.halt('an order is on the way');
    } else if (left > 0) world.after(10, () => poll(left - 1));
  };
  poll(6_000);
}

function crashSomewhere(scene: Scene, supervisor: Supervisor, { trouble, draws }: Strike): void {
  const { world, troubles, history } = scene;
  const how = trouble.figure < 0.5 ? 'kill' : 'power';
  const running = supervisor.running;
  troubles.struck('F45');
  if (!running?.journal || draws.chance(0.3)) {
    crashNow(scene, supervisor, how, 'between two events');
    return;
  }
  const point = draws.pick(CRASH_POINTS);
  history.tell(`F45: the process will be gone ${point}`);
  running.journal.await(point, how);
  world.after(PATIENCE_MS, () => running.isOver || crashNow(scene, supervisor, how, 'between two events'));
}

/** Crashes between two events, after the effects of any busy processor. */
function crashNow({ machine }: Scene, supervisor: Supervisor, how: Crash, where: string): void {
  machine.receive(() => supervisor.current?.crash(how, where));
}

/** One stage of the engine throws at its next call, until the time is over. */
function throwInStage({ world, troubles }: Scene, supervisor: Supervisor, { trouble }: Strike): void {
  const undo = breakStage(trouble.figure, (stage) => {
    const { running } = supervisor;
    if (!running) return null;
    troubles.struck('F61b', `${stage} throws`);
    supervisor.threw();
    return new Error(`${stage} was drawn to throw`);
  });
  world.at(trouble.to, undo);
}

/** Blocks the next call of a strategy for a time. */
function spinOnce(scene: Scene, supervisor: Supervisor, ms: number): void {
  const { troubles } = scene;
  mischief.hooks = {
    ...mischief.hooks,
    called() {
      mischief.hooks = { ...mischief.hooks, called: () => greed(scene, supervisor) };
      troubles.struck('F69', `a strategy does not come back for ${Math.round(ms)} ms`);
      // What comes of it is looked at by the simulator, and not asked by the strategy.
      const asked = swapAmbient(undefined);
      try {
        supervisor.running?.spin(ms);
      } finally {
        swapAmbient(asked);
      }
    },
  };
}
