import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import type { ActionDetail, Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { STILL_RUNS } from '#domain/schedule.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { accepted, orderFacts, permits, RUN, rejected, row, START } from './rows.ts';

const NEXT = 'the next run';
const at = (second: number) => isoTime(START + second * 1000);
const hold = { why: 'wait', signals: {} };

function readerOf(journal: JournalInMemory): JournalReader {
  const reader = JournalReader.open(journal.kept());
  onTestFinished(() => reader.close());
  return reader;
}

const tagged = (n: number, tag: string | null): Decision[] =>
  permits(orderFacts(n)).map((decision) => (decision.kind === 'intent' ? { ...decision, detail: { ...decision.detail, tag } } : decision));

const asked = (actionId: string, name: string, action: string, n: number, answer: Partial<ActionDetail> = {}): Decision => {
  const times = { dueAt: at(n), askedAt: at(n) };
  const detail: ActionDetail = {
    actionId,
    name,
    action,
    arguments: {},
    ...times,
    status: 'asked',
    httpStatus: null,
    response: '',
    ...answer,
  };
  return row('action', detail, { n });
};

describe('a reader finds', () => {
  test('a run by its id or a time, and its decisions', () => {
    const journal = JournalInMemory.of(row('hold', hold, { strategy: 'sma', n: 1 })).end('stopped', 9);
    const reader = readerOf(journal.begin(NEXT, { started_at: at(20) }).add(row('hold', hold, { strategy: 'sma', n: 21 })));
    expect([reader.run(NEXT)?.started_at, reader.run('none')]).toEqual([at(20), undefined]);
    expect([19, 20].map((second) => reader.runAt(at(second))?.run_id)).toEqual([RUN, NEXT]);
    expect(reader.runAt(at(-1))).toBeUndefined();
    expect(reader.decisionsOf(NEXT).map(({ seq }) => seq)).toEqual([2]);
    expect([reader.lastOfRun(RUN), reader.lastOfRun('none')]).toEqual([at(1), undefined]);
    expect([reader.decision(2)?.at, reader.decision(3)]).toEqual([at(21), undefined]);
    expect(reader.end()).toEqual({ seq: 2, hash: reader.decision(2)?.hash });
    expect(reader.named((database) => database.name)).toBe(reader.path);
  });

  test('nothing where nothing is', () => {
    const reader = readerOf(JournalInMemory.of());
    expect([reader.end(), reader.lastAction('x'), reader.story('1-1'), reader.learned(), reader.fills()]).toEqual([
      ...[undefined, undefined, undefined],
      ...[[], []],
    ]);
  });

  test('orders of a strategy and in a state, newest first, with their tags and fills', () => {
    const other = orderFacts(3, { strategy: 'rsi', product: 'ETHUSD', baseCcy: 'ETH' });
    const reader = readerOf(
      JournalInMemory.of(...tagged(1, 'morning'), ...tagged(2, null), ...permits(other), accepted(orderFacts(1)), accepted(other)),
    );
    const ids = (query: { strategy?: string; state?: string; limit?: number; run?: string }) =>
      reader.orders({ limit: 9, ...query }).map(({ order_id }) => order_id);
    expect(ids({})).toEqual(['3-1', '2-1', '1-1']);
    expect(ids({ limit: 1 })).toEqual(['3-1']);
    expect(ids({ strategy: 'sma' })).toEqual(['2-1', '1-1']);
    expect([ids({ run: RUN }), ids({ run: NEXT })]).toEqual([['3-1', '2-1', '1-1'], []]);
    expect(ids({ state: 'accepted' })).toEqual(['3-1', '1-1']);
    expect(ids({ strategy: 'sma', state: 'intent' })).toEqual(['2-1']);
    expect(reader.tags()).toEqual(new Map([['1-1', 'morning']]));
    expect(reader.fills().map(({ orderId, fill }) => [orderId, fill.size])).toEqual([
      ['1-1', '0.01'],
      ['3-1', '0.01'],
    ]);
    expect([4, 99].map((seq) => reader.rowsOf('1-1', seq).map(({ kind }) => kind))).toEqual([
      ['intent', 'approved'],
      ['intent', 'approved', 'accepted'],
    ]);
    expect(reader.openAt('ethusd', at(3))).toMatchObject([{ order_id: '3-1' }]);
    expect([reader.openAt('ethusd', at(2)), reader.openAt('ethusd', at(4))]).toEqual([[], []]);
    expect(reader.openAt('btcusd', at(9))).toMatchObject([{ order_id: '2-1' }]);
    expect([...reader.baseCurrencies()]).toEqual([
      ['btcusd', 'btc'],
      ['ethusd', 'eth'],
    ]);
  });

  test('what was asked of the service, by its name or of its strategies', () => {
    const reader = readerOf(
      JournalInMemory.of(
        ...[asked('a', 'nightly', 'pause', 1), asked('b', 'by hand', 'remote.stop', 2), asked('c', 'nightly', 'pause', 3)],
        asked('f', 'nightly', 'pause', 4, { status: 'skipped', response: STILL_RUNS }),
        asked('g', 'weekly', 'pause', 4, { status: 'skipped', response: 'missed' }),
        ...[asked('d', 'by hand', 'remote.start', 4), asked('e', 'by hand', 'remote.delete', 5)],
      ),
    );
    // One that was skipped because that still ran is not the last.
    expect(['nightly', 'weekly'].map((name) => reader.lastAction(name)?.action_id)).toEqual(['c', 'g']);
    expect([reader.action('f'), reader.action('x')]).toMatchObject([{ action_id: 'f', status: 'skipped' }, undefined]);
    expect(reader.remoteActions(9).map(({ action_id }) => action_id)).toEqual(['b', 'd', 'e']);
    expect(reader.remoteActions(2).map(({ action_id }) => action_id)).toEqual(['d', 'e']);
  });

  test('that decisions are in an archive, and says in which', () => {
    const reader = readerOf(
      JournalInMemory.of(...permits(orderFacts(1)))
        .begin(NEXT)
        .add(...permits(orderFacts(2)))
        .archived(RUN),
    );
    for (const ask of [() => reader.decisionsOf(RUN), () => reader.story('1-1')]) expect(ask).toThrow(/in the archive \S+old\.db/);
    expect(reader.decisionsOf(NEXT)).toHaveLength(2);
    expect(reader.story('2-1')).toMatchObject({ order: { run_id: NEXT }, decisions: [{}, {}], ledger: [] });
  });

  test('no base currency of a product whose permissions are in an archive', () => {
    const journal = JournalInMemory.of(...permits(orderFacts(1)));
    journal.database.exec('DELETE FROM decisions');
    expect([...readerOf(journal).baseCurrencies()]).toEqual([]);
  });

  test('movements without a product, in small letters', () => {
    const entries = [{ kind: 'deposit', book: 'treasury', currency: 'USD', amount: '5' }] as const;
    const filled = [...permits(orderFacts(1)), accepted(orderFacts(1))];
    const reader = readerOf(JournalInMemory.of(row('booked', { who: 'ann', why: 'x', entries }), ...filled));
    const deposit = { product: null, currency: 'usd', amount: '5' };
    expect([...reader.ledger()]).toMatchObject([deposit, {}, {}, {}]);
    expect(reader.flows()).toMatchObject([deposit]);
  });

  test('in one line what is wrong with the lease of a journal', () => {
    const path = JournalInMemory.of().kept();
    const reader = JournalReader.open(path);
    onTestFinished(() => reader.close());
    expect(reader.holder()).toBeNull();
    mkdirSync(`${path}.lease`);
    expect(() => reader.holder()).toThrow(KairosError);
    rmSync(`${path}.lease`, { recursive: true });
  });
});

describe('the status of a journal at rest', () => {
  test('has nothing of a daemon, and what is held of each book', () => {
    const [bought, sold, coin] = [orderFacts(1), orderFacts(2, { side: 'sell' }), orderFacts(3, { strategy: 'coin' })];
    const refused = rejected(orderFacts(4));
    if (refused.kind !== 'rejected') throw new Error('a refusal');
    const waits = { ...refused, at: START + 5000, detail: { ...refused.detail, retryAfterMs: 30_000 } };
    const deposit = { kind: 'deposit', book: 'treasury', currency: 'btc', amount: '5' } as const;
    const journal = JournalInMemory.of(
      ...[...permits(bought), accepted(bought), ...permits(sold), accepted(sold), ...permits(coin), accepted(coin)],
      ...[...permits(orderFacts(4)), waits, row('booked', { who: 'ann', why: 'x', entries: [deposit] })],
      row('clock', { sure: true, offsetMs: 4, halfWidthMs: 9 }, { n: 7, reason: 'CLOCK_UNSURE' }),
      row('learned', { size: '0.5', currency: 'base', lane: 'a lane' }, { n: 8, order: coin }),
    );
    const reader = readerOf(journal);
    expect(statusReport(reader)).toMatchObject({
      ...{ journal: reader.path, book: 'paper', running: false, pid: null, waitUntil: at(35), waitingExits: [], today: null },
      time: { at: at(7), reason: 'CLOCK_UNSURE', offsetMs: 4, halfWidthMs: 9 },
      orders: { accepted: 3, rejected: 1 },
      // What `sma` bought it has sold again; of the deposit nothing is a position.
      positions: [{ book: 'coin', product: 'btcusd', currency: 'btc', size: '0.01' }],
      ...{ open: [], latches: [], zeroSpread: [{ product: 'btcusd', size: '0.5' }] },
    });
    expect(statusReport(reader).run).toEqual({
      ...{ run_id: RUN, book: 'paper', started_at: at(0), ended_at: null, mode: 'paper', version: '0.1.0' },
      ...{ config_hash: 'c0ffee', end_state: null },
    });
    expect(statusReport(reader).waitingExits).toEqual([]);
  });

  test('holds positions of each book apart', () => {
    const [a, b] = [orderFacts(1), orderFacts(2, { strategy: 'rsi', size: '0.2' })];
    const reader = readerOf(JournalInMemory.of(...permits(a), accepted(a), ...permits(b), accepted(b)));
    expect(statusReport(reader).positions).toEqual([
      { book: 'sma', product: 'btcusd', currency: 'btc', size: '0.01' },
      { book: 'rsi', product: 'btcusd', currency: 'btc', size: '0.2' },
    ]);
  });

  test('without a run is empty', () => {
    expect(statusReport(readerOf(JournalInMemory.empty()))).toMatchObject({
      book: null,
      run: null,
      time: null,
      waitUntil: null,
      orders: {},
    });
  });
});

test('closed, a reader leaves the journal alone', () => {
  const path = JournalInMemory.of(...permits(orderFacts(1))).kept();
  const reader = JournalReader.open(path);
  statusReport(reader);
  expect(openFiles()).toContain(path);
  reader.close();
  expect(openFiles()).not.toContain(path);
});
