import { cutText, MAX_SHORT_TEXT } from './kept-text.ts';

/** Maximum number of journaled entries of a signal; the rest is cut. */
const MAX_ENTRIES = 12;

/**
 * A signal as the journal keeps it: numbers, texts and flat records as they are, a quote by name (its own figures stand
 * beside it in the row), anything deeper by its type. Whatever a strategy emits, the row stays small and can be written.
 */
export function journaled(signal: unknown): unknown {
  if (typeof signal !== 'object' || signal === null) return scalar(signal);
  try {
    return parts(signal);
  } catch {
    // A getter of the strategy's threw.
    return 'a signal that cannot be read';
  }
}

function parts(signal: object): unknown {
  if ('validUntil' in signal && 'lane' in signal) return 'the quote';
  if (Array.isArray(signal)) return signal.slice(0, MAX_ENTRIES).map(scalar);
  return Object.fromEntries(
    Object.entries(signal)
      .slice(0, MAX_ENTRIES)
      .map(([name, value]) => [cutText(name, MAX_SHORT_TEXT), scalar(value)]),
  );
}

function scalar(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'string':
      return cutText(value, MAX_SHORT_TEXT);
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
