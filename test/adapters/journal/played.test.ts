import { describe, expect, test } from 'vitest';
import { keepPlayed, playedBy } from '#adapters/journal/played.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { RUN } from './rows.ts';

describe('what a backtest played', () => {
  test('is kept in its journal, by its run', () => {
    const path = JournalInMemory.of().kept();
    keepPlayed(path, RUN, '{"from":1}');
    expect([playedBy(path, RUN), playedBy(path, 'another run')]).toEqual(['{"from":1}', null]);
    expect(openFiles().filter((file) => file.startsWith(path))).toEqual([]);
  });
});
