import { type Seeded, seeded } from '#domain/seeded.ts';
import { FAULTS, type FaultName, type FaultPoint, MIXED, type VenueFault } from './catalogue.ts';

/** A fault that strikes now; `unit`, in [0, 1), selects one of its forms. */
export interface FaultStrike {
  readonly name: FaultName;
  readonly unit: number;
}

/**
 * Draws which fault strikes what. Each fault has its own sequence by the seed: the same seed strikes the same orders,
 * quotes and connections, counted from the start, whatever other faults are set. Pure.
 */
export class FaultDraws {
  private readonly waiting: readonly { readonly name: FaultName; readonly share: number; readonly draws: Seeded }[];

  constructor(seed: string, faults: readonly VenueFault[]) {
    // A fault's own share counts before that of `all`, wherever it stands.
    const shares = new Map([...faults, ...faults.filter(({ name }) => name !== 'all')].flatMap(sharesOf));
    this.waiting = [...shares].map(([name, share]) => ({ name, share, draws: seeded(`venue faults ${seed} ${name}`) }));
  }

  /** True if any fault can strike at that point. */
  reaches(point: FaultPoint): boolean {
    return this.waiting.some(({ name }) => FAULTS[name].point === point);
  }

  /** The fault that strikes the next item at that point; of several, the first configured one. */
  next(point: FaultPoint): FaultStrike | undefined {
    let struck: FaultStrike | undefined;
    for (const { name, share, draws } of this.waiting) {
      if (FAULTS[name].point !== point) continue;
      const hit = draws.next() < share;
      const unit = draws.next();
      if (hit) struck ??= { name, unit };
    }
    return struck;
  }
}

function sharesOf({ name, percent }: VenueFault): readonly (readonly [FaultName, number])[] {
  if (name !== 'all') return [[name, percent / 100]];
  return MIXED.map((mixed) => [mixed, (percent / 100) * (FAULTS[mixed].percent / 100)]);
}

/** One of several equally likely forms. */
export function formOf<const Forms extends readonly [unknown, ...unknown[]]>(forms: Forms, unit: number): Forms[number] {
  return forms[Math.floor(unit * forms.length)] ?? forms[0];
}

/** A uniform number between two bounds. */
export function between(low: number, high: number, unit: number): number {
  return Math.round(low + (high - low) * unit);
}
