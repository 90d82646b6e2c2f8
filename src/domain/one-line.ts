/** What is obeyed rather than seen, by terminals, spreadsheets and readers of right-to-left text. Line breaks and tabs stay. */
const OBEYED = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u2028\u2029]/gu;

/**
 * A text as it may leave Kairos for people: what would move a cursor or turn the direction of the text is written out, as `\u202e`. Text
 * of JSON stays JSON of the same values.
 */
export const shown = (text: string): string => text.replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How JSON writes what may be obeyed. */
const ESCAPED = /\\[ubfr]/;

/** A value from JSON whose texts, and names, are `shown`. */
export function shownIn(json: string): unknown {
  if (!ESCAPED.test(json) && shown(json) === json) return JSON.parse(json);
  return JSON.parse(json, (_, value: unknown) => {
    if (typeof value === 'string') return shown(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [shown(name), of]));
  });
}

/** A text on one line, as it may be shown: line breaks and control characters become blanks. */
export const oneLine = (text: string): string => shown(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '));

/** A text on one line of at most 200 characters, without blanks at its ends: as a reason is journaled. */
export const shortLine = (text: string): string => Array.from(oneLine(text).trim()).slice(0, 200).join('');
