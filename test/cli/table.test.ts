import { expect, test } from 'vitest';
import { tableText } from '#cli/output.ts';

const HEAD = ['at', 'strategy', 'size', 'price', 'fee', 'state'];
const ROWS = [
  ['2026-11-21T13:23:00.345Z', 'coin', '0.2', '2,639.18', '0.527836 usd', 'accepted'],
  ['2026-11-21T13:23:03.870Z', 'cross-btc', '-0.01', '61,864.4', 'n/a', 'unknown'],
  ['2026-11-21T13:23:04.000Z', 'hold', '-', '7', '0.5 usd', '-'],
];

test('figures stand to the right with their points under each other, text and times to the left', () => {
  expect(tableText(HEAD, ROWS).split('\n')).toEqual([
    'at                        strategy    size      price           fee  state',
    '------------------------  ---------  -----  ---------  ------------  --------',
    '2026-11-21T13:23:00.345Z  coin        0.2    2,639.18  0.527836 usd  accepted',
    '2026-11-21T13:23:03.870Z  cross-btc  -0.01  61,864.4            n/a  unknown',
    '2026-11-21T13:23:04.000Z  hold           -       7     0.5      usd  -',
  ]);
});

test.each([
  ['an id of an order', ['1035-1', '7-1']],
  ['a range', ['0.5 (0.4 to 0.6)', '0.5']],
  ['nothing', ['-', '-']],
  ['times', ['13:20', '12:00:00']],
])('%s is no figure', (_what, cells) => {
  const [, , first = ''] = tableText(
    ['a title', 'z'],
    cells.map((cell) => [cell, '1']),
  ).split('\n');
  expect(first.startsWith(cells[0] ?? '')).toBe(true);
});

test.each([40, 60, 79])('a row that %i columns have no room for goes on in further lines, and loses nothing', (width) => {
  const lines = tableText(HEAD, ROWS, width).split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && !word.startsWith('--'));
  expect(words(lines.join(' ')).sort()).toEqual(words([HEAD, ...ROWS].flat().join(' ')).sort());
  for (const [at = ''] of ROWS) expect(lines.filter((line) => line.startsWith(at))).toHaveLength(1);
});

test('a last column of text is wrapped at words, and cells of several lines keep them', () => {
  const rows = [
    ['fast\nslow', '12', 'the price is further from the median than it may be'],
    ['one', '7', 'short'],
  ];
  expect(tableText(['parameters', 'count', 'meaning'], rows, 50).split('\n')).toEqual([
    'parameters  count  meaning',
    '----------  -----  -------------------------------',
    'fast           12  the price is further from the',
    'slow               median than it may be',
    'one             7  short',
  ]);
  expect(tableText(['parameters', 'count', 'meaning'], rows, 30).split('\n')).toContain('slow');
});
