import { expect, test } from 'vitest';
import { namedTokens } from '#domain/ops-token.ts';

const TOKEN = 'a-long-token-of-1';
const ann = { name: 'ann', role: 'operate', token: TOKEN };

function read(value: unknown) {
  const faults: string[] = [];
  const tokens = namedTokens.read(value, (_, must) => faults.push(must));
  return { tokens, faults };
}

test.each([
  ['one', `ann operate ${TOKEN}`, [ann]],
  [
    'lines, some of them empty',
    `\n ann operate ${TOKEN} \n\nbob.2  read  ${'x'.repeat(512)}\n`,
    [ann, { name: 'bob.2', role: 'read', token: 'x'.repeat(512) }],
  ],
  ['commas', `ann operate ${TOKEN},eve arm ${TOKEN}`, [ann, { name: 'eve', role: 'arm', token: TOKEN }]],
])('named tokens are read: %s', (_, text, tokens) => expect(read(text)).toEqual({ tokens, faults: [] }));

const RULE = 'must be lines of NAME ROLE TOKEN';
test.each([
  ['none', '', RULE],
  ['no text', 5, RULE],
  ['a role that is none', `ann root ${TOKEN}`, RULE],
  ['a token that is short', 'ann read short', RULE],
  ['a token that is long', `ann read ${'x'.repeat(513)}`, RULE],
  ['words behind a token', `ann read ${TOKEN} more`, RULE],
  ['one bad line of two', `ann operate ${TOKEN}\nbob read`, RULE],
  ['a name that is given twice', `ann read ${TOKEN}\nann arm ${TOKEN}2`, 'must name each holder once'],
])('what is none is refused as a whole: %s', (_, text, must) => {
  const { tokens, faults } = read(text);
  expect([tokens, faults.length]).toEqual([undefined, 1]);
  expect(faults[0]).toContain(must);
});
