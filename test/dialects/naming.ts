import { allReadings, type NamedReading, type PointName } from '#adapters/service-client/dialect/dialect.ts';

/**
 * What a line must have that names the cause where a reading of this place stops the client: the setting that mends it, or, where there
 * is none, the field or word at fault. A place that is not here never stops it.
 */
const NAMES: Partial<Record<PointName, RegExp>> = {
  figures: /\b(price|size|value)\b.*\bnot a\b|\b(price|size|value)\b.*separator/i,
  quoteFees: /\bfee/i,
  quoteSize: /\bsize\b|\bfee/i,
  validity: /\bvalidUntil\b|\bzone\b/i,
  acks: /\bACK\b|acknowledg/i,
  connections: /lanes\.(max|reserve)/,
  sides: /service\.sides/,
  answerStatus: /service\.outcomes|\b202\b/,
  answerForm: /service\.outcomes/,
  word: /service\.filledStatuses/,
  figuresTold: /\b(size|price|value)\b/i,
  fills: /\bsize\b|\bpart/i,
  feeTaken: /service\.feeIn|\bfee/i,
  feeTold: /\bfee/i,
  refusals: /service\.(outcomes|rejectedStatuses|ignoredFields|filledStatuses|emptyAnswer)|rejected/i,
  brand: /service\.(brand|paths)/,
  paths: /service\.(brand|paths)/,
  dates: /clock\.source|service's time/,
};

/** Readings of a dialect that may stop the client. */
export function stoppersIn(names: readonly string[]): readonly NamedReading[] {
  return allReadings().filter((reading) => names.includes(reading.name) && reading.client !== 'trades');
}

/** Whether one of the lines names what one of these readings does, or the setting that mends it. */
export function isNamed(readings: readonly NamedReading[], lines: readonly string[]): boolean {
  return readings.some(({ point }) => lines.some((line) => NAMES[point]?.test(line) ?? false));
}
