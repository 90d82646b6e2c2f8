const MINUS = '\u2212';
const NONE = '\u2013';

/** Decimal text or a number as a number; null where it is neither. */
export function figureOf(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const figure = Number(value);
  return Number.isFinite(figure) ? figure : null;
}

const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A figure with so many places, thousands set apart, a true minus. */
export function fixed(value: string | number | null | undefined, places: number): string {
  const figure = figureOf(value);
  if (figure === null) return NONE;
  const [whole = '', rest] = Math.abs(figure).toFixed(places).split('.');
  const isZero = Number(`${whole}.${rest ?? ''}`) === 0;
  return `${figure < 0 && !isZero ? MINUS : ''}${grouped(whole)}${rest === undefined ? '' : `.${rest}`}`;
}

/** As `fixed`, with its sign always: profit and loss are told apart without colour. */
export function signed(value: string | number | null | undefined, places: number): string {
  const text = fixed(value, places);
  return text === NONE || text.startsWith(MINUS) || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** Decimal text as it is, thousands set apart: sizes and prices lose no place. */
export function exact(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return NONE;
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', rest] = text.replace('-', '').split('.');
  return `${text.startsWith('-') ? MINUS : ''}${grouped(whole)}${rest === undefined ? '' : `.${rest}`}`;
}

/** Which way a figure points: the class that colours it. */
export function direction(value: string | number | null | undefined): 'up' | 'down' | 'even' {
  const figure = figureOf(value) ?? 0;
  return figure > 0 ? 'up' : figure < 0 ? 'down' : 'even';
}
