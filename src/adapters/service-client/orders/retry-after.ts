import { httpDateMs } from '#adapters/service-client/clock/http-date.ts';

/** Waited where the service does not say how long, or says it in no form that HTTP knows. */
const UNSTATED_MS = 10_000;
/** Waited at most, whatever it says: then it is asked again, and may say so again. */
const MAX_MS = 300_000;
const SECONDS = /^\d{1,9}$/;

/**
 * How long a `Retry-After` asks to wait, in milliseconds (RFC 9110, 10.2.3): a number of seconds, or a date, which counts
 * from the answer's own `Date` where it has one. Bounded by 0 and five minutes.
 */
export function retryAfterMs(text: string | null, from: { readonly date: string | null; readonly nowMs: number }): number {
  if (text === null) return UNSTATED_MS;
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return Math.min(MAX_MS, Number(trimmed) * 1000);
  const untilMs = httpDateMs(trimmed);
  if (Number.isNaN(untilMs)) return UNSTATED_MS;
  const answeredMs = httpDateMs(from.date ?? '');
  return Math.min(MAX_MS, Math.max(0, untilMs - (Number.isNaN(answeredMs) ? from.nowMs : answeredMs)));
}
