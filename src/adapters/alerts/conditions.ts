import { durationText } from '#domain/duration-text.ts';
import type { Millis } from '#domain/names.ts';
import type { Alert, AlertEvent } from './alert.ts';

/** Something that is or is not the case at a look, and that is an alert once it has lasted. */
export interface AlertCondition {
  readonly event: AlertEvent;
  readonly subject: string;
  /** Why it is the case; null where it is not. */
  readonly why: string | null;
  /** What is said once it is over. */
  readonly over: string;
  /** How long it must last; 0 for at once. */
  readonly afterMs: number;
  /** What follows from it, and what helps. */
  readonly text?: string;
  /** As urgent as an event of `URGENT` from the first on. */
  readonly urgent?: true;
  /** Told again while it lasts; `urgent`: as urgent from then on. */
  readonly escalates?: { readonly urgent: boolean };
}

/** How long a condition that escalates lasts when it is told again, in milliseconds; then each hour. */
const AGAIN_MS = [60_000, 300_000, 1_800_000];
const HOUR_MS = 3_600_000;

interface HeldCondition {
  readonly sinceMs: number;
  /** How often it was told. */
  told: number;
}

/** How long it lasts when it is told for the time after so many. */
const nextMs = ({ afterMs, escalates }: AlertCondition, told: number): number => {
  if (told === 0) return afterMs;
  if (!escalates) return Number.POSITIVE_INFINITY;
  return afterMs + (AGAIN_MS[told - 1] ?? (told - AGAIN_MS.length) * HOUR_MS);
};

/** Turns conditions that are looked at now and then into alerts: one when a condition has lasted, more where it goes on and escalates, one when it is over. */
export class LastingConditions {
  private readonly standing = new Map<string, HeldCondition>();

  /** `monotonicMs` measures how long, `at` is the wall time that the alert shows. */
  inspect(conditions: readonly AlertCondition[], monotonicMs: number, at: Millis): readonly Alert[] {
    const alerts: Alert[] = [];
    for (const condition of conditions) {
      const { event, subject, why, over, text = '', escalates } = condition;
      const key = `${event} ${subject}`;
      const before = this.standing.get(key);
      if (why === null) {
        this.standing.delete(key);
        if (before && before.told > 0) alerts.push({ event, at, subject, title: over, text: '', over: true });
        continue;
      }
      const standing = before ?? { sinceMs: monotonicMs, told: 0 };
      this.standing.set(key, standing);
      const lastedMs = monotonicMs - standing.sinceMs;
      if (lastedMs < nextMs(condition, standing.told)) continue;
      const again = standing.told > 0;
      standing.told += 1;
      const title = again ? `still after ${durationText(Math.floor(lastedMs / 60_000) * 60_000)}: ${why}` : why;
      const isUrgent = condition.urgent || (again && escalates?.urgent);
      const more = { ...(again && { changed: true as const }), ...(isUrgent && { urgent: true as const }) };
      alerts.push({ event, at, subject, title, text, over: false, ...more });
    }
    return alerts;
  }
}
