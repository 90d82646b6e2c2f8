/** What may differ between what a page shows and what a command prints now, each by one mark. */
const MASKS: readonly (readonly [pattern: RegExp, mark: string])[] = [
  [
    /^(Too few trades to judge: )?(lost|made) .* fees in \d+ trades? over \d+ \w+(, \d+ positions? still open)?; buying and holding as much as its largest position would have (made nothing|(lost|made) (under )?[\d.]+ %)(, all capital (made nothing|(lost|made) (under )?[\d.]+ %))?/i,
    'SUMMARY ',
  ],
  [/(?<=^|\s)\/\S*\/(?=var\/)/g, ''],
  [/\d{8}T\d{6}Z-[0-9a-f]{6}/g, 'RUN'],
  [/\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?/g, 'TIME'],
  [/\[?\d\d:\d\d:\d\d\.\d+Z?\]?/g, 'TIME'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID'],
  [/(?<![\w.])(?=[0-9a-f]*\d)[0-9a-f]{8,}(\.\.\.)?/g, 'ID'],
  [/\b\d+-\d+\b/g, 'ORDER'],
  [/\b(btc|eth|eur)(usd|sek)\b/g, 'PRODUCT'],
  [/\b(cross-btc|coin-eth|hold-eur|dip-btc)\b/g, 'STRATEGY'],
  [/\b(buy|sell)\b/g, 'SIDE'],
  [/\b(usd|btc|eth|eur|sek)\b/g, 'CURRENCY'],
  [/(?<![\w.])[-+\u2212]?<?\d[\d,]*(\.\d+)?(e[-+]\d+)?/g, '#'],
  [/-{2,}/g, '--'],
  [/\s+/g, ' '],
];

/** A line without its figures, times, names and widths. */
export const shapeOf = (line: string): string => MASKS.reduce((text, [pattern, mark]) => text.replace(pattern, mark), line).trim();

/** What a line that was cut at the width of the terminal says for certain. */
const certain = (cut: string): string => cut.slice(0, -1).replace(/\S*$/, '').trim();

/**
 * Lines of a page that have the shape of no line that was printed. `...` stands for any number of lines, at a line's end for any words;
 * lines that were both cut, which end with an ellipsis, are alike as far as the shorter one goes.
 */
export function unlike(shown: readonly string[], printed: string): readonly string[] {
  const shapes = printed.split('\n').map(shapeOf);
  return shown.filter((line) => {
    const shape = shapeOf(line);
    if (shape === '' || shape === '...') return false;
    if (shape.endsWith(' ...')) return !shapes.some((one) => one.startsWith(shape.slice(0, -4)));
    if (shape.endsWith('…')) return !shapes.some((one) => isCutAlike(certain(shape), one));
    return !shapes.includes(shape);
  });
}

function isCutAlike(shown: string, printed: string): boolean {
  if (printed.startsWith(shown)) return true;
  if (!printed.endsWith('…')) return false;
  const shorter = certain(printed);
  return shorter.length > shown.length / 2 && shown.startsWith(shorter);
}
