import type { Decision, DecisionKind } from '#domain/decision.ts';
import { isByHand, type Latch, pausedBy, saidAgain } from '#domain/latch.ts';

const OPPOSITES = {
  halted: { latch: 'halted', on: true },
  reducing: { latch: 'reducing', on: true },
  disarmed: { latch: 'disarmed', on: true },
  paused: { latch: 'paused', on: true },
  disabled: { latch: 'disabled', on: true },
  enabled: { latch: 'disabled', on: false },
} as const;

/** The kinds of decisions that change what is latched. */
export const LATCHING: readonly DecisionKind[] = ['halted', 'reducing', 'disarmed', 'armed', 'resumed', 'paused', 'disabled', 'enabled'];

type Latching = Extract<Decision, { kind: keyof typeof OPPOSITES }>;

const isLatching = (decision: Decision): decision is Latching => decision.kind in OPPOSITES;

/**
 * What is latched after decisions, in their order. Arming ends REDUCING and DISARMED. A resumption of everything ends the halt,
 * REDUCING and the pauses that it does not leave; of one strategy, only its own pause; `enabled` without a strategy enables all.
 */
export class Latches {
  private readonly latched = new Map<string, Latch>();

  constructor(standing: readonly Latch[] = []) {
    for (const latch of standing) this.latched.set(keyOf(latch.kind, latch.strategy), latch);
  }

  apply(decision: Decision): void {
    const { strategy, reason, at } = decision;
    if (decision.kind === 'resumed') {
      const { leaves } = decision.detail;
      if (strategy === null) for (const kind of ['halted', 'reducing'] as const) this.end(kind, null);
      if (leaves === undefined) this.end('paused', strategy);
      else if (leaves === 'single pauses') this.latched.delete(keyOf('paused', null));
    } else if (decision.kind === 'armed') {
      for (const kind of ['reducing', 'disarmed'] as const) this.end(kind, null);
    } else if (isLatching(decision)) {
      const { latch, on } = OPPOSITES[decision.kind];
      if (!on) return this.end(latch, strategy);
      const key = keyOf(latch, strategy);
      const { who, why } = decision.detail;
      const standing = this.latched.get(key);
      const begun = standing ? saidAgain(standing, { who, why }) : { kind: latch, strategy, since: at, who, why, reason };
      if (latch === 'paused') this.latched.set(key, { ...begun, reason: pausedBy(standing?.reason, reason) });
      else this.latched.set(key, latch === 'reducing' && isByHand(reason) ? { ...begun, reason } : begun);
    }
  }

  /** In the order in which they began. */
  get standing(): Latch[] {
    return [...this.latched.values()];
  }

  private end(kind: Latch['kind'], strategy: string | null): void {
    for (const [key, latch] of this.latched) {
      if (latch.kind === kind && (strategy === null || latch.strategy === strategy)) this.latched.delete(key);
    }
  }
}

const keyOf = (kind: Latch['kind'], strategy: string | null): string => `${kind} ${strategy}`;
