const MINUS = '\u2212';
const NONE = '\u2013';

/** A decimal text or a number as a number; null if it is neither. */
function figureOf(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const figure = Number(value);
  return Number.isFinite(figure) ? figure : null;
}

const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A figure with fixed decimal places, separated thousands and a true minus sign. */
export function fixed(value: string | number | null | undefined, places: number): string {
  const figure = figureOf(value);
  if (figure === null) return NONE;
  const [whole = '', rest] = Math.abs(figure).toFixed(places).split('.');
  const isZero = Number(`${whole}.${rest ?? ''}`) === 0;
  return `${figure < 0 && !isZero ? MINUS : ''}${grouped(whole)}${rest === undefined ? '' : `.${rest}`}`;
}

/** As `fixed`, always with a sign, so that profit and loss differ without colour. */
export function signed(value: string | number | null | undefined, places: number): string {
  const text = fixed(value, places);
  return text === NONE || text.startsWith(MINUS) || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** A decimal text with separated thousands. Sizes and prices keep all decimal places. */
export function exact(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return NONE;
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', rest] = text.replace('-', '').split('.');
  return `${text.startsWith('-') ? MINUS : ''}${grouped(whole)}${rest === undefined ? '' : `.${rest}`}`;
}

/** The class that colours a figure by its sign. */
export function direction(value: string | number | null | undefined): 'up' | 'down' | 'even' {
  const figure = figureOf(value) ?? 0;
  return figure > 0 ? 'up' : figure < 0 ? 'down' : 'even';
}
