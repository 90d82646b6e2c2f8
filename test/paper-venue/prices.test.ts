import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { anyMillis } from '#adapters/recording/import/cells.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Top } from '#paper-venue/core/quote-making.ts';
import { readPrices } from '#paper-venue/prices/price-file.ts';
import { played, priceSources } from '#paper-venue/prices/sources.ts';
import { SyntheticPrices } from '#paper-venue/prices/synthetic.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import type { VirtualTimers } from '../support/virtual-timers.ts';
import { FeedClient, firstQuote, rig, SETTINGS, scratch } from './venue-rig.ts';

const midOf = ({ bid, ask }: Top): number => (bid + ask) / 2;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const returns = (prices: readonly number[]): number[] => prices.slice(1).map((price, at) => price / (prices[at] ?? Number.NaN) - 1);

/** How far values tell those that come `lag` later: 1 wholly, 0 not at all. */
function correlation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  const apart = values.map((value) => value - middle);
  return mean(apart.slice(lag).map((value, at) => value * (apart[at] ?? 0))) / mean(apart.map((value) => value ** 2));
}

const columns = { time: 'time', bid: 'bid', ask: 'ask' };

function csv(text: string | Buffer, name = 'prices.csv'): string {
  const file = path.join(scratch(), name);
  writeFileSync(file, text);
  return file;
}

