import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';
import type { FleetTarget } from '#server/fleet/server.ts';
import type { FleetHalted, FleetView } from '#server/fleet/view.ts';
import { type By, Member } from './member.ts';
import type { Named } from './place.ts';

/** Several daemons as one: asked while somebody looks, each by itself. */
export class Fleet implements FleetTarget {
  private readonly members: readonly Member[];
  private readonly timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;

  constructor(named: readonly Named[], timers: Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>) {
    this.members = named.map((one) => new Member(one, timers));
    this.timers = timers;
  }

  /** What is known now; asks for what is newer, without waiting. */
  view(): FleetView {
    for (const member of this.members) void member.poll();
    return { at: isoTime(this.timers.wallMs()), daemons: this.members.map((member) => member.view()) };
  }

  /** What is known once each has answered or is silent. */
  async asked(): Promise<FleetView> {
    await Promise.all(this.members.map((member) => member.poll()));
    return { at: isoTime(this.timers.wallMs()), daemons: this.members.map((member) => member.view()) };
  }

  /** Halts one daemon, or all of them at once where `daemon` is null. Throws NOT_FOUND for one that is not there. */
  async halt(daemon: string | null, by: By): Promise<FleetHalted> {
    const wanted = this.members.filter(({ name }) => daemon === null || name === daemon);
    if (wanted.length === 0) throw new KairosError('NOT_FOUND', `there is no daemon ${JSON.stringify(daemon)} in this fleet`);
    return { halted: await Promise.all(wanted.map(async (member) => ({ name: member.name, failed: await member.halt(by) }))) };
  }
}
