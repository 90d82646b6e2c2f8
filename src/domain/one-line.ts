/** A text on one line: line breaks and control characters become blanks. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** A text on one line of at most 200 characters, without blanks at its ends: as a reason is journaled. */
export const shortLine = (text: string): string => Array.from(oneLine(text).trim()).slice(0, 200).join('');
