import type { ProcessMemory } from '#apps/daemon/memory-watch.ts';
import type { Scene } from '#simulator/service/scene.ts';

const MB = 1024 * 1024;
/** What a process takes that keeps nothing. */
const RESTING_MB = 90;
/** `trading.maxMemoryMb` and half as much again. */
const FULL_MB = 600;

/** The memory of a simulated process: what strategies keep, and nothing of the simulation's own. */
export class SimulatedMemory implements ProcessMemory {
  private readonly scene: Scene;
  private keptMb = 0;
  private keepsOn = false;
  private fullSince: number | null = null;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  /** A strategy keeps so much more. */
  keep(mb: number): void {
    this.keptMb += mb;
    if (RESTING_MB + this.keptMb > FULL_MB) this.fullSince ??= this.scene.world.now;
    this.keepsOn = true;
  }

  /** For how long there has been more in use than a process may stay with. */
  get fullMs(): number {
    return this.fullSince === null ? 0 : this.scene.world.now - this.fullSince;
  }

  readonly usedBytes = (): number => (RESTING_MB + this.keptMb) * MB;

  /** What a strategy keeps is garbage once its streams are gone: nobody has kept more since the last collection. */
  readonly collect = (): void => {
    if (!this.keepsOn) {
      this.keptMb = 0;
      this.fullSince = null;
    }
    this.keepsOn = false;
    this.scene.history.note('garbage is collected');
  };
}
