import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bookEntries } from '#adapters/journal/at-rest.ts';
import { keepPlayed } from '#adapters/journal/played.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { programFor } from '#cli/commands.ts';
import { accepted, begun, folder, openJournal, orderFacts, permits, RUN, row, sent, unknown } from '../adapters/journal/rows.ts';
import { json as answer, service } from '../conformance/client/harness.ts';
import { btcLane, quote } from '../support/market-data.ts';

/** What the last command printed on standard error. */
let notes = '';

/** Runs a command line in this process; what it printed on standard output. */
async function kairos(dir: string, ...words: string[]): Promise<string> {
  let out = '';
  notes = '';
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      out += String(chunk);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      notes += String(chunk);
      return true;
    }),
  ];
  try {
    const program = (await programFor(words)).exitOverride();
    const set = [`journal.path=${join(dir, 'kairos.db')}`, `recording.dir=${join(dir, 'recordings')}`];
    await program.parseAsync([...words, ...set.flatMap((one) => ['--set', one])], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return stripVTControlCharacters(out);
}

const json = async (dir: string, ...words: string[]): Promise<unknown> => JSON.parse(await kairos(dir, ...words, '--json'));

/** 0.02 bought, 0.01 sold at a gain, one order unknown; the last quote was recorded, another line is half written. */
function traded(): string {
  const dir = folder();
  const journal = begun(join(dir, 'kairos.db'));
  const entries = [{ kind: 'opening', book: 'sma', currency: 'USD', amount: '10000' } as const];
  journal.commit([row('booked', { who: 'kairos', why: 'opening balances', entries })]);
  const buy = orderFacts(1, { size: '0.02', value: '1220.01', fee: '1.22001' });
  const sell = orderFacts(2, { side: 'sell', price: '62000', size: '0.01', value: '620', fee: '0.62' });
  const lost = orderFacts(3);
  for (const order of [buy, sell]) journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.commit([...permits(lost), unknown(lost)]);
  journal.close();
  const run = join(dir, 'recordings', RUN);
  mkdirSync(run, { recursive: true });
  const lines = [quote({ buy: 59_100, sell: 59_000 }), quote({ buy: 63_100, sell: 63_000 })].map((one, n) => quoteLine(n + 1, n, one));
  writeFileSync(join(run, 'inbox.ndjson'), `${headerLine(RUN, 'paper')}${lines.join('')}["q",3,12,"btcusd@ba`);
  return dir;
}

test('what is held and has no quote says why, of a backtest too', async () => {
  const dir = traded();
  rmSync(join(dir, 'recordings'), { recursive: true });
  const why = 'the recording of the last run has no quote of btcusd';
  expect(await json(dir, 'positions')).toMatchObject([{ estimate: null, why }]);
  expect(await json(dir, 'profit')).toMatchObject([
    { group: 'sma', unrealised: null, why },
    { group: 'total', unrealised: null, why },
  ]);
  expect(await json(dir, 'profit', '--by', 'day')).toMatchObject([{ why: expect.stringMatching(/not by day$/) }, { why }]);
  for (const by of ['day', 'strategy']) {
    const table = await kairos(dir, 'profit', '--by', by);
    expect(table).not.toMatch(/open|return|n\/a/);
    expect(notes).toContain(`open and return are not known: ${why}\n`);
    expect(notes).not.toContain('total: open');
  }
  keepPlayed(join(dir, 'kairos.db'), RUN, '{"lastSeen":[]}');
  expect(await json(dir, 'positions')).toMatchObject([
    { why: expect.stringMatching(/backtest's journal .*`kairos report last --journal \S+kairos\.db`/) },
  ]);
});

test('positions: size with both ends, average, and what closing would bring at the last recorded quote, as an estimate', async () => {
  const dir = traded();
  expect(await json(dir, 'positions')).toEqual([
    {
      strategy: 'sma',
      product: 'btcusd',
      size: '0.01',
      low: '0.01',
      high: '0.02',
      isDust: false,
      currency: 'btc',
      entry: '61000.5',
      openedAt: '2026-11-21T03:00:02.000Z',
      why: null,
      estimate: { price: '63000', lane: btcLane.id, unrealised: '19.384995', currency: 'usd' },
    },
  ]);
  expect(await kairos(dir, 'positions')).toMatch(/sma +btcusd +0\.01 \(0\.01 to 0\.02\) +btc +61000\.5 .* 63000 +19\.38 usd/);
});

test('positions: what a fee in base currency left of a closed position is no position, as in reports', async () => {
  const dir = folder();
  const journal = begun(join(dir, 'kairos.db'));
  const bought = orderFacts(1, { size: '0.01', fee: '0.00001', feeCcy: 'BTC' });
  const sold = orderFacts(2, { side: 'sell', size: '0.00995', fee: '0', value: '617', price: '62000' });
  for (const order of [bought, sold]) journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.close();
  expect(await json(dir, 'positions')).toMatchObject([{ size: '0.00004', isDust: true }]);
  expect(await kairos(dir, 'positions')).not.toContain('0.00004');
  expect(notes).toContain('dust of closed positions, valued in `kairos profit`: sma 0.00004 btcusd\n');
  expect(notes).toContain('no strategy holds anything');
});

test('positions: what an order of unknown outcome may have opened is told where nothing is held', async () => {
  const dir = folder();
  const journal = begun(join(dir, 'kairos.db'));
  const lost = orderFacts(1, { size: '0.01' });
  journal.commit([...permits(lost), unknown(lost)]);
  journal.close();
  expect(await json(dir, 'positions')).toMatchObject([{ size: '0', currency: null, low: '0', high: '0.01', entry: null, estimate: null }]);
  expect(await kairos(dir, 'positions')).toMatch(/btcusd +0 \(0 to 0\.01\) +- +- +- +- +-$/m);
});

test('trades and profit: net of fees, counted once', async () => {
  const dir = traded();
  const trip = { fees: '1.230005', profit: '8.764995', currency: 'usd' };
  expect(await json(dir, 'trades')).toMatchObject([
    { ...trip, side: 'long', size: '0.01', entry: { order: '1-1' }, exit: { order: '2-1' } },
  ]);
  expect(await json(dir, 'trades', '--strategy', 'manual')).toEqual([]);
  const table = await kairos(dir, 'trades');
  expect(table).toMatch(/^closed +strategy +product +side +size +entry +exit +fees usd +profit usd +orders$/m);
  expect(table).toMatch(/^2026-\S+Z +sma +btcusd +long +0\.01 +61000\.5 +62000\.0 +1\.23 +8\.76 +1-1 2-1$/m);
  expect(table).toMatch(/^1 round trip: 1 won, 0 lost, together 8\.76 usd$/m);
  expect(await json(dir, 'profit')).toMatchObject([
    { group: 'sma', trades: 1, won: 1, ...trip, fees: '1.84001', unrealised: '19.384995', return: '0.002814999' },
    { group: 'total', ...trip, fees: '1.84001' },
  ]);
  expect(await json(dir, 'profit', '--by', 'day')).toMatchObject([{ group: '2026-11-21', profit: '8.764995' }, { group: 'total' }]);
  expect(await json(dir, 'profit', '--by', 'tag')).toMatchObject([{ group: '-' }, { group: 'total' }]);
  expect(await kairos(dir, 'profit')).toContain('0.28 %');
  expect(notes).toContain('fees: all that were paid;');
  for (const by of ['day', 'tag']) {
    const table = await kairos(dir, 'profit', '--by', by);
    expect(table).not.toMatch(/open|return|n\/a/);
    expect(table).toMatch(/^total +usd +1 +1 +1\.84 +8\.76 *$/m);
    expect(notes).toContain('total: open 19.38 usd, return 0.28 %');
    expect(notes).not.toContain('n/a');
  }
  await kairos(dir, 'profit', '--by', 'day');
  expect(notes).toContain(
    'fees: of round trips on the day (UTC) of their end, of what is held on the day of its entry; total: all that were paid;',
  );
});

test.each(['trades', 'orders'])('%s refuses a strategy that the journal does not know, and names those that it knows', async (command) => {
  await expect(kairos(traded(), command, '--strategy', 'other')).rejects.toThrow(/the journal .* has no strategy "other"; there is sma$/);
});

test('orders: the last ones, of a state where asked', async () => {
  const dir = traded();
  expect(await json(dir, 'orders', '-n', '2')).toMatchObject([{ order_id: '2-1' }, { order_id: '3-1', state: 'unknown' }]);
  expect(await json(dir, 'orders', '--state', 'unknown')).toMatchObject([{ order_id: '3-1' }]);
  expect(await kairos(dir, 'orders', '-n', '3')).toMatch(/1-1 .* 0\.02 +61000\.5 +1,220\.01 usd +1\.22 usd +accepted/i);
  await expect(kairos(dir, 'orders', '--state', 'lost')).rejects.toThrow(/Allowed choices/);
});

test('trades and orders as CSV: a line of names and one for each, with all places', async () => {
  const dir = traded();
  const [names, trade, ...more] = (await kairos(dir, 'trades', '--csv')).split('\r\n');
  expect([names?.split(',').length, more]).toEqual([trade?.split(',').length, ['']]);
  expect(trade).toMatch(/^sma,btcusd,long,0\.01,2026-\S+Z,61000\.5,1-1,2026-\S+Z,62000,2-1,.*,1\.230005,8\.764995,usd$/);
  const orders = (await kairos(dir, 'orders', '--csv')).split('\r\n');
  expect(orders.map((line) => line.split(',')[0])).toEqual(['order_id', '1-1', '2-1', '3-1', '']);
  await expect(kairos(dir, 'trades', '--csv', '--json')).rejects.toThrow(/cannot be used with/);
});

test('as CSV all trades and orders come unless -n says how many; of a shorter list a note says that there are more', async () => {
  const dir = folder();
  const journal = begun(join(dir, 'kairos.db'));
  for (let n = 1; n <= 42; n++) {
    const order = orderFacts(n, { side: n % 2 ? 'buy' : 'sell', size: '0.01', value: '610', fee: '0.61' });
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  journal.close();
  const lines = async (...words: string[]) => (await kairos(dir, ...words)).split('\r\n').length - 2;
  expect([await lines('trades', '--csv'), await lines('orders', '--csv'), await lines('orders', '--csv', '-n', '30')]).toEqual([
    21, 42, 30,
  ]);
  expect(notes).toBe('');
  for (const command of ['trades', 'orders']) {
    for (const json of [[], ['--json']]) {
      await kairos(dir, command, ...json);
      expect(notes).toBe('20 are printed, and there are more: -n 1000 prints up to 1000 of them\n');
    }
  }
  const ids = async (...words: string[]) => JSON.parse(await kairos(dir, ...words, '--json'));
  expect((await ids('orders')).map((one: { order_id: string }) => one.order_id)).toEqual(
    Array.from({ length: 20 }, (_, n) => `${n + 23}-1`),
  );
  expect((await ids('trades')).at(-1)).toMatchObject({ exit: { order: '42-1' } });
  expect(await ids('trades', '-n', '21')).toHaveLength(21);
  // The sum is that of all, as `profit` has it.
  for (const few of [
    ['-n', '2'],
    ['-n', '2', '--worst'],
  ])
    expect(await kairos(dir, 'trades', ...few)).toMatch(/^21 round trips: 0 won, 21 lost/m);
  expect(notes).toBe('');
});

test('a fresh journal has nothing to show, and says so instead of an empty table', async () => {
  const dir = folder();
  begun(join(dir, 'kairos.db')).close();
  for (const command of ['positions', 'orders', 'trades', 'profit']) expect(await kairos(dir, command)).toBe('');
});

describe('ledger', () => {
  const deposit = ['ledger', 'add', '--currency', 'USD', '--amount', '500', '--reason', 'bank transfer'];

  test('opening plus rows is the balance, per book and currency', async () => {
    const dir = traded();
    await kairos(dir, ...deposit);
    await kairos(dir, 'ledger', 'add', '--currency', 'USD', '--amount=-20.5', '--reason', 'rent');
    expect(await json(dir, 'ledger', 'balances')).toEqual({
      books: [
        {
          book: 'sma',
          currency: 'usd',
          opening: '10000',
          fills: '-600.01',
          fees: '-1.84001',
          deposits: '0',
          withdrawals: '0',
          corrections: '0',
          financing: '0',
          balance: '9398.14999',
        },
        expect.objectContaining({ book: 'sma', currency: 'btc', fills: '0.01', balance: '0.01' }),
        expect.objectContaining({ book: 'treasury', currency: 'usd', deposits: '500', withdrawals: '-20.5', balance: '479.5' }),
      ],
      total: { usd: '9877.64999', btc: '0.01' },
    });
    expect(verifyJournal(join(dir, 'kairos.db'))).toMatchObject({ ok: true, ledger: 9 });
    expect(await json(dir, 'profit')).toMatchObject([{ profit: '8.764995' }, { group: 'total', profit: '8.764995' }]);
  });

  test('is written with who and why, and not beside a daemon that holds the journal', async () => {
    const dir = traded();
    await kairos(dir, ...deposit);
    const reader = JournalReader.open(join(dir, 'kairos.db'));
    expect(reader.tail(1)).toMatchObject([
      { kind: 'booked', reason: 'BY_PERSON', inbox_seq: 0, detail: expect.stringContaining('bank transfer') },
    ]);
    reader.close();
    openJournal(join(dir, 'kairos.db'));
    await expect(kairos(dir, ...deposit)).rejects.toThrow(expect.objectContaining({ code: 'JOURNAL_LEASED' }));
  });

  test.each([['0'], ['1e3'], ['1,000'], ['-']])('B05 an amount of %j is refused', async (amount) => {
    await expect(kairos(traded(), 'ledger', 'add', '--currency', 'USD', `--amount=${amount}`, '--reason', 'x')).rejects.toThrow(/number/);
  });

  test('reconcile shows the differences, asks, and books corrections once', async () => {
    const dir = traded();
    const actual = ['reconcile', '--actual', 'usd=9400,btc=0.01'];
    await expect(kairos(dir, ...actual)).rejects.toThrow(/add --yes where nobody can answer/);
    expect(await kairos(dir, ...actual, '--yes')).toMatch(/usd +9398\.14999 +9400 +1\.85001[\s\S]*booked: 1 correction\n/);
    expect(await kairos(dir, ...actual, '--yes')).toContain('the ledger agrees with the account');
    const more = await kairos(dir, 'reconcile', '--actual', 'btc=0.02', '--yes');
    expect(more).toMatch(
      /booked: 1 correction\ntreasury: 0\.01 btc; positions stay as the journal has them: \S+ holds \S+ btc in btcusd\n$/,
    );
    await kairos(dir, 'reconcile', '--actual', 'btc=0.01', '--yes');
    expect(await json(dir, 'ledger', 'balances')).toMatchObject({ total: { usd: '9400', btc: '0.01' } });
    expect(verifyJournal(join(dir, 'kairos.db'))).toMatchObject({ ok: true });
    await expect(kairos(dir, 'reconcile', '--actual', 'usd')).rejects.toThrow(/currencies with amounts/);
    await expect(kairos(dir, 'reconcile')).rejects.toThrow(/--actual, such as .* or name balances in service\.capabilities/);
    const embedded = ['reconcile', '--set', 'service.capabilities=[balances]'];
    await expect(kairos(dir, ...embedded)).rejects.toThrow(/the paper venue runs inside the daemon: start it/);
  });

  test('reconcile asks the account again where something was booked meanwhile', async () => {
    const dir = traded();
    let usd = 9398.14999;
    const { baseUrl, heard } = await service(({ path }, response) => {
      if (!path.includes('balances')) return answer(response, 200, []);
      answer(response, 200, { usd, btc: 0.01 });
      if (usd > 9400) return;
      usd += 100;
      const entries = [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '100' } as const];
      bookEntries(join(dir, 'kairos.db'), { entries, who: 'ann', why: 'a transfer', now: Date.now() });
    });
    const asked = ['--set', `service.baseUrl=${baseUrl}`, '--set', 'service.capabilities=[balances]', '--set', 'service.userId=1205'];
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('KAIROS_API_KEY', 'key');
    vi.stubEnv('KAIROS_API_SECRET', 'c2VjcmV0'.repeat(4));
    expect(await kairos(dir, 'reconcile', '--check', ...asked)).toContain('the ledger agrees with the account');
    expect(heard.filter(({ path }) => path.includes('balances'))).toHaveLength(2);
  });

  test('reconcile compares nothing while a daemon has an order in flight', async () => {
    const dir = folder();
    const journal = begun(join(dir, 'kairos.db'));
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order)]);
    const check = ['reconcile', '--check', '--actual', 'btc=0.01'];
    await expect(kairos(dir, ...check)).rejects.toThrow(expect.objectContaining({ code: 'ACT_REFUSED' }));
    journal.commit([accepted(order)]);
    expect(await kairos(dir, ...check)).toContain('the ledger agrees with the account');
    journal.close();
  });
});
