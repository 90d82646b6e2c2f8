const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/;
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * Milliseconds since 1970 UTC from a cell of a time column: seconds, milliseconds, microseconds or nanoseconds, told
 * apart by magnitude, or ISO 8601, in UTC where it names no zone. NaN for anything else.
 */
export function marketTimeOf(cell: string): number {
  if (NUMBER.test(cell)) return epochMs(Number(cell));
  const iso = ISO.exec(cell);
  if (!iso) return Number.NaN;
  const [, date, time, zone] = iso;
  return Date.parse(`${date}T${time}${zone ?? 'Z'}`);
}

/** The four units are a thousandfold apart, so any date from 1973 to 5138 has only one reading. */
function epochMs(value: number): number {
  if (value < 1e11) return value * 1000;
  if (value < 1e14) return value;
  if (value < 1e17) return value / 1000;
  return value / 1_000_000;
}
