import { fixedText, typeset } from '#domain/money-text.ts';

/** Round values that divide a span into about `count` parts: two at least, between which others can be read. */
export function ticks(low: number, high: number, count: number): readonly number[] {
  const raw = (high - low) / count;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= raw) ?? raw;
  const found: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step)
    found.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return found.length > 1 ? found : ticks(low, high, 2 * count);
}

/** Three to five prices that an axis names, with as many places each as tell them apart; one where there is no span. */
export function namedPrices(low: number, high: number): readonly (readonly [price: number, text: string])[] {
  const found = [3, 4, 6, 8].map((count) => ticks(low, high, count)).find(({ length }) => length > 2) ?? ticks(low, high, 3);
  const step = (found[1] ?? low) - (found[0] ?? low);
  const places = step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 2;
  return found.map((price) => [price, fixedText(price, places)]);
}

/** A value of an axis with as many places as tell neighbours apart. */
export const plain = (value: number, span: number): string =>
  typeset(value.toLocaleString('en', { maximumFractionDigits: Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(span || 1)))) }));

export const percent = (value: number, span: number): string => `${plain(value * 100, span * 100)} %`;

/** Those of some texts along an axis that do not touch; `room`: what one takes. */
export function apart<One>(all: readonly One[], x: (one: One) => number, room: number): readonly One[] {
  let free = Number.NEGATIVE_INFINITY;
  return all.filter((one) => {
    if (x(one) < free) return false;
    free = x(one) + room;
    return true;
  });
}
