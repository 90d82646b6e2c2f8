import { expect, test } from 'vitest';
import { lastSignals, takenSignals } from '#adapters/journal/past-signals.ts';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { isoTime } from '#domain/names.ts';
import { signalSource } from '#domain/outside-signal.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { row, START } from './order-rows.ts';

const at = (n: number): number => START + n * 1000;
const taken = (n: number, source: string, made: number | null = null) =>
  row('signal', { id: `s${n}`, source, madeAt: made === null ? null : isoTime(at(made)), value: { score: n } }, { n });
const past = (n: number, source: string, made: number | null = null) => ({
  at: at(n),
  source: signalSource(source),
  signal: { id: `s${n}`, madeAt: made === null ? null : at(made), value: { score: n } },
});

test('signals from outside are found as they were taken, oldest first; of each source the one counts that was made last', () => {
  const journal = JournalInMemory.of(taken(1, 'chart'), taken(2, 'news', 2), row('stopped', { who: 'ann', why: 'x' }), taken(3, 'chart'));
  const path = journal.add(taken(4, 'news', 1)).kept();
  expect(takenSignals(path)).toEqual([past(1, 'chart'), past(2, 'news', 2), past(3, 'chart'), past(4, 'news', 1)]);
  expect(lastSignals(journal.database)).toEqual([past(3, 'chart'), past(2, 'news', 2)]);
  expect(openFiles()).not.toContain(path);
});

test('a source that sends ten thousand signals hides no other, over a rotation too', async () => {
  const quick = Array.from({ length: 10_001 }, (_, n) => taken(n + 2, 'quick'));
  const journal = JournalInMemory.of(taken(1, 'slow'), ...quick);
  const path = journal.kept();
  expect(lastSignals(journal.database)).toEqual([past(1, 'slow'), past(10_002, 'quick')]);
  const ids = (): readonly string[] => takenSignals(path).map(({ signal: { id } }) => id);
  expect([ids().length, ...ids().slice(0, 2)]).toEqual([10_001, 's1', 's3']);
  await rotateAtRest(path, at(20_000));
  expect([ids().length, ...ids().slice(0, 2)]).toEqual([10_001, 's1', 's3']);
});
