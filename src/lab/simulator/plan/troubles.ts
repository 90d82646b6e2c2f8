import { Draws } from '#lab/simulator/world/draws.ts';
import { FAULT_NAMES, type SimulatedFault } from './faults.ts';
import type { Trouble } from './plan.ts';

/** A fault that strikes now, with draws of its own. */
export interface Strike {
  readonly trouble: Trouble;
  readonly draws: Draws;
}

/** The active faults of a plan: which of them strike, and how often each has struck. */
export class Troubles {
  readonly seen = new Map<SimulatedFault, number>(FAULT_NAMES.map((name) => [name, 0]));
  /** Called for each strike, in plain words. */
  onStrike: (fault: SimulatedFault, what: string) => void = () => {};
  private readonly byFault = new Map<SimulatedFault, Strike[]>();
  private readonly now: () => number;
  private readonly spent = new Set<string>();
  private isOver = false;

  constructor(seed: string, troubles: readonly Trouble[], now: () => number) {
    this.now = now;
    for (const trouble of troubles) {
      const strike = { trouble, draws: new Draws(`${seed}/trouble ${trouble.id}`) };
      this.byFault.set(trouble.fault, [...(this.byFault.get(trouble.fault) ?? []), strike]);
    }
  }

  /** Ends all faults. */
  end(): void {
    this.isOver = true;
  }

  /** The fault if it strikes the present action; `struck` counts it once it has an effect. */
  draw(fault: SimulatedFault): Strike | undefined {
    const strike = this.on(fault);
    return strike?.draws.chance(strike.trouble.share) ? strike : undefined;
  }

  /** The fault if it strikes, counted. */
  strikes(fault: SimulatedFault, what = ''): Strike | undefined {
    const strike = this.draw(fault);
    if (strike) this.struck(fault, what);
    return strike;
  }

  /** The fault while it is active. */
  on(fault: SimulatedFault): Strike | undefined {
    const strikes = this.isOver ? undefined : this.byFault.get(fault);
    if (!strikes) return undefined;
    const now = this.now();
    return strikes.find(({ trouble }) => now >= trouble.from && now < trouble.to);
  }

  /** The fault while it is active, the first time that it meets a thing; after that never again. */
  first(fault: SimulatedFault, met = ''): Strike | undefined {
    const strike = this.on(fault);
    const key = `${strike?.trouble.id} ${met}`;
    if (!strike || this.spent.has(key)) return undefined;
    this.spent.add(key);
    return strike;
  }

  /** All strikes of one kind, to be arranged at their times. */
  all(fault: SimulatedFault): readonly Strike[] {
    return this.byFault.get(fault) ?? [];
  }

  struck(fault: SimulatedFault, what = ''): void {
    this.seen.set(fault, (this.seen.get(fault) ?? 0) + 1);
    this.onStrike(fault, what);
  }
}
