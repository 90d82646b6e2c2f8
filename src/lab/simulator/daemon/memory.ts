import type { ProcessMemory } from '#daemon/run/memory-watch.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';

const MB = 1024 * 1024;
/** Memory of an idle process, in MB. */
const RESTING_MB = 90;
/** One and a half times `trading.maxMemoryMb`. */
const FULL_MB = 600;

/** The memory of a simulated process: what strategies keep, without the simulation's own. */
export class SimulatedMemory implements ProcessMemory {
  private readonly scene: Scene;
  private keptMb = 0;
  private keepsOn = false;
  private fullSince: number | null = null;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  /** Adds to the memory that a strategy keeps. */
  keep(mb: number): void {
    this.keptMb += mb;
    if (RESTING_MB + this.keptMb > FULL_MB) this.fullSince ??= this.scene.world.now;
    this.keepsOn = true;
  }

  /** How long memory has been above the bound at which a process stops, in milliseconds. */
  get fullMs(): number {
    return this.fullSince === null ? 0 : this.scene.world.now - this.fullSince;
  }

  readonly usedBytes = (): number => (RESTING_MB + this.keptMb) * MB;

  /** Collects garbage: a strategy's memory is free once its streams have ended. */
  readonly collect = (): void => {
    if (!this.keepsOn) {
      this.keptMb = 0;
      this.fullSince = null;
    }
    this.keepsOn = false;
    this.scene.history.note('garbage is collected');
  };
}
