import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAccepted } from './report.ts';
import { ROOMS } from './rooms.ts';

test.each(Object.entries(ROOMS))('what is mutated under %s exists, and so do its tests', (_, { mutate, own }) => {
  for (const pattern of mutate) expect(globSync(pattern.replace('!', '')), pattern).not.toEqual([]);
  for (const folder of own) expect(globSync(`${folder}/**/*.test.ts`), folder).not.toEqual([]);
});

test('each mutant that is left alone with a reason changes a line that still stands', () => {
  for (const { file, text } of readAccepted('test/mutation/survivors.json')) {
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(
      lines.map((line) => line.trim()),
      file,
    ).toContain(text);
  }
});
