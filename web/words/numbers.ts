import { grouped, moneyText, typeset } from '#domain/money-text.ts';

const NONE = '\u2013';

/** A decimal text or a number as a number; null if it is neither. */
function figureOf(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const figure = Number(value);
  return Number.isFinite(figure) ? figure : null;
}

/** A figure with fixed decimal places, separated thousands and a true minus sign. */
export function fixed(value: string | number | null | undefined, places: number): string {
  const text = figureOf(value)?.toFixed(places);
  return text === undefined ? NONE : typeset(grouped(/[1-9]/.test(text) ? text : text.replace('-', '')));
}

/** Money to the digit that the commands and reports show. */
export function money(value: string | number | null | undefined): string {
  const figure = figureOf(value);
  return figure === null ? NONE : typeset(moneyText(figure));
}

/** A figure's text, always with a sign, so that profit and loss differ without colour. */
const withSign = (text: string): string => (/^[^\u2212]*[1-9]/.test(text) ? `+${text}` : text);

export const signed = (value: string | number | null | undefined, places: number): string => withSign(fixed(value, places));

/** Money, always with a sign. */
export const signedMoney = (value: string | number | null | undefined): string => withSign(money(value));

/** A decimal text with separated thousands. Sizes and prices keep all decimal places. */
export function exact(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return NONE;
  const text = String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? typeset(grouped(text)) : text;
}

/** The class that colours a figure by its sign. */
export function direction(value: string | number | null | undefined): 'up' | 'down' | 'even' {
  const figure = figureOf(value) ?? 0;
  return figure > 0 ? 'up' : figure < 0 ? 'down' : 'even';
}
