import { expect, test } from 'vitest';
import { isoTime } from '#domain/names.ts';
import { dumpJournal } from '../../support/journal-dump.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { accepted, orderFacts, permits, START } from './rows.ts';

const at = (second: number) => isoTime(START + second * 1000);

test('a dump numbers the lines of each table, with what two runs that decide the same have in common', () => {
  const [first, second] = [orderFacts(1), orderFacts(2)];
  const path = JournalInMemory.of(...permits(first), accepted(first), ...permits(second), accepted(second)).kept();
  const lines = [...dumpJournal({ path })].map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  expect(lines.map(({ table, n }) => `${table} ${n}`)).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((n) => `decisions ${n}`),
    ...[1, 2].map((n) => `orders ${n}`),
    ...[1, 2, 3, 4, 5, 6].map((n) => `ledger ${n}`),
  ]);
  expect(lines[1]).toMatchObject({ at: at(1), kind: 'approved', order_id: '1-1', detail: expect.stringContaining('"btcusd"') });
  expect(lines[7]).toMatchObject({ order_id: '2-1', state: 'accepted' });
  expect(lines[8]).toMatchObject({ at: at(2), currency: 'BTC', amount: '0.01' });
  for (const column of ['run_id', 'seq', 'hash', 'entry_id']) expect(lines.filter((line) => column in line)).toEqual([]);
});

test('a dump that is broken off leaves the journal alone, as a whole one does', () => {
  const path = JournalInMemory.of(...permits(orderFacts(1))).kept();
  for (const _ of dumpJournal({ path })) break;
  expect([...dumpJournal({ path })]).toHaveLength(3);
  expect(openFiles()).not.toContain(path);
});
