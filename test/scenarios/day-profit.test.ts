import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import { stateView } from '#daemon/page/state-view.ts';
import { decimalOf } from '#domain/decimal.ts';
import { reportBooks } from '#report/books.ts';
import { profitBy } from '#report/profit.ts';
import { usd } from '../support/limits.ts';
import { quote } from '../support/market-data.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { stateFacts } from '../support/state-facts.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Buys at 60,000 and closes at any other price. */
const flips = strategy({
  name: 'flips',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { position, amount, inFlight }) => {
    if (inFlight.length > 0) return undefined;
    if (price === 60_000) return position.isFlat ? buy(amount, 'in') : undefined;
    return position.isFlat ? undefined : sell('position', 'out');
  },
});

const rig = rigsOfTests({
  strategies: { f: flips },
  opening: new Map([['usd', decimalOf(50_000)]]),
  limits: { maxDayLoss: usd(5000) },
});

/** A quote at one price, and the answer to what the strategy makes of it. */
function price(r: Rig, at: number): void {
  if (r.price(at)) r.answer(r.last);
}

function trip(r: Rig, at: number): void {
  price(r, 60_000);
  price(r, at);
}

/** What the page and `status` say of today. */
function today(r: Rig): { readonly day: number; readonly forDayLoss: number } {
  const { money } = r.engine.inspect((parts) => stateView(stateFacts(), parts, r.clock.now()));
  const day = money.profitOfDay ?? Number.NaN;
  return { day, forDayLoss: money.heldForDayLoss[0]?.profit ?? day };
}

/** What `profit --by day` says, by day. */
function byDay(r: Rig): Readonly<Record<string, number>> {
  r.journal.flush();
  const journal = JournalReader.open(r.path);
  const rows = profitBy('day', reportBooks(journal.fills(), journal.tags(), []), [...journal.ledger()]);
  journal.close();
  return Object.fromEntries(rows.map(({ group, profit }) => [group, profit.toNumber()]));
}

const resume = (r: Rig) => r.give({ kind: 'command', command: { act: 'resume', strategy: null, who: 'ann', why: 'looked at it' } });

test('I32 profit of the day is that of `profit --by day` while nothing is held: over a resume, a crash and a restart, until midnight UTC', () => {
  const r = rig({ startAt: START + 9 * HOUR_MS });
  trip(r, 61_000);
  expect(today(r).day).toBeCloseTo(byDay(r)['2026-01-01'] ?? Number.NaN);
  expect(today(r).forDayLoss).toBeCloseTo(today(r).day);
  expect(today(r).day).toBeGreaterThan(5);

  resume(r);
  expect(today(r).day).toBeCloseTo(byDay(r)['2026-01-01'] ?? Number.NaN);
  expect(today(r).forDayLoss).toBeCloseTo(0);
  trip(r, 59_500);
  const before = today(r);
  expect(before.day).toBeCloseTo(byDay(r)['2026-01-01'] ?? Number.NaN);
  expect(before.forDayLoss).toBeLessThan(-5);

  r.journal.flush();
  r.crash();
  const again = rig({ startAt: START + 10 * HOUR_MS, folder: r.folder });
  price(again, 59_000);
  expect(today(again).day).toBeCloseTo(before.day);
  expect(today(again).forDayLoss).toBeCloseTo(before.forDayLoss);
  again.end();
  again.close();

  const next = rig({ startAt: START + DAY_MS + HOUR_MS, folder: r.folder });
  price(next, 59_000);
  expect(today(next)).toEqual({ day: 0, forDayLoss: 0 });
  trip(next, 60_200);
  expect(today(next).day).toBeCloseTo(byDay(next)['2026-01-02'] ?? Number.NaN);
  expect(today(next).forDayLoss).toBeCloseTo(today(next).day);
});

test('an open position counts at present prices, from midnight UTC on', () => {
  const r = rig({ startAt: START + 23 * HOUR_MS });
  price(r, 60_000);
  r.quote(quote({ buy: 60_000, sell: 60_000, validUntil: r.clock.now() + 3000 }));
  const bought = today(r).day;
  r.moveBy(2 * HOUR_MS);
  price(r, 60_000);
  expect(bought).toBeLessThanOrEqual(0);
  expect(today(r).day).toBeCloseTo(0);
  trip(r, 60_100);
  expect(today(r).day).toBeGreaterThan(0);
  expect(today(r).day).toBeGreaterThan(byDay(r)['2026-01-02'] ?? Number.NaN);
});
