import { expect, test } from 'vitest';
import { figuresOf, GOAL, overOf } from '../../scripts/words/figures.ts';
import { measured } from '../../scripts/words.ts';

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
  expect(figuresOf(PAGE)).toEqual({ words: PAGE.trim().split(/\s+/).length, mean: 3.8, long: 0, wide: 1 });
  expect(figuresOf(`${'word '.repeat(36)}end.`)).toMatchObject({ mean: 37, long: 1 });
});

test('each figure beyond its bound is named', () => {
  const over = { words: 501, mean: 15.1, long: 1, wide: 1 };
  expect(overOf(over, GOAL('docs/how-to/one.md'))).toHaveLength(4);
  expect(overOf({ ...over, mean: 15, long: 0, wide: 0 }, GOAL('docs/one.md'))).toEqual([]);
});
