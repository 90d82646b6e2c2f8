import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRehearsed, journalFacts, lastArmed, writeAct } from '#adapters/journal/acts.ts';
import { instanceOf } from '#adapters/journal/instance.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { accepted, begun, folder, orderFacts, permits, RUN, row, START, sent, unknown } from './rows.ts';

const NOW = START + 60_000;
const by = { who: 'ann', why: 'news' };
const arms = { act: 'arm', ...by, configHash: 'c0ffee', config: '{"a":1}', build: 'b1' } as const;

test('an act at rest is a row of the last run, of no event, and by a person', () => {
  const path = JournalInMemory.of().begin('the last run').kept();
  const acts: readonly [OperatorCommand, string, string | null][] = [
    [{ act: 'halt', ...by }, 'halted', null],
    [{ act: 'resume', strategy: null, ...by }, 'resumed', null],
    [{ act: 'resume', strategy: 'sma', ...by }, 'resumed', 'sma'],
    [{ act: 'pause', strategy: 'sma', ...by }, 'paused', 'sma'],
    [{ act: 'enable', strategy: 'rsi', ...by }, 'enabled', 'rsi'],
  ];
  for (const [act] of acts) writeAct(path, act, NOW);
  writeAct(path, arms, NOW + 1000);
  const reader = JournalReader.open(path);
  const about = {
    run_id: 'the last run',
    at: isoTime(NOW),
    inbox_seq: 0,
    product: null,
    reason: 'BY_PERSON',
    quote_id: null,
    order_id: null,
  };
  expect(reader.tail(9)).toMatchObject([
    ...acts.map(([, kind, strategy]) => {
      const detail = JSON.stringify(kind === 'resumed' && strategy === null ? { ...by, anew: true, leaves: 'single pauses' } : by);
      return { ...about, kind, strategy, detail };
    }),
    {
      ...{ ...about, at: isoTime(NOW + 1000), kind: 'armed', strategy: null },
      detail: JSON.stringify({ ...by, configHash: 'c0ffee', config: '{"a":1}', build: 'b1', instance: instanceOf(path, NOW), anew: true }),
    },
  ]);
  reader.close();
  expect(lastArmed(path)).toMatchObject({ at: isoTime(NOW + 1000), who: 'ann', config: '{"a":1}' });
  expect(openFiles().filter((file) => file.startsWith(path))).toEqual([]);
});

describe('what an act needs to know of a journal', () => {
  const nothing = { run: null, mode: null, latches: [], unknowns: [], holder: null };

  test('is nothing where there is none, and none is made', () => {
    const path = join(folder(), 'kairos.db');
    expect([journalFacts(path), lastArmed(path), isRehearsed(path), journalFacts(path)]).toEqual([nothing, null, false, nothing]);
  });

  test('is its last run, what is latched and who holds it', () => {
    const path = JournalInMemory.of(row('paused', by, { strategy: 'sma', n: 3 })).kept();
    const latch = { kind: 'paused', strategy: 'sma', since: START + 3000, ...by, reason: null };
    expect(journalFacts(path)).toEqual({ run: RUN, mode: 'paper', latches: [latch], unknowns: [], holder: null });
    expect(lastArmed(path)).toBeNull();
    expect(journalFacts(JournalInMemory.empty().kept())).toEqual(nothing);
    expect(openFiles().filter((file) => file.startsWith(path))).toEqual([]);
  });

  test('is which orders have no known outcome, and whether one was executed before', () => {
    const [lost, underway, filled] = [orderFacts(1), orderFacts(2), orderFacts(3)];
    const journal = JournalInMemory.of(...permits(lost), unknown(lost), ...permits(underway), sent(underway), ...permits(filled));
    const before = journal.kept();
    expect(journalFacts(before).unknowns).toEqual([{ order: '1-1', product: 'btcusd' }]);
    const path = journal.add(accepted(filled)).kept();
    expect([isRehearsed(before), isRehearsed(path)]).toEqual([false, true]);
    expect(openFiles().filter((file) => file === before || file === path)).toEqual([]);
  });

  test('beside a daemon, too', () => {
    const path = join(folder(), 'kairos.db');
    begun(path);
    expect(journalFacts(path)).toMatchObject({ run: RUN, holder: { pid: process.pid } });
  });
});
