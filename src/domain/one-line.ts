/** A text in one line: whatever would break it or move the cursor of who reads it is a blank. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
