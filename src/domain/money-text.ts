/** Money with two decimals; below one with three digits that count, eight decimals at most. */
export function moneyText(value: number): string {
  const size = Number(Math.abs(value).toPrecision(3));
  const places = size === 0 || size >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(size)));
  return grouped(value.toFixed(places));
}

/** A price, in quote currency, with all significant digits. */
export const priceText = (price: number): string => String(Number(price.toPrecision(10)));

/** A number's text with separated thousands. */
export function grouped(text: string): string {
  const [whole = '', rest] = text.split('.');
  const apart = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return rest === undefined ? apart : `${apart}.${rest}`;
}

/** A share in percent: two decimals, four where it is tiny. */
export const shareText = (share: number): string => `${(share * 100).toFixed(Math.abs(share) < 0.001 && share !== 0 ? 4 : 2)} %`;

/** A figure's text as pages show it: with a true minus sign. */
export const typeset = (text: string): string => text.replace(/^-(?=\d)/, '\u2212');
