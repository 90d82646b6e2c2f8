import type { Millis } from '#domain/names.ts';
import type { Alert, AlertEvent } from './alert.ts';

/** Something that is or is not the case at a look, and that is an alert once it has lasted. */
export interface Condition {
  readonly event: AlertEvent;
  readonly subject: string;
  /** Why it is the case; null where it is not. */
  readonly why: string | null;
  /** What is said once it is over. */
  readonly over: string;
  /** How long it must last; 0 for at once. */
  readonly afterMs: number;
}

interface HeldCondition {
  readonly sinceMs: number;
  told: boolean;
}

/** Turns conditions that are looked at now and then into alerts: one when a condition has lasted, one when it is over. */
export class LastingConditions {
  private readonly standing = new Map<string, HeldCondition>();

  /** `monotonicMs` measures how long, `at` is the wall time that the alert shows. */
  inspect(conditions: readonly Condition[], monotonicMs: number, at: Millis): readonly Alert[] {
    const alerts: Alert[] = [];
    for (const { event, subject, why, over, afterMs } of conditions) {
      const key = `${event} ${subject}`;
      const before = this.standing.get(key);
      if (why === null) {
        this.standing.delete(key);
        if (before?.told) alerts.push({ event, at, subject, title: over, text: '', over: true });
        continue;
      }
      const standing = before ?? { sinceMs: monotonicMs, told: false };
      this.standing.set(key, standing);
      if (standing.told || monotonicMs - standing.sinceMs < afterMs) continue;
      standing.told = true;
      alerts.push({ event, at, subject, title: why, text: '', over: false });
    }
    return alerts;
  }
}
