/** Wall and monotonic time must not part by more than this within the window: more is a step, less is slewing. */
const MAX_PARTED_MS = 100;
const WINDOW_MS = 10_000;

/** What a look at both clocks has shown. */
interface StepLook {
  /** True while the clocks have parted within the last 10 s. */
  readonly parted: boolean;
  /** How far wall time jumped since the look before, beyond what monotonic time says; 0 unless that is a step. */
  readonly jumpMs: number;
}

/**
 * Watches wall time against monotonic time, look by look. A step of the wall clock and a suspended machine (monotonic
 * time stands, wall time jumps) both show as a jump; slewing does not. Pure: whoever looks brings the times.
 */
export class ClockSteps {
  private readonly gaps: { readonly at: number; readonly gapMs: number }[] = [];

  inspect(wallMs: number, monotonicMs: number): StepLook {
    const gapMs = wallMs - monotonicMs;
    const jump = this.jumpSince(wallMs, monotonicMs);
    while ((this.gaps[0]?.at ?? monotonicMs) < monotonicMs - WINDOW_MS) this.gaps.shift();
    this.gaps.push({ at: monotonicMs, gapMs });
    let least = gapMs;
    let most = gapMs;
    for (const gap of this.gaps) {
      least = Math.min(least, gap.gapMs);
      most = Math.max(most, gap.gapMs);
    }
    return { parted: most - least > MAX_PARTED_MS, jumpMs: Math.abs(jump) > MAX_PARTED_MS ? jump : 0 };
  }

  /** How far wall time has jumped since the last look; 0 before the first. */
  jumpSince(wallMs: number, monotonicMs: number): number {
    const last = this.gaps.at(-1);
    return last === undefined ? 0 : wallMs - monotonicMs - last.gapMs;
  }

  /** True when wall time has stepped since the last look. */
  hasJumped(wallMs: number, monotonicMs: number): boolean {
    return Math.abs(this.jumpSince(wallMs, monotonicMs)) > MAX_PARTED_MS;
  }
}
