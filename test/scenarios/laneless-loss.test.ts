import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { runsOfProduct } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { logPath, RunLog } from '#adapters/recording/run-log.ts';
import { productText } from '#assembly/assemble.ts';
import { buy, mid, strategy } from '#core/strategy/index.ts';
import { stateView } from '#daemon/page/state-view.ts';
import { withLastMarks } from '#daemon/run/last-marks.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, productCode, runId, strategyId } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import { usd } from '../support/limits.ts';
import { btcLane, btcProduct, quote } from '../support/market-data.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { stateFacts } from '../support/state-facts.ts';

const HOUR_MS = 3_600_000;
const ETH = laneFor(productCode('ethusd'), { base: decimalOf('1') });

const holds = strategy({
  name: 'holds',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount, inFlight }) => (position.isFlat && inFlight.length === 0 ? buy(amount, 'in') : undefined),
});

const dips = strategy({
  name: 'dips',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 2940 ? buy(amount, 'it is cheap') : undefined),
});

const told: string[] = [];
const notice: Notice = (_level, text) => told.push(text);

const rig = rigsOfTests({ strategies: { h: holds }, opening: new Map([['usd', decimalOf(50_000)]]) });
const recordings = mkdtempSync(path.join(tmpdir(), 'kairos-laneless-'));
afterEach(() => rmSync(recordings, { recursive: true, force: true }));

/** Holds 0.01 that lost 100 usd today, and ends without a word. */
function lostRun(): { readonly r: Rig; readonly before: ReturnType<typeof standing> } {
  const log = RunLog.create({ dir: recordings, run: runId('run-1'), book: 'paper' });
  const r = rig({ startAt: START + 9 * HOUR_MS, log });
  r.price(60_000);
  r.answer(r.last);
  r.price(60_000);
  r.price(50_000);
  r.moveBy(70_000);
  r.price(50_000);
  const before = standing(r);
  r.journal.flush();
  log.flush();
  log.close();
  r.crash();
  return { r, before };
}

function standing(r: Rig) {
  return r.engine.inspect(({ monitor }) => {
    const [usd] = monitor.measures(r.clock.now()).profit;
    return usd && { lost: (usd.dayStart ?? Number.NaN) - (usd.present ?? Number.NaN), laneless: usd.laneless };
  });
}

/** What the page says below the account of what is held without a lane. */
function onPage(r: Rig): readonly string[] {
  return r.engine.inspect((parts) => stateView(stateFacts(), parts, r.clock.now())).money.laneless;
}

/** Starts again in that hour of the day. */
const without = (r: Rig, hour: number, folder = recordings): Rig =>
  rig({
    folder: r.folder,
    startAt: START + hour * HOUR_MS,
    lanes: [ETH],
    strategies: {},
    recovered: (past) => withLastMarks(past, { journal: r.path, recordings: folder, notice }),
  });

test('what a position lost today still counts for the day-loss limit once its product has no lane, over several starts', () => {
  const { r, before } = lostRun();
  expect(before?.lost).toBeGreaterThan(99);
  expect(before?.laneless).toEqual([]);
  const again = without(r, 11);
  expect(standing(again)?.lost).toBeCloseTo(before?.lost ?? Number.NaN);
  expect(standing(again)?.laneless).toEqual([{ product: 'btcusd', at: 'recorded' }]);
  expect(onPage(r)).toEqual([]);
  expect(onPage(again)).toEqual(['btcusd has no quote yet and counts at its last recorded price']);
  again.end();
  again.close();
  expect(standing(without(r, 12))?.lost).toBeCloseTo(before?.lost ?? Number.NaN);
});

test('without a recording it counts at its entry price, and that is said', () => {
  const { r } = lostRun();
  const again = without(r, 11, path.join(recordings, 'none'));
  // Its fee is all that is left of the loss.
  expect(standing(again)?.lost).toBeLessThan(1);
  expect(standing(again)?.laneless).toEqual([{ product: 'btcusd', at: 'entry' }]);
  expect(onPage(again)).toEqual(['btcusd has no quote yet and counts at its entry price']);
});

