import { InvalidArgumentError } from 'commander';
import type { Millis } from '#domain/names.ts';
import { instantOf } from '#domain/utc-day.ts';
import { inUserZone } from './user-zone.ts';

/** Reads an option that is a time: ISO 8601, in UTC by default. */
export function instant(text: string): Millis {
  const plain = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const at = plain ? instantOf(plain[1] === undefined || plain[4] !== undefined ? text : `${text}Z`) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new InvalidArgumentError('It must be a time such as 2026-11-21T14:30:00Z.');
}

/** A time in UTC, followed by local time and its offset. */
export function withLocalTime(at: string): string {
  const [time = '', zone = ''] = inUserZone(() => new Date(at).toTimeString()).split(' GMT');
  return `${at} (${time} ${zone.slice(0, 3)}:${zone.slice(3, 5)})`;
}
