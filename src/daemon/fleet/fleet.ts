import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { SweepAct } from '#domain/sweep-act.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { Timers } from '#ports/timers.ts';
import type { FleetTarget } from '#server/fleet/server.ts';
import { sumsOf } from '#server/fleet/sums.ts';
import type { FleetHaltResult, FleetView, SweepsView } from '#server/fleet/view.ts';
import { Member } from './member.ts';
import type { MemberPlace } from './place.ts';

/** A queue whose sweeps are shown beside the daemons. */
interface Queue {
  view(): SweepsView;
  poll(): Promise<void>;
  ask(sweep: string, ask: SweepAct): Promise<void>;
}

/** Several daemons as one: asked while somebody looks, each by itself. */
export class Fleet implements FleetTarget {
  private readonly members: readonly Member[];
  private readonly timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;
  private readonly queue: Queue | null;

  constructor(named: readonly MemberPlace[], timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>, queue: Queue | null = null) {
    this.members = named.map((one) => new Member(one, timers));
    this.timers = timers;
    this.queue = queue;
  }

  get hasQueue(): boolean {
    return this.queue !== null;
  }

  /** What is known now; asks for what is newer, without waiting. */
  view(): FleetView {
    for (const member of this.members) void member.poll();
    return this.known();
  }

  /** What is known once each has answered or is silent. */
  async asked(): Promise<FleetView> {
    await Promise.all([...this.members.map((member) => member.poll()), this.queue?.poll()]);
    return this.known();
  }

  /** Pauses, resumes or stops a sweep. Throws NOT_FOUND where there is none, and QUEUE_UNREACHABLE. */
  async askSweep(sweep: string, ask: SweepAct): Promise<void> {
    if (!this.queue) throw new KairosError('NOT_FOUND', 'no queue was named: kairos fleet --queue redis://HOST:PORT shows its sweeps');
    await this.queue.ask(sweep, ask);
  }

  /** Halts one daemon, or all of them at once where `daemon` is null. Throws NOT_FOUND for one that is not there. */
  async halt(daemon: string | null, by: WhoWhy): Promise<FleetHaltResult> {
    const wanted = this.members.filter(({ name }) => daemon === null || name === daemon);
    if (wanted.length === 0) throw new KairosError('NOT_FOUND', `there is no daemon ${JSON.stringify(daemon)} in this fleet`);
    return { halted: await Promise.all(wanted.map(async (member) => ({ name: member.name, ...(await member.halt(by)) }))) };
  }

  private known(): FleetView {
    const daemons = this.members.map((member) => member.view());
    return {
      at: isoTime(this.timers.wallMs()),
      daemons,
      sums: sumsOf(daemons),
      sweeps: this.queue?.view() ?? null,
    };
  }
}
