/** A value as error lines show it: on one line, with a maximum length. */
export function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a group of settings';
  const text = JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}
