import { chmodSync, copyFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { FeedClient, firstQuote, order, rig, SETTINGS, scratch, started } from './venue-rig.ts';

describe('what the venue may not forget', () => {
  test('F45 a restart keeps balances, executions and used quote ids; ids never repeat although prices do', async () => {
    const database = path.join(scratch(), 'deep', 'venue.db');
    const first = await started({ database }, systemTimers);
    const quote = await firstQuote(await new FeedClient(first).open());
    const there = { venue: first, timers: systemTimers };
    expect(await order(there, { quoteId: quote.id })).toMatchObject({ status: 201 });
    const kept = { balances: first.balances('1205'), executions: first.executions() };
    await first.close();

    const second = await started({ database }, systemTimers);
    const again = { venue: second, timers: systemTimers };
    expect({ balances: second.balances('1205'), executions: second.executions() }).toEqual(kept);
    expect(await order(again, { quoteId: quote.id })).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_USED' } });
    const fresh = await firstQuote(await new FeedClient(second).open());
    expect(fresh.id).not.toBe(quote.id);
    expect(Math.abs(fresh.buyQuote.price - quote.buyQuote.price)).toBeLessThan(quote.buyQuote.price / 100);
    expect(await order(again, { quoteId: fresh.id, side: 'SELL' })).toMatchObject({ status: 201 });
    expect(second.executions()).toHaveLength(2);
  });

  test('F45 a kill right behind an answer loses nothing of it: the books are as they were, and no quote of before serves again', async () => {
    const [database, left] = [path.join(scratch(), 'venue.db'), path.join(scratch(), 'left.db')];
    const there = await rig({ database });
    const [quote, unused] = [
      await firstQuote(await new FeedClient(there.venue).open()),
      await firstQuote(await new FeedClient(there.venue).open()),
    ];
    const before = there.venue.balances('1205');
    expect(await order(there, { quoteId: quote.id })).toMatchObject({ status: 201 });
    // What a process that is killed now leaves on the disk.
    for (const end of ['', '-wal']) copyFileSync(`${database}${end}`, `${left}${end}`);
    const again = { venue: await started({ database: left }, there.timers), timers: there.timers };
    const books = () => [again.venue.balances('1205'), again.venue.executions()];
    const kept = [there.venue.balances('1205'), there.venue.executions()];
    expect([books(), kept[0]]).toEqual([kept, expect.not.objectContaining(before)]);
    expect(await order(again, { quoteId: quote.id })).toMatchObject({ status: 422 });
    expect(await order(again, { quoteId: unused.id, user: '1206' })).toMatchObject({ status: 422 });
    expect(books()).toEqual(kept);
  });

  test('its tables can be read by any SQLite tool while it runs, refusals included, so that "none was late" can be proved', async () => {
    const database = path.join(scratch(), 'venue.db');
    const there = await rig({ database });
    const quote = await firstQuote(await new FeedClient(there.venue).open());
    there.timers.advance(3001);
    await order(there, { quoteId: quote.id });
    await order(there, { quoteId: quote.id, user: '99' });
    const reader = new Database(database, { readonly: true });
    expect(reader.prepare('SELECT quote_id, user_id, status, error_code FROM refusals').all()).toEqual([
      { quote_id: quote.id, user_id: '1205', status: 422, error_code: 'QUOTE_EXPIRED' },
      { quote_id: null, user_id: '99', status: 400, error_code: 'INVALID_USER' },
    ]);
    expect(reader.prepare('SELECT count(*) AS n FROM openings WHERE user_id = ?').get('1205')).toEqual({ n: 5 });
    expect(reader.pragma('journal_mode', { simple: true })).toBe('wal');
    reader.close();
  });

  test('a commit that fails executes nothing: 500, and the quote may be tried again', async () => {
    const database = path.join(scratch(), 'venue.db');
    const there = await rig({ database });
    const quote = await firstQuote(await new FeedClient(there.venue).open());
    const intruder = new Database(database);
    intruder.exec("CREATE TRIGGER broken BEFORE INSERT ON executions BEGIN SELECT RAISE(ABORT, 'disk on fire'); END");
    const failed = await order(there, { quoteId: quote.id });
    expect(failed).toMatchObject({ status: 500, body: { errorCode: 'INTERNAL' } });
    expect(JSON.stringify(failed.body)).not.toContain('fire');
    expect(there.venue.balances('1205').usd).toBe('1000000');
    intruder.exec('DROP TRIGGER broken');
    intruder.close();
    expect(await order(there, { quoteId: quote.id })).toMatchObject({ status: 201 });
  });
});

describe('a start that cannot be says why in one line, and leaves nothing open', () => {
  test('B37 a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const database = path.join(scratch(), 'venue.db');
    await expect(startVenue({ ...SETTINGS, port, database }, systemTimers)).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port}.*venue\\.port`)),
    });
    await new Promise((resolve) => other.close(resolve));
    expect((await started({ port, database }, systemTimers)).port).toBe(port);
  });

  test('an address that is not ours', async () => {
    await expect(startVenue({ ...SETTINGS, host: '192.0.2.1' }, systemTimers)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/venue\.host/),
    });
  });

  test("a database that is something else, is not one, or is a later venue's", async () => {
    const folder = scratch();
    const foreign = path.join(folder, 'foreign.db');
    const db = new Database(foreign);
    db.exec('CREATE TABLE mine (a)');
    db.close();
    const text = path.join(folder, 'text.db');
    writeFileSync(text, 'this is no database at all, and long enough to show it');
    const newer = path.join(folder, 'newer.db');
    await (await started({ database: newer }, systemTimers)).close();
    const touched = new Database(newer);
    touched.pragma('user_version = 99');
    touched.close();
    for (const [database, reason] of [
      [foreign, /not the database of a paper venue/],
      [text, /not a database/],
      [newer, /schema is 99/],
      [folder, /unable to open/],
    ] as const) {
      await expect(startVenue({ ...SETTINGS, database }, systemTimers)).rejects.toMatchObject({
        code: 'VENUE_DATABASE',
        message: expect.stringMatching(reason),
      });
    }
  });

  test('a file that is refused keeps its permissions; one that is used is for its owner alone', async () => {
    const [foreign, own] = [path.join(scratch(), 'foreign.db'), path.join(scratch(), 'venue.db')];
    const db = new Database(foreign);
    db.exec('CREATE TABLE mine (a)');
    db.close();
    const running = await started({ database: own }, systemTimers);
    for (const end of ['', '-wal']) copyFileSync(`${own}${end}`, `${own}.copy${end}`);
    await running.close();
    for (const file of [foreign, `${own}.copy`, `${own}.copy-wal`]) chmodSync(file, 0o644);
    await expect(startVenue({ ...SETTINGS, database: foreign }, systemTimers)).rejects.toMatchObject({ code: 'VENUE_DATABASE' });
    await started({ database: `${own}.copy` }, systemTimers);
    const modes = [foreign, ...['', '-wal', '-shm', '.lock'].map((end) => `${own}.copy${end}`)].map((file) => statSync(file).mode & 0o077);
    expect(modes).toEqual([0o044, 0, 0, 0, 0]);
  });
});

test('one venue uses a file, whatever name it has: the second is refused, and a later one starts', async () => {
  const folder = scratch();
  const [database, link] = [path.join(folder, 'venue.db'), path.join(folder, 'link.db')];
  const first = await started({ database }, systemTimers);
  symlinkSync(database, link);
  for (const named of [database, link]) {
    await expect(startVenue({ ...SETTINGS, database: named }, systemTimers)).rejects.toMatchObject({
      code: 'VENUE_DATABASE',
      message: expect.stringMatching(/another venue uses it; end that one/),
    });
  }
  const files = readdirSync(folder).filter((file) => file !== 'link.db');
  expect(files.map((file) => [file, statSync(path.join(folder, file)).mode & 0o077])).toEqual([
    ['venue.db', 0],
    ['venue.db-shm', 0],
    ['venue.db-wal', 0],
    ['venue.db.lock', 0],
  ]);
  await first.close();
  await started({ database: link }, systemTimers);
});

test("an earlier version's database is brought up to date, with its balances", async () => {
  const database = path.join(scratch(), 'earlier.db');
  const earlier = new Database(database);
  earlier.exec(`
    CREATE TABLE openings (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
    CREATE TABLE balances (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
    CREATE TABLE executions (
      order_id TEXT PRIMARY KEY, quote_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, side TEXT NOT NULL, product TEXT NOT NULL,
      price TEXT NOT NULL, size TEXT NOT NULL, value TEXT NOT NULL, fee TEXT NOT NULL, fee_ccy TEXT NOT NULL, executed_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE refusals (at TEXT NOT NULL, quote_id TEXT, user_id TEXT, status INTEGER NOT NULL, error_code TEXT NOT NULL) STRICT;
    CREATE TABLE actions (at TEXT NOT NULL, action TEXT NOT NULL) STRICT;
    INSERT INTO openings VALUES ('1205', 'btc', '100');
    INSERT INTO balances VALUES ('1205', 'btc', '42');
    PRAGMA application_id = 0x4b564e55;
    PRAGMA user_version = 1;
  `);
  earlier.close();
  const venue = await started({ database }, systemTimers);
  expect(venue.balances('1205').btc).toBe('42');
  expect(venue.accountBalances('70312').btc).toBe('100');
});