test('a recording that cannot be read is told, and prevents no start', () => {
  const { r } = lostRun();
  writeFileSync(logPath(recordings, runId('run-1')), 'no header\n');
  expect(standing(without(r, 11))?.laneless).toEqual([{ product: 'btcusd', at: 'entry' }]);
  expect(told).toEqual([expect.stringMatching(/^the last price of btcusd is looked for in an older recording: .+run-1/)]);
});

/** Held beside it since before. */
const held = {
  ...{ strategy: strategyId('h'), product: ETH.product, quoteCcy: currency('usd') },
  ...{ size: '1', cash: '-3000', fees: '0', average: '3000', openedAt: START, entries: 1 },
};

/** Both products have lanes, and of btcusd no quote comes. */
function silent(r: Rig, at = START + 11 * HOUR_MS): Rig {
  const made = rig({
    folder: r.folder,
    startAt: at,
    lanes: [ETH, btcLane],
    strategies: { dip: dips },
    limits: { maxDayLoss: usd(150) },
    recovered: (past) => {
      const books = [...past.books.books, held];
      return withLastMarks({ ...past, books: { ...past.books, books } }, { journal: r.path, recordings, notice });
    },
  });
  made.give({ kind: 'products', products: [btcProduct, { ...btcProduct, code: ETH.product }].map(productText) });
  return made;
}

const eth = (r: Rig, price: number): void =>
  r.quote({
    ...quote({ product: 'ethusd', lane: ETH.id, size: 1, buy: price, sell: price, validUntil: r.clock.now() + 3000 }),
    baseCcy: currency('eth'),
  });

/** The other product quotes for a quarter of a minute at one price, then at another. */
function falls(r: Rig, from: number, to: number): void {
  for (let second = 0; second < 15; second++) {
    eth(r, from);
    r.moveBy(1000);
  }
  eth(r, to);
}

test('I32 a product with a lane that brings no quote since the start counts at its last recorded price, so that the day loss of the others is held', () => {
  const { r } = lostRun();
  const again = silent(r);
  eth(again, 2890);
  expect(again.story(), 'the others may come at any moment').not.toContain('reducing MAX_DAY_LOSS');
  const before = again.story().length;
  falls(again, 2990, 2940);
  expect(again.story().slice(before)).toEqual(['reducing MAX_DAY_LOSS', 'refused REDUCING']);
  expect(again.broker.submitted).toEqual([]);
  expect(onPage(again)).toEqual(['btcusd has no quote yet and counts at its last recorded price']);
  again.quote(quote({ buy: 50_000, sell: 50_000, validUntil: again.clock.now() + 3000 }));
  expect(onPage(again)).toEqual([]);
});

test('so it does where the day turns meanwhile: the new day begins at that price', () => {
  const { r } = lostRun();
  const again = silent(r, START + 24 * HOUR_MS - 12_000);
  falls(again, 2990, 2850);
  expect(again.story()).not.toContain('reducing MAX_DAY_LOSS');
  again.moveBy(500);
  const before = again.story().length;
  eth(again, 2830);
  expect(again.story().slice(before)).toEqual(['reducing MAX_DAY_LOSS']);
});

test('a price is found however many runs ago it was recorded, and no recording of a run without the product is opened for it', () => {
  const { r, before } = lostRun();
  const again = without(r, 11);
  again.end();
  const open = (run: string, configJson: string): void =>
    again.journal.beginRun({ run: runId(run), at: START + 10 * HOUR_MS, mode: 'paper', version: '0.1.0', configHash: 'c', configJson });
  for (let n = 1; n <= 60; n += 1) open(`empty-${n}`, '{"strategies":[{"product":"ethusd"}]}');
  open('named', '{"strategies":[{"product":"btcusd"}]}');
  again.close();
  const later = standing(without(r, 12));
  expect(later?.laneless).toEqual([{ product: 'btcusd', at: 'recorded' }]);
  expect(later?.lost).toBeCloseTo(before?.lost ?? Number.NaN);
  const reader = JournalReader.open(r.path);
  onTestFinished(() => reader.close());
  expect(reader.named((database) => runsOfProduct(database, 'btcusd', 5))).toEqual(['named', 'run-1']);
  expect(reader.named((database) => runsOfProduct(database, 'nosuch', 5))).toEqual([]);
});
