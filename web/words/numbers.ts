import { fixedText, grouped, moneyText, shareText, typeset } from '#domain/money-text.ts';

const NONE = '\u2013';

type Value = string | number | null | undefined;

/** A decimal text or a number as a number; null if it is neither. */
function figureOf(value: Value): number | null {
  if (value === null || value === undefined || value === '') return null;
  const figure = Number(value);
  return Number.isFinite(figure) ? figure : null;
}

/** A figure with fixed decimal places, separated thousands and a true minus sign. */
export function fixed(value: Value, places: number): string {
  const figure = figureOf(value);
  return figure === null ? NONE : fixedText(figure, places);
}

/** Money to the digit that the commands and reports show. */
export function money(value: Value, currency: string | null | undefined): string {
  const figure = figureOf(value);
  return figure === null ? NONE : moneyText(figure, currency ?? '');
}

/** Money with its currency, which stays on its line. */
export const amount = (value: Value, currency: string | null | undefined): string =>
  figureOf(value) === null ? NONE : `${money(value, currency)}\u00a0${currency ?? ''}`;

/** A figure's text, always with a sign, so that profit and loss differ without colour. */
const withSign = (text: string): string => (/^[^\u2212]*[1-9]/.test(text) ? `+${text}` : text);

export const signed = (value: Value, places: number): string => withSign(fixed(value, places));

/** Money, always with a sign. */
export const signedMoney = (value: Value, currency: string | null | undefined): string => withSign(money(value, currency));

/** A share in percent, always with a sign. */
export const signedShare = (share: number): string => withSign(shareText(share));

/** A decimal text with separated thousands. Sizes and prices keep all decimal places. */
export function exact(value: Value): string {
  if (value === null || value === undefined || value === '') return NONE;
  const text = String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? typeset(grouped(text)) : text;
}

/** The class that colours a figure by its sign. */
export function direction(value: Value): 'up' | 'down' | 'even' {
  const figure = figureOf(value) ?? 0;
  return figure > 0 ? 'up' : figure < 0 ? 'down' : 'even';
}
