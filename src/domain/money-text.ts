/** Currencies of states, by ISO 4217. */
const OF_STATES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Coins that stand for a currency of a state are shown like it: `usdt`, `eurc`. */
const STABLE = /^(?:usd|eur|gbp).$/;
const COIN_PLACES = 8;
const PLACES = 2;

const placesOf = new Map<string, number>([['', PLACES]]);

/** The decimal places of money in a currency: its cents, eight for a coin, two where no currency is named. */
export function moneyPlaces(currency: string): number {
  const code = currency.toLowerCase();
  let places = placesOf.get(code);
  if (places === undefined) {
    const style = { style: 'currency', currency: STABLE.test(code) ? code.slice(0, 3) : code } as const;
    const isOfState = OF_STATES.has(style.currency.toUpperCase());
    places = isOfState ? (new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits ?? PLACES) : COIN_PLACES;
    placesOf.set(code, places);
  }
  return places;
}

/**
 * Money for people, on every page, table and sentence: with the decimal places of its currency, so that the figures of a column
 * stand under each other. What would round to nothing and is not nothing is `<0.01` or `−<0.01`, also where it stands alone. All
 * digits are in JSON, CSV and the journal.
 */
export const moneyText = (value: number, currency: string): string => placedText(value, moneyPlaces(currency));

/** Money with its currency. */
export const amountText = (value: number, currency: string): string => `${moneyText(value, currency)} ${currency}`.trimEnd();

/** A share in percent, by the rule of money. */
export const shareText = (share: number): string => `${placedText(share * 100, PLACES)} %`;

/** A figure with so many decimal places, its thousands apart and a true minus. */
export function fixedText(value: number, places: number): string {
  const text = value.toFixed(places);
  return typeset(grouped(/[1-9]/.test(text) ? text : text.replace('-', '')));
}

/** A figure with so many decimal places; one that would round to nothing is less than the least of them. */
export function placedText(value: number, places: number): string {
  const text = fixedText(value, places);
  return value === 0 || /[1-9]/.test(text) ? text : `${value < 0 ? MINUS : ''}<${(10 ** -places).toFixed(places)}`;
}

/** A price, in quote currency, with all significant digits. */
export const priceText = (price: number): string => String(Number(price.toPrecision(10)));

/** A number's text with separated thousands. */
export function grouped(text: string): string {
  const [whole = '', rest] = text.split('.');
  const apart = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return rest === undefined ? apart : `${apart}.${rest}`;
}

const MINUS = '\u2212';

/** A figure's text as people read it: with a true minus sign. */
export const typeset = (text: string): string => text.replace(/^-(?=\d)/, MINUS);

/** A text in which no line ends between a figure and its unit. */
export const unbroken = (text: string): string => text.replace(/(?<=\d) (?=%|(?:[a-z]{3}[ct]?|ms|[smhd]|points)\b)/g, '\u00a0');
