import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import type { Decision } from '#domain/decision.ts';
import type { Journal } from '#ports/journal.ts';
import { dumpJournal } from '../../support/journal-dump.ts';
import { accepted, begun, folder, orderFacts, permits, RUN, row, sent } from './rows.ts';

/** Two orders, with rows that wait for the next commit between them, and one that nothing follows. */
function write(journal: Journal): void {
  const [first, second] = [orderFacts(1), orderFacts(2, { side: 'sell' })];
  journal.commit(permits(first));
  journal.defer([sent(first)]);
  journal.commit([accepted(first)]);
  journal.defer([row('hold', { why: 'flat', signals: { fast: 1 } }, { strategy: 'sma', reason: 'HOLD', n: 2 })]);
  journal.commit(permits(second));
  journal.defer([row('hold', { why: 'done', signals: {} }, { strategy: 'sma', reason: 'HOLD', n: 3 })]);
}

test('a journal in memory, given to one in a file, is what that file would have been', () => {
  const dir = folder();
  const direct = begun(join(dir, 'direct.db'));
  write(direct);
  direct.end(RUN, 'stopped');
  const memory = new MemoryJournal();
  write(memory);
  memory.end();
  const late = begun(join(dir, 'late.db'));
  late.commit(memory.decisions);
  late.end(RUN, 'stopped');
  const lines = [...dumpJournal({ path: join(dir, 'direct.db') })];
  expect(lines.length).toBeGreaterThan(8);
  expect([...dumpJournal({ path: join(dir, 'late.db') })]).toEqual(lines);
});

test('what is deferred comes before what is committed after it', () => {
  const memory = new MemoryJournal();
  const [a, b]: Decision[] = [1, 2].map((n) => row('hold', { why: String(n), signals: {} }, { strategy: 'sma', reason: 'HOLD', n }));
  if (!a || !b) throw new Error('no rows');
  memory.defer([a]);
  expect(memory.decisions).toEqual([]);
  memory.commit([b]);
  expect(memory.decisions).toEqual([a, b]);
  memory.defer([a]);
  memory.write();
  expect(memory.decisions).toEqual([a, b, a]);
});
