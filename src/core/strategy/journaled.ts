/** Entries of a signal that are journaled; a signal with more is cut. */
const MAX_ENTRIES = 12;
const MAX_CHARACTERS = 200;

/**
 * A signal as the journal keeps it: numbers, texts and flat records as they are, a quote by name (its own figures stand
 * beside it in the row), anything deeper by its type. Whatever a strategy emits, the row stays small and can be written.
 */
export function journaled(signal: unknown): unknown {
  if (typeof signal !== 'object' || signal === null) return scalar(signal);
  if ('validUntil' in signal && 'lane' in signal) return 'the quote';
  if (Array.isArray(signal)) return signal.slice(0, MAX_ENTRIES).map(scalar);
  return Object.fromEntries(
    Object.entries(signal)
      .slice(0, MAX_ENTRIES)
      .map(([name, value]) => [name, scalar(value)]),
  );
}

function scalar(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'string':
      return value.slice(0, MAX_CHARACTERS);
    case 'boolean':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : Array.isArray(value) ? 'list' : 'record';
    default:
      return typeof value;
  }
}
