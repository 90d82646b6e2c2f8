import { expect, test } from 'vitest';
import { readScript } from '#assembly/script-options.ts';

const SCRIPT = {
  name: 'play',
  does: 'plays seeds',
  options: {
    seeds: { type: 'string', default: '1', value: 'N', says: 'so many' },
    keep: { type: 'string', value: 'FILE', says: 'writes the log' },
    words: { type: 'boolean', default: false, says: 'tells it' },
  },
} as const;

const USAGE = `usage: npm run play -- [options]
plays seeds

  --seeds N    so many (default: 1)
  --keep FILE  writes the log
  --words      tells it`;

test('a script reads its options, and says which there are where --help asks', () => {
  expect(readScript(SCRIPT, ['--seeds', '20', '--words'])).toMatchObject({ values: { seeds: '20', words: true } });
  expect(readScript(SCRIPT, [])).toMatchObject({ values: { seeds: '1', words: false } });
  expect(readScript(SCRIPT, ['--seeds', '20', '--help'])).toEqual({ help: USAGE });
});

test.each([
  [['--sedes', '20'], "Unknown option '--sedes'"],
  [['20'], "Unexpected argument '20'"],
  [['--keep'], "Option '--keep <value>' argument missing"],
  [['--seeds', 'many'], "--seeds 'many': must be a number of at least 0"],
  [['--words=yes'], "Option '--words' does not take an argument"],
])('%j is one line and the usage, and no stack', (args, line) => {
  const read = readScript(SCRIPT, args);
  expect('wrong' in read && read.wrong.split('\n')[0]).toContain(`npm run play: ${line}`);
  expect('wrong' in read && read.wrong.endsWith(`\n${USAGE}`)).toBe(true);
});
