/** Maximum length of a kept text, in characters. */
const MAX_TEXT = 4_096;
/** Maximum length of a name, and of a text within a record, in characters. */
export const MAX_SHORT_TEXT = 200;

/** Entries and depth of a value that is kept. */
const MAX_PARTS = 100;
const MAX_DEPTH = 4;

let scrub: ((text: string) => string) | undefined;

/** Sets the filter for every kept text of a strategy: it removes the secrets of the settings, which a strategy can reach (I15). */
export function scrubTexts(by: (text: string) => string): void {
  scrub = by;
}

/** A text as it is journaled: without secrets, and cut with a note if it is too long. */
export function cutText(whole: string, most: number = MAX_TEXT): string {
  const text = scrub ? scrub(whole) : whole;
  return text.length <= most ? text : `${text.slice(0, most)} ... (cut: it had ${text.length} characters)`;
}

/**
 * A value that a strategy has named, as the journal and the page can keep it: a copy in plain data, so that nothing in it is
 * without end and no later change reaches it. What is too much of it is cut, and says so. Never throws.
 */
export function keptValue(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'string':
      return cutText(value);
    case 'object':
      return value === null ? null : copied(value);
    default:
      return typeof value === 'bigint' ? cutText(String(value), MAX_SHORT_TEXT) : typeof value;
  }
}

function copied(value: object): unknown {
  try {
    return copyOf(value, 1, { left: MAX_PARTS });
  } catch {
    // A getter of the strategy's threw: what is named cannot be read, and that is what is kept.
    return 'a value that cannot be read';
  }
}

function copyOf(part: unknown, depth: number, room: { left: number }): unknown {
  if (typeof part === 'string') return cutText(part, MAX_SHORT_TEXT);
  if (typeof part !== 'object' || part === null) return keptValue(part);
  if ('toJSON' in part && typeof part.toJSON === 'function') return copyOf(part.toJSON(), depth + 1, room);
  const isList = Array.isArray(part);
  if (depth > MAX_DEPTH) return isList ? 'list' : 'record';
  const entries: [string, unknown][] = [];
  // By name, so that a list of millions is not copied to be cut.
  for (const name in part) {
    if (!Object.hasOwn(part, name)) continue;
    room.left -= 1;
    if (room.left < 0) {
      entries.push([isList ? String(entries.length) : '...', 'cut']);
      break;
    }
    entries.push([cutText(name, MAX_SHORT_TEXT), copyOf(Reflect.get(part, name), depth + 1, room)]);
  }
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

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
