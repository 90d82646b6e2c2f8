import { expect, onTestFinished, test, vi } from 'vitest';
import { resultPainted, statesPainted } from '#cli/meaning.ts';
import { tableText } from '#cli/output.ts';
import { shortTimes, wrapped } from '#cli/terminal-text.ts';
import { typeset } from '#domain/money-text.ts';

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
    '2026-11-21T13:23:03.870Z  cross-btc  \u22120.01  61,864.4            n/a  unknown',
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
  const lines = tableText(HEAD, ROWS, { terminal: { width, now: 0 } }).split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && !word.startsWith('--'));
  expect(words(lines.join(' ')).sort()).toEqual(words(shortTimes([HEAD, ...ROWS].flat().map(typeset).join(' '), 0)).sort());
  for (const at of ROWS.map(([time = '']) => shortTimes(time, 0))) expect(lines.filter((line) => line.startsWith(at))).toHaveLength(1);
});

test('a table that goes on in further lines breaks its titles too: a row of a walk-forward takes two lines', () => {
  const head = ['test from', 'parameters', 'net profit / equity drawdown in training', 'return in training', 'in the test', 'trades', ''];
  const rows = [
    ['2026-11-20T11:00:00Z', 'cross-btc.fast=5, cross-btc.slow=40', '1.25', '0.31 %', '-0.12 %', '12', ''],
    [
      '2026-11-20T13:00:00Z',
      'cross-btc.fast=5, cross-btc.slow=80',
      '-0.25',
      '-1.31 %',
      '-0.12 %',
      '2',
      'its parameters stand at the border of the range: widen it',
    ],
  ];
  const lines = tableText(head, rows, { terminal: { width: 80, now: 0 } }).split('\n');
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.slice(-4)).toEqual([
    '2026-11-20 11:00:00  cross-btc.fast=5, cross-btc.slow=40      1.25    0.31 %',
    '    \u22120.12 %      12',
    '2026-11-20 13:00:00  cross-btc.fast=5, cross-btc.slow=80     \u22120.25   \u22121.31 %',
    '    \u22120.12 %       2  its parameters stand at the border of the range: widen it',
  ]);
});

test('a last column of text is wrapped at words, and cells of several lines keep them', () => {
  const rows = [
    ['fast\nslow', '12', 'the price is further from the median than it may be'],
    ['one', '7', 'short'],
  ];
  expect(tableText(['parameters', 'count', 'meaning'], rows, { terminal: { width: 50, now: 0 } }).split('\n')).toEqual([
    'parameters  count  meaning',
    '----------  -----  -------------------------------',
    'fast           12  the price is further from the',
    'slow               median than it may be',
    'one             7  short',
  ]);
  expect(tableText(['parameters', 'count', 'meaning'], rows, { terminal: { width: 30, now: 0 } }).split('\n')).toContain('slow');
});

test('a terminal has times to the second, with the day where it is another one, and columns for which there is room', () => {
  const terminal = { width: 40, now: Date.UTC(2026, 10, 21, 18) };
  expect(tableText(HEAD, ROWS, { terminal, spare: ['fee', 'state', 'strategy'] }).split('\n')).toEqual([
    'at        strategy    size      price',
    '--------  ---------  -----  ---------',
    '13:23:00  coin        0.2    2,639.18',
    '13:23:03  cross-btc  \u22120.01  61,864.4',
    '13:23:04  hold           -       7',
  ]);
  expect(shortTimes('since 2026-11-20T23:59:59.999Z, until 2026-11-21T13:00:00Z', terminal.now)).toBe(
    'since 2026-11-20 23:59:59, until 13:00:00',
  );
});

test('a loss is red and a gain green, none is neither, and the columns stand as without colours', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  vi.stubEnv('NO_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const rows = [['-1.5 usd'], ['0.25 usd'], ['0.00 usd'], ['n/a']];
  const [, , loss, gain, ...plain] = tableText(['profit'], rows, { signed: ['profit'] }).split('\n');
  expect([loss, gain, ...plain]).toEqual(['\u001b[31m\u22121.5  usd\u001b[39m', ' \u001b[32m0.25 usd\u001b[39m', ' 0.00 usd', '      n/a']);
});

test.each([
  ['asked 127 times, last at noon', 'asked 127\n  times, last\n  at noon'],
  ['  then  raise it or wait', '  then  raise\n    it or wait'],
  ['see /var/lib/kairos/kairos.db for it', 'see\n  /var/lib/kairos/kairos.db\n  for it'],
])('a line is broken between words and goes on under its text: %s', (line, lines) => {
  expect(wrapped(line, 15)).toBe(lines);
});

