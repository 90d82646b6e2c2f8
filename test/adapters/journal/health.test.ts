import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalFiles } from '#adapters/journal/files.ts';
import { journalGrowth } from '#adapters/journal/growth.ts';
import { journalHealth } from '#adapters/journal/health.ts';
import { Lease } from '#adapters/journal/lease.ts';
import type { Decision } from '#domain/decision.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, folder, openFilesIn, orderFacts, permits, rejected, row, START, sent, unknown } from './rows.ts';

const filled = (n: number, strategy = 'sma'): Decision[] => {
  const order = orderFacts(n, { strategy });
  return [...permits(order), sent(order), accepted(order)];
};

describe('what is known of a journal before a start', () => {
  const [lost, underway] = [orderFacts(2), orderFacts(3)];
  const journal = () =>
    JournalInMemory.empty()
      .begin('first', { book: 'paper', config_json: '{"a":1}' })
      .add(
        ...filled(1),
        ...permits(lost),
        sent(lost),
        unknown(lost),
        ...permits(underway),
        row('halted', { who: 'ann', why: 'news' }, { n: 9 }),
      );

  test('its book, its configuration, what is latched, held and of unknown outcome', () => {
    const path = journal().kept();
    expect(journalHealth(path)).toEqual({
      ...{ exists: true, lost: null, wrong: null, book: 'paper', holder: null },
      run: expect.objectContaining({ run_id: 'first', ended_at: null, config_json: '{"a":1}' }),
      latches: [{ kind: 'halted', strategy: null, since: START + 9_000, who: 'ann', why: 'news', reason: null }],
      unknowns: [{ order: '2-1', why: 'no answer' }],
      positions: [{ book: 'sma', product: 'btcusd', currency: 'btc', size: '0.01' }],
      missingArchives: [],
      spoiltArchives: [],
    });
    expect(openFilesIn(dirname(path))).toEqual([]);
  });

  test('of one that no run has used, that there is nothing in it', () => {
    const path = JournalInMemory.empty().kept();
    expect(journalHealth(path)).toMatchObject({
      exists: true,
      wrong: null,
      book: null,
      run: null,
      latches: [],
      unknowns: [],
      positions: [],
    });
  });

  test('who holds it', () => {
    const path = journal().kept();
    const lease = Lease.acquire(journalFiles(path), 4242);
    expect(journalHealth(path).holder).toEqual({ pid: 4242 });
    lease.release();
  });

  test('that it is not there, or cannot be used, and why', () => {
    const path = join(folder(), 'kairos.db');
    const nothing = {
      book: null,
      holder: null,
      run: null,
      latches: [],
      unknowns: [],
      positions: [],
      missingArchives: [],
      spoiltArchives: [],
    };
    expect(journalHealth(path)).toEqual({ ...nothing, exists: false, lost: null, wrong: null });
    expect(existsSync(path)).toBe(false);
    const spoilt = journal();
    spoilt.database.exec("UPDATE decisions SET reason = 'HOLD' WHERE seq = 3");
    spoilt.kept(path);
    expect(journalHealth(path)).toEqual({
      ...nothing,
      exists: true,
      lost: null,
      wrong: expect.stringMatching(/decisions row 3: its hash/),
    });
    expect(openFilesIn(dirname(path))).toEqual([]);
    const bytes = readFileSync(journal().kept());
    writeFileSync(path, bytes.fill(0x5a, 4096, 8192));
    expect(journalHealth(path)).toEqual({
      ...nothing,
      exists: true,
      lost: null,
      wrong: expect.stringMatching(/disk image is malformed\): check it/),
    });
  });
});

describe('what a journal grows by', () => {
  const spanning = (seconds: number): Decision[] => [
    ...filled(1),
    ...filled(2, 'other'),
    row('hold', { why: 'wait', signals: {} }, { n: seconds + 1 }),
  ];
  const growth = (decisions: readonly Decision[], strategies: readonly string[] = ['sma', 'other']) =>
    journalGrowth(JournalInMemory.of(...decisions).kept(), strategies);

  test('is told a day from a minute on, of the newest run', () => {
    expect(growth(spanning(59)).perDay).toBeNull();
    expect(growth(spanning(60)).perDay).toMatchObject({ orders: 2_880 });
    const path = JournalInMemory.of(...spanning(60))
      .begin('second')
      .kept();
    const { bytes, perDay } = journalGrowth(path, ['sma']);
    expect([bytes, perDay, openFilesIn(dirname(path))]).toEqual([statSync(path).size, null, []]);
  });

  test('is that of the strategies which go on, and of what belongs to none', () => {
    const [both, one, none] = [growth(spanning(60)), growth(spanning(60), ['sma']), growth(spanning(60), [])];
    expect([both, one, none].map(({ perDay }) => perDay?.orders)).toEqual([2_880, 1_440, 0]);
    const [first, second, third] = [both, one, none].map(({ perDay }) => perDay?.bytes ?? 0);
    const ofOrder = (both.orderBytes ?? 0) * 1_440;
    expect([Number(first) - Number(second), Number(second) - Number(third)]).toEqual([ofOrder, ofOrder]);
    // The row beside them: what stands in its columns, 128 bytes of hashes, and a quarter on top.
    expect(Number(third)).toBe(
      Math.round(('20261121T030000Z-000001'.length + 24 + 4 + '{"why":"wait","signals":{}}'.length + 128) * 1.25 * 1_440),
    );
  });

  test('counts each order with its decisions and what it moved; of a journal without orders nothing is known', () => {
    const refused = orderFacts(1);
    const without = growth([...permits(refused), sent(refused), rejected(refused)]);
    const { orderBytes } = growth(filled(1));
    expect(Number(orderBytes)).toBeGreaterThan(Number(without.orderBytes) + 300);
    expect(growth([...filled(1), ...filled(2), ...filled(3)]).orderBytes).toBe(orderBytes);
    expect(growth([row('hold', { why: 'wait', signals: {} })])).toMatchObject({ orderBytes: null, perDay: null });
    expect(growth([row('hold', { why: 'wait', signals: {} }), row('hold', { why: 'wait', signals: {} }, { n: 61 })]).perDay?.orders).toBe(
      0,
    );
  });
});
