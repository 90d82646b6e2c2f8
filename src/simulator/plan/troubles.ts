import { Draws } from '#simulator/world/draws.ts';
import { FAULT_NAMES, type FaultName } from './faults.ts';
import type { Trouble } from './plan.ts';

/** A fault that strikes now, with draws of its own. */
export interface Strike {
  readonly trouble: Trouble;
  readonly draws: Draws;
}

/** The faults of a plan at work: which of them strike, and how often each has. */
export class Troubles {
  readonly seen = new Map<FaultName, number>(FAULT_NAMES.map((name) => [name, 0]));
  /** Told of each strike, in plain words. */
  onStrike: (fault: FaultName, what: string) => void = () => {};
  private readonly byFault = new Map<FaultName, Strike[]>();
  private readonly now: () => number;
  private isOver = false;

  constructor(seed: string, troubles: readonly Trouble[], now: () => number) {
    this.now = now;
    for (const trouble of troubles) {
      const strike = { trouble, draws: new Draws(`${seed}/trouble ${trouble.id}`) };
      this.byFault.set(trouble.fault, [...(this.byFault.get(trouble.fault) ?? []), strike]);
    }
  }

  /** Nothing strikes from now on. */
  end(): void {
    this.isOver = true;
  }

  /** The fault where it strikes what is being done now; counted by `struck`, once it has an effect. */
  draw(fault: FaultName): Strike | undefined {
    const strike = this.on(fault);
    return strike?.draws.chance(strike.trouble.share) ? strike : undefined;
  }

  /** The fault where it strikes, counted. */
  strikes(fault: FaultName, what = ''): Strike | undefined {
    const strike = this.draw(fault);
    if (strike) this.struck(fault, what);
    return strike;
  }

  /** The fault while its time lasts. */
  on(fault: FaultName): Strike | undefined {
    const strikes = this.isOver ? undefined : this.byFault.get(fault);
    if (!strikes) return undefined;
    const now = this.now();
    return strikes.find(({ trouble }) => now >= trouble.from && now < trouble.to);
  }

  /** Those of one kind, for who has to arrange them at their time. */
  all(fault: FaultName): readonly Strike[] {
    return this.byFault.get(fault) ?? [];
  }

  struck(fault: FaultName, what = ''): void {
    this.seen.set(fault, (this.seen.get(fault) ?? 0) + 1);
    this.onStrike(fault, what);
  }
}
