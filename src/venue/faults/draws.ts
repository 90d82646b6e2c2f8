import { type Seeded, seeded } from '#domain/seeded.ts';
import { FAULTS, type FaultName, type FaultPoint, MIXED, type VenueFault } from './catalogue.ts';

/** A fault that strikes now; `unit`, in [0, 1), says which of its forms it takes. */
export interface Struck {
  readonly name: FaultName;
  readonly unit: number;
}

/**
 * Which fault strikes what. Each has a sequence of its own that the seed alone decides, so that the same seed strikes the same
 * orders, quotes and connections, counted from the start, whatever other faults there are. Pure.
 */
export class FaultDraws {
  private readonly waiting: readonly { readonly name: FaultName; readonly share: number; readonly draws: Seeded }[];

  constructor(seed: string, faults: readonly VenueFault[]) {
    const shares = new Map(faults.flatMap(sharesOf));
    this.waiting = [...shares].map(([name, share]) => ({ name, share, draws: seeded(`venue faults ${seed} ${name}`) }));
  }

  /** Whether anything can ever strike there. */
  reaches(point: FaultPoint): boolean {
    return this.waiting.some(({ name }) => FAULTS[name].point === point);
  }

  /** What strikes the next one at that point: of several the one that was given first. */
  next(point: FaultPoint): Struck | undefined {
    let struck: Struck | undefined;
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

/** One of several forms, each as likely. */
export function formOf<const Forms extends readonly [unknown, ...unknown[]]>(forms: Forms, unit: number): Forms[number] {
  return forms[Math.floor(unit * forms.length)] ?? forms[0];
}

/** A number between two, each as likely. */
export function between(low: number, high: number, unit: number): number {
  return Math.round(low + (high - low) * unit);
}
