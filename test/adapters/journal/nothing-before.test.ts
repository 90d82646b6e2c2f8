import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import { folder, openJournal, START } from './rows.ts';

test('I32 a run without a journal begins with what an empty one gives', () => {
  expect(NOTHING_BEFORE).toEqual(openJournal(join(folder(), 'kairos.db')).recover(START));
});