describe('synthetic prices', () => {
  const walk = (code: string, seed: string) => {
    const product = VB_PRODUCTS.find((candidate) => candidate.code === code) ?? { code, anchor: 1, volatility: 1e-4 };
    return new SyntheticPrices(product, seed);
  };
  const mids = (source: SyntheticPrices, count: number) => Array.from({ length: count }, (_, step) => midOf(source.at(step * 100)));

  test('I25 follow seed and product, and nothing else', () => {
    const some = mids(walk('btcusd', 'a'), 500);
    expect(mids(walk('btcusd', 'a'), 500)).toEqual(some);
    expect(mids(walk('btcusd', 'b'), 500)).not.toEqual(some);
    expect(mids(walk('ethusd', 'a'), 500).map((mid) => mid / 2640)).not.toEqual(some.map((mid) => mid / 61_800));
  });

  test('are a function of the step, whatever was asked before', () => {
    const straight = walk('btcusd', 'a').at(123_400);
    const source = walk('btcusd', 'a');
    source.at(999_900);
    expect(source.at(123_450)).toEqual(straight);
  });

  const CODES = ['btcusd', 'ethusd', 'eurusd'];
  const SEEDS = ['paper', 'a'];

  test.each(CODES)('move as a market does: a day of %s', (code) => {
    const ranges: number[] = [];
    for (const seed of SEEDS) {
      const source = walk(code, seed);
      const seconds = Array.from({ length: 86_401 }, (_, second) => midOf(source.at(second * 1000)));
      const of30 = returns(seconds.filter((_, second) => second % 30 === 0));
      const sizes = of30.map(Math.abs);
      const coin = code === 'eurusd' ? 0.2 : 1;
      expect(Math.max(...sizes)).toBeLessThan(0.005 * coin);
      ranges.push(Math.max(...seconds) / Math.min(...seconds) - 1);
      // What was does not tell which way it goes, but how far: moves come in clusters, with more large ones than a normal distribution has.
      expect(Math.abs(correlation(of30, 1))).toBeLessThan(0.08);
      expect(Math.abs(correlation(returns(seconds), 1))).toBeLessThan(0.05);
      expect(correlation(sizes, 1)).toBeGreaterThan(0.08);
      expect(mean(of30.map((move) => move ** 4)) / mean(of30.map((move) => move ** 2)) ** 2).toBeGreaterThan(3.5);
    }
    const [least, most] = code === 'eurusd' ? [0.003, 0.01] : [0.015, 0.08];
    expect(Math.min(...ranges)).toBeGreaterThan(least);
    expect(Math.max(...ranges)).toBeLessThan(most);
  });

  test('have a spread that is wider in wild times', () => {
    const source = walk('btcusd', 'a');
    const spreads = Array.from({ length: 86_400 / 60 }, (_, minute) => source.at(minute * 60_000)).map(({ bid, ask }) => ask / bid - 1);
    expect(Math.min(...spreads)).toBeGreaterThan(0.2e-4);
    expect(Math.max(...spreads)).toBeLessThan(6e-4);
    expect(Math.max(...spreads) / Math.min(...spreads)).toBeGreaterThan(4);
  });

  test('are wild where they are asked to be', async () => {
    const of = async (volatility: number) => {
      const sources = await priceSources({ ...SETTINGS, prices: { ...SETTINGS.prices, volatility } });
      const source = [...sources].find(([{ code }]) => code === 'btcusd')?.[1];
      return returns(Array.from({ length: 120 }, (_, step) => midOf(source?.at(step * 30_000) ?? { bid: 0, ask: 0 })));
    };
    const [calm, wild] = [await of(1), await of(10)];
    expect(Math.max(...wild.map(Math.abs))).toBeGreaterThan(8 * Math.max(...calm.map(Math.abs)));
  });

  test('come back to their anchor within days', () => {
    const source = walk('btcusd', 'week');
    const days = Array.from({ length: 3 * 24 * 60 }, (_, minute) => source.at(minute * 60_000).bid);
    expect(Math.min(...days)).toBeGreaterThan(61_800 * 0.95);
    expect(Math.max(...days)).toBeLessThan(61_800 * 1.05);
  });

  test('begin anew where an earlier Kairos kept a walk of another form', async () => {
    const database = path.join(scratch(), 'venue.db');
    const first = await rig({ database, seed: 'old' });
    const start = await firstQuote(await new FeedClient(first.venue).open());
    await first.venue.close();
    const db = new Database(database);
    db.prepare('UPDATE market SET walk = ?').run(JSON.stringify({ step: 9, wild: false, distance: 0.01, draws: [1, 2, 3, 4] }));
    db.close();
    const { venue } = await rig({ database, seed: 'old' });
    expect((await firstQuote(await new FeedClient(venue).open())).buyQuote.price).toBe(start.buyQuote.price);
  });

  test('go on where they stood: a restart continues the path, another seed has its own, and a kill repeats nothing', async () => {
    const database = path.join(scratch(), 'venue.db');
    const pathOf = async (at: { venue: Venue; timers: VirtualTimers }, seconds: number) => {
      const seen: number[] = [];
      for (let second = 0; second < seconds; second += 1) {
        seen.push((await firstQuote(await new FeedClient(at.venue).open())).buyQuote.price);
        at.timers.advance(1000);
      }
      return seen;
    };
    const whole = mids(walk('btcusd', 'on'), 1300).map((mid) => Math.round(mid * 100) / 100);
    const first = await rig({ database, seed: 'on' });
    const before = await pathOf(first, 5);
    const killed = path.join(scratch(), 'venue.db');
    copyFileSync(database, killed);
    copyFileSync(`${database}-wal`, `${killed}-wal`);
    await first.venue.close();
    const second = await rig({ database, seed: 'on' });
    const after = await pathOf(second, 5);
    await second.venue.close();
    // The second start goes on one second behind the last price of the first.
    expect([...before, ...after]).toEqual(
      whole
        .filter((_, step) => step % 10 === 0)
        .slice(0, 11)
        .filter((_, second) => second !== 5),
    );
    const other = await pathOf(await rig({ database, seed: 'other' }), 5);
    expect(other).not.toEqual(before);
    const revived = await pathOf(await rig({ database: killed, seed: 'on' }), 5);
    expect(revived).toEqual(whole.filter((_, step) => step % 10 === 0).slice(60, 65));
  });

  test('the same seed gives the same quotes in another venue', async () => {
    const seen = [];
    for (let start = 0; start < 2; start += 1) {
      const { venue, timers } = await rig({ seed: 'again' });
      timers.advance(60_000);
      const { buyQuote } = await firstQuote(await new FeedClient(venue).open());
      seen.push(buyQuote);
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe('a price file', () => {
  test.each([
    ['milliseconds', '1398902400292', 1_398_902_400_292],
    ['seconds', '1398902400.5', 1_398_902_400_500],
    ['microseconds', '1398902400292000', 1_398_902_400_292],
    ['nanoseconds', '1398902400292000000', 1_398_902_400_292],
    ['ISO 8601', '2014-05-01T00:00:00.292Z', 1_398_902_400_292],
    ['ISO 8601 with a zone', '2014-05-01T02:00:00.292+02:00', 1_398_902_400_292],
    ['ISO 8601 without a zone, in UTC', '2014-05-01 00:00:00.292000', 1_398_902_400_292],
  ])('may tell time in %s', (_name, cell, expected) => {
    expect(anyMillis(cell)).toBe(expected);
  });

  test.each(['', 'now', '-5', '0x10', '1e12', '2014-13-01T00:00:00Z', 'NaN', '1_000'])('does not take %j for a time', (cell) => {
    expect(anyMillis(cell)).toBeNaN();
  });

  test('is read whatever its separator, quotes, line ends and columns', async () => {
    const expected = { timeMs: [1000, 2000], bid: [1.1, 1.2], ask: [1.15, 1.25] };
    const forms = [
      'time,bid,ask\n1,1.1,1.15\n2,1.2,1.25\n',
      '\ufefftime;other;ask;bid\r\n1;x;1.15;1.1\r\n\r\n2;y;1.25;1.2',
      '"time"\t"bid"\t"ask"\n"1"\t"1.1"\t"1.15"\n2\t1.2\t1.25\n',
      'name,time,bid,ask\n"a, b",1,1.1,1.15\nc,2,1.2,1.25\n',
    ];
    for (const form of forms) {
      for (const bytes of [Buffer.from(form), gzipSync(form)]) {
        const prices = await readPrices(csv(bytes), columns);
        expect({ timeMs: [...prices.timeMs], bid: [...prices.bid], ask: [...prices.ask] }).toEqual(expected);
      }
    }
  });

  test.each([
    ['B18 a column that is not there', 'when,bid,ask\n1,1,1\n', /:1: no column 'time' in the header \(when, bid, ask\).*columns\.time/],
    ['B01 a bid that is no number', 'time,bid,ask\n1,1,1\n2,NaN,1\n', /:3: column 'bid': 'NaN' is not a price/],
    ['B02 a negative ask', 'time,bid,ask\n1,1,-1\n', /:2: column 'ask': '-1' is not a price/],
    ['B02 a zero', 'time,bid,ask\n1,0,1\n', /:2: column 'bid'/],
    ['B01 1e400', 'time,bid,ask\n1,1,1e400\n', /:2: column 'ask'/],
    ['B05 a comma for a point', 'time;bid;ask\n1;1,05;2000\n', /:2: column 'bid'/],
    ['a missing cell', 'time,bid,ask\n1,1\n', /:2: has 2 columns, and 3 are needed/],
    ['a crossed row', 'time,bid,ask\n1,1,1\n\n2,3,2\n', /:4: column 'ask': '2' is below the bid of 3/],
    ['a time that is none', 'time,bid,ask\nyesterday,1,1\n', /:2: column 'time': 'yesterday'/],
    ['a time that goes back', 'time,bid,ask\n2,1,1\n1,1,1\n', /:3: column 'time'.*goes back.*sort/],
    ['B19 nothing at all', '', /empty/],
    ['nothing under the header', 'time,bid,ask\n', /no row/],
    ['no CSV at all', 'x'.repeat(100_000), /longer than/],
  ])('with %s is refused with file, line and column', async (_name, text, reason) => {
    const file = csv(text);
    await expect(readPrices(file, columns)).rejects.toMatchObject({ code: 'PRICES_UNREADABLE', message: expect.stringMatching(reason) });
    await expect(readPrices(file, columns)).rejects.toThrow(file);
  });

  test('B19 that is missing, a directory, or a gzip cut short is refused in one line', async () => {
    const folder = scratch();
    mkdirSync(path.join(folder, 'directory.csv'));
    const cut = csv(gzipSync(`time,bid,ask\n${'1,1.1,1.2\n'.repeat(10_000)}`).subarray(0, 60), 'cut.csv.gz');
    for (const file of [path.join(folder, 'missing.csv'), path.join(folder, 'directory.csv'), cut]) {
      await expect(readPrices(file, columns)).rejects.toMatchObject({
        code: 'PRICES_UNREADABLE',
        message: expect.stringMatching(/^[^\n]+$/),
      });
    }
  });

  test('plays at its own pace times speed, and when it is over starts again in continuous time', () => {
    const prices = { timeMs: Float64Array.of(5000, 6000, 6000, 8000), bid: Float64Array.of(1, 2, 3, 4), ask: Float64Array.of(1, 2, 3, 4) };
    const bids = (speed: number, times: number[]) => times.map((at) => played(prices, speed).at(at).bid);
    expect(bids(1, [0, 999, 1000, 2999, 3000, 3999, 4000, 5000])).toEqual([1, 1, 3, 3, 4, 4, 1, 3]);
    expect(bids(10, [0, 99, 100, 299, 300, 399, 400])).toEqual([1, 1, 3, 3, 4, 4, 1]);
    const single = { timeMs: Float64Array.of(7), bid: Float64Array.of(1), ask: Float64Array.of(2) };
    expect(played(single, 1).at(123_456)).toEqual({ bid: 1, ask: 2, hasSpread: true });
  });

  test('drives its product with its own two sides, which a fill pays; the others stay synthetic', async () => {
    const file = csv('time,bid,ask\n1398902400000,1.38676,1.38686\n1398902401000,1.40000,1.40020\n');
    const prices = { source: 'file', path: file, product: 'eurusd', speed: 1, volatility: 1, columns } as const;
    const { venue, timers } = await rig({ prices });
    const client = await new FeedClient(venue).open();
    // The sides of the file's row, each half of its spread from the mid.
    const small = await firstQuote(client, { inputSize: 1000 }, 'eurusd');
    expect(small).toMatchObject({ spread: 0.0001, buyQuote: { price: 1.38686, slippage: 0.00005 } });
    expect(small).toMatchObject({ sellQuote: { price: 1.38676, slippage: 0.00005 } });
    const large = await firstQuote(client, { inputSize: 50_000.01 }, 'eurusd');
    expect([large.buyQuote.price, large.sellQuote.price]).toEqual([1.38687, 1.38675]);
    expect((await firstQuote(client)).buyQuote.price).toBeGreaterThan(50_000);
    timers.advance(1000);
    expect((await firstQuote(client, { inputSize: 1000 }, 'eurusd')).buyQuote.price).toBe(1.4002);
  });

  test.each([
    [{ product: 'eurgbp', path: 'x.csv', speed: 1 }, /venue\.prices\.product: 'eurgbp' is not quoted; name one of btcusd/],
    [{ product: null, path: 'x.csv', speed: 1 }, /venue\.prices\.product/],
    [{ product: 'eurusd', path: null, speed: 1 }, /venue\.prices\.path/],
    [{ product: 'eurusd', path: 'x.csv', speed: 0 }, /venue\.prices\.speed/],
    [{ product: 'eurusd', path: 'x.csv', speed: Number.POSITIVE_INFINITY }, /venue\.prices\.speed/],
  ])('B39 configured as %j is refused by the name of the setting', async (prices, reason) => {
    const settings = { ...SETTINGS, prices: { source: 'file', columns, volatility: 1, ...prices } as const };
    await expect(startVenue(settings, systemTimers)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(reason),
    });
  });
});

describe('real quotes', () => {
  const file = fileURLToPath(new URL('../../../shared/data/eurusd_oanda_ticks_20140501-15.csv.gz', import.meta.url));
  const there = existsSync(file);

  test('are there where the tests are run for a release', () => {
    if (process.env.CI) expect(there, '../shared/data is missing, and CI is set').toBe(true);
  });

  test.skipIf(!there)('half a month of EUR/USD ticks is read whole and plays (skipped without ../shared/data)', async () => {
    const names = { time: 'ts_ms', bid: 'bid', ask: 'ask' };
    const prices = await readPrices(file, names);
    expect(prices.timeMs.length).toBe(532_903);
    expect([prices.timeMs[0], prices.bid[0], prices.ask[0]]).toEqual([1_398_902_400_292, 1.38676, 1.38686]);
    const source = played(prices, 60);
    // 2014-05-08 12:45 UTC, the first news spike: the last tick at or before it, found here by walking.
    const at = Date.UTC(2014, 4, 8, 12, 45);
    const row = prices.timeMs.findLastIndex((time) => time <= at);
    expect(source.at((at - (prices.timeMs[0] ?? 0)) / 60)).toMatchObject({ bid: prices.bid[row], ask: prices.ask[row] });
  });
});
