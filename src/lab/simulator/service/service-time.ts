import type { Troubles } from '#lab/simulator/plan/troubles.ts';
import type { World } from '#lab/simulator/world/world.ts';

/** The service's own clock, with a drawn offset from the machine's and a drift during F56. */
export class ServiceTime {
  private readonly world: World;
  private readonly offsetMs: number;
  private readonly drifts: readonly { readonly from: number; readonly to: number; readonly rate: number }[];

  constructor(world: World, offsetMs: number, troubles: Troubles) {
    this.world = world;
    this.offsetMs = offsetMs;
    this.drifts = troubles.all('F56').map(({ trouble }) => ({ from: trouble.from, to: trouble.to, rate: trouble.figure }));
  }

  /** Unix milliseconds as the service has them, at a time of the world. */
  at(worldMs: number): number {
    const drifted = this.drifts.reduce((sum, { from, to, rate }) => sum + rate * Math.max(0, Math.min(worldMs, to) - from), 0);
    return this.world.startsAt + worldMs + this.offsetMs + drifted;
  }

  get now(): number {
    return Math.floor(this.at(this.world.now));
  }
}
