import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { readMoney } from '#daemon/operations/report/money.ts';
import { keptDays } from '#daemon/page/kept-days.ts';
import { PastTrades } from '#daemon/page/past-trades.ts';
import { dayStart } from '#domain/utc-day.ts';
import { profitBy } from '#report/profit.ts';
import { History } from '../../../bench/recover-journal.ts';
import { configOf, folder } from '../../config/support.ts';

test('profit by day of kept figures is that of the whole journal, to the last digit, also with runs that came later; none are kept by reading', () => {
  const cwd = folder();
  const journal = path.join(cwd, 'kairos.db');
  const { settings } = configOf(`journal: { path: ${journal} }\nrecording: { dir: ${path.join(cwd, 'recordings')} }\n`, { cwd });
  const wholly = () => {
    const money = readMoney(settings);
    return { rows: profitBy('day', money, money.ledger), unvalued: money.unvalued };
  };
  const history = new History(journal, 4_000);
  history.addRun(1_500, 'stopped');
  expect(keptDays(settings)).toBeUndefined();
  const reader = JournalReader.open(journal);
  new PastTrades(reader).readOn().close();
  reader.close();
  const before = keptDays(settings);
  expect(before).toEqual(wholly());
  expect(before?.rows.length).toBeGreaterThan(20);
  history.addRun(1_500, 'killed');
  expect(keptDays(settings)).toEqual(wholly());
  expect(keptDays(settings)?.rows.length).toBeGreaterThan(before?.rows.length ?? 0);
  // Capital that comes at first, and goes out between two trades of a day.
  const trips = readMoney(settings).trades;
  const day = trips.findIndex(
    ({ closedAt }, n) => n > 9 && closedAt < (trips[n + 1]?.closedAt ?? 0) && dayStart(closedAt) === dayStart(trips[n + 1]?.closedAt ?? 0),
  );
  const between = (trips[day]?.closedAt ?? 0) + 1;
  const file = new Database(journal);
  for (const [at, amount] of [
    [0, '10000'],
    [between, '-9000'],
  ] as const) {
    file
      .prepare("INSERT INTO ledger (run_id, at, book, kind, currency, amount) VALUES ('run-1', ?, 'cross-btc', 'opening', 'USD', ?)")
      .run(new Date(at).toISOString(), amount);
  }
  file.close();
  const [total] = keptDays(settings)?.rows.slice(-1) ?? [];
  expect(keptDays(settings)).toEqual(wholly());
  expect(Number(total?.return)).not.toBe(0);
});
