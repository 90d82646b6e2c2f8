import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sourcesUnder } from '../../scripts/reference/rooms.ts';
import { coinedIn, textsIn } from '../../scripts/words/coined.ts';
import { figuresOf, GOAL, overOf } from '../../scripts/words/figures.ts';
import { measured } from '../../scripts/words.ts';
import { ROOT } from '../support/root.ts';

test('no page is longer than its bounds, and all together are not (see: npm run words)', () => {
  expect(measured().faults).toEqual([]);
});

const PAGE = `# A title is no sentence

Two sentences. The second has a \`span of code\` and
a [link](far/away.md).

- an item
- another: two words

<!-- not run: why -->
\`\`\`
kairos run here
\`\`\`

| a | b |
|---|---|
| one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen | \`a b c\` |
`;

test('words are counted as they are read: sentences without code, tables and titles', () => {
  expect(figuresOf(PAGE)).toEqual({ words: PAGE.trim().split(/\s+/).length, mean: 3.8, long: 0, wide: 1, coined: 0 });
  expect(figuresOf(`${'word '.repeat(36)}end.`)).toMatchObject({ mean: 37, long: 1 });
});

test('each figure beyond its bound is named', () => {
  const over = { words: 501, mean: 15.1, long: 1, wide: 1, coined: 1 };
  expect(overOf(over, GOAL('docs/how-to/one.md'))).toHaveLength(5);
  expect(overOf({ ...over, mean: 15, long: 0, wide: 0, coined: 0 }, GOAL('docs/one.md'))).toEqual([]);
});

test.each([
  ['the bot is told by hand', ['by hand (manual)', 'told (reported)']],
  ['it holds them against the next', ['holds them against (compared)']],
  ['a limit holds, and `told` is a name', ['told (reported)']],
  ['a manual order of a temporary lane, in a simulation', []],
])('coined words are found: %s', (text, found) => {
  expect(coinedIn(text)).toEqual(found);
});

test('texts of a source are its literals of several words, not its comments and names', () => {
  const code = `// told so\nconst told = 'told'; const a = 'one two'; const b = \`\${told} three four\`;`;
  expect(textsIn(code, 'a.ts')).toEqual(['one two', ' three four']);
});

test('no message, help or label has words of our own for what has a name', () => {
  const found = [...sourcesUnder('src'), ...sourcesUnder('web')].flatMap(({ file }) =>
    textsIn(readFileSync(path.join(ROOT, file), 'utf8'), file).flatMap((text) =>
      coinedIn(text).map((word) => `${file}: ${word}: ${text.trim().slice(0, 100)}`),
    ),
  );
  expect(found).toEqual([]);
});
