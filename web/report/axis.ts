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

/** A value of an axis with as many places as tell neighbours apart. */
export const plain = (value: number, span: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(span || 1)))) });

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