test('where room is short a title is broken between words before a column is left out', () => {
  const head = ['trial', 'net profit / equity drawdown', 'trades'];
  const drawn = (width: number) => tableText(head, [['1', '0.9002', '13']], { terminal: { width, now: 0 }, spare: ['trades'] }).split('\n');
  expect(drawn(50)).toHaveLength(3);
  expect(drawn(30)).toEqual([
    'trial       net  trades',
    '       profit /',
    '         equity',
    '       drawdown',
    '-----  --------  ------',
    '    1    0.9002      13',
  ]);
  expect(drawn(16).at(-1)).toBe('    1    0.9002');
});

test('a note stands below its row, and one of several rows below the last; all lines of a row come before it', () => {
  const note = 'since 2026-11-21T13:22:00Z: 4 of 4 orders a minute used; it passes by itself';
  const terminal = { width: 34, now: Date.parse('2026-11-21T14:00:00Z') };
  const rows = [
    ['one', 'REFUSED', '-0.01', '61,864.4'],
    ['two', 'REFUSED', '0', '-'],
    ['three', 'RUNNING', '0', '-'],
  ];
  const notes = new Map([
    ['one', note],
    ['two', note],
  ]);
  const told = ['    since 13:22:00: 4 of 4 orders', '    a minute used; it passes by', '    itself'];
  const drawn = tableText(['strategy', 'state', 'held', 'mark'], rows, { terminal, notes }).split('\n');
  expect(drawn.slice(2).map((line) => line.split(' ')[0])).toEqual(['one', 'two', '', '', '', 'three']);
  expect(drawn.slice(4, 7)).toEqual(told);
  const narrow = tableText(['strategy', 'state', 'held', 'mark'], rows, { terminal: { ...terminal, width: 25 }, notes }).split('\n');
  expect(narrow.findIndex((line) => line.startsWith('three'))).toBeGreaterThan(narrow.findIndex((line) => line.includes('13:22:00')));
});

test('names of states and what a result made have the colour of what they mean', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  vi.stubEnv('NO_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(statesPainted('a HALTED, b REFUSED, c RUNNING; HALTEDX')).toBe(
    'a \u001b[31mHALTED\u001b[39m, b \u001b[33mREFUSED\u001b[39m, c \u001b[32mRUNNING\u001b[39m; HALTEDX',
  );
  expect(resultPainted('Lost\n  0.07 % after fees; holding would have made 1.00 %')).toBe(
    '\u001b[31mLost\n  0.07 %\u001b[39m after fees; holding would have made 1.00 %',
  );
  expect(resultPainted('Made under 0.01 % after fees')).toBe('\u001b[32mMade under 0.01 %\u001b[39m after fees');
});

test('a figure and its unit are on one line of a terminal', () => {
  expect(wrapped('all capital lost 0.57 % in 12 trades', 22)).toBe('all capital lost\n  0.57 % in 12 trades');
});

const longRows = (count: number): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, n) => [`row-${n}`, n % 97 === 0 ? 'a-long-strategy' : 'coin', String(n / 8), `${n}-1 ${n + 1}-1`]);

test.each([undefined, 30])('a long table stands in one piece, every row once, at width %s', (width) => {
  const terminal = width === undefined ? undefined : { width, now: 0 };
  const lines = tableText(['row', 'strategy', 'profit', 'orders'], longRows(333), { terminal }).split('\n');
  const rows = lines.filter((line) => line.startsWith('row-'));
  expect(rows.map((line) => /^\S+/.exec(line)?.[0])).toEqual(longRows(333).map(([name]) => name));
  expect(lines.filter((line) => /^row\s/.test(line))).toHaveLength(1);
  expect(new Set(rows.map((line) => line.search(/(?:a-long-strategy|coin)/)))).toHaveProperty('size', 1);
});

test('the time of a table grows with its rows, not with their square', () => {
  const timeOf = (count: number): number => {
    const begin = process.cpuUsage();
    tableText(['row', 'strategy', 'profit', 'orders'], longRows(count));
    return process.cpuUsage(begin).user;
  };
  timeOf(600);
  const few = timeOf(600);
  // Fifteen times as many rows.
  expect(timeOf(9_000) / few).toBeLessThan(30);
});
