import { InvalidArgumentError } from 'commander';
import { durationMs } from '#core/strategy/duration.ts';
import type { Millis } from '#domain/names.ts';

/** Reads a length of time such as `12h`, longer than nothing. */
export function span(text: string): Millis {
  const ms = spanOrNone(text);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('It must be longer than nothing, such as 30m, 12h or 5d.');
}

/** Reads a length of time such as `12h`, or `0s`. */
export function spanOrNone(text: string): Millis {
  const ms = /^\d{1,9}(\.\d{1,3})?(ms|s|m|h|d)$/.test(text) ? durationMs(text, 'option') : Number.NaN;
  if (Number.isSafeInteger(ms)) return ms;
  throw new InvalidArgumentError('It must be a length of time such as 30m, 12h or 5d.');
}
