import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../config/support.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

/** What a command says, and the code that it would end with. */
async function kairos(cwd: string, ...words: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { code, stdout: out, stderr: err } = await kairosHere(words, { cwd });
  return { code, out, err };
}

const TICKS = 'ts,b,a\n2014-05-01T00:00:00.292Z,1.38676,1.38686\n2014-05-01T00:00:20Z,1.38675,1.38688\n';
const IMPORT = ['data', 'import', 'ticks.csv', '--product', 'eurusd', '--time', 'ts', '--bid', 'b', '--ask', 'a', '--out', 'out'];

describe('data', () => {
  test('import, list, gaps, verify and export, as a user types them', async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'ticks.csv'), TICKS);
    const imported = await kairos(cwd, ...IMPORT, '--json');
    expect(imported).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(imported.out)).toMatchObject({ rows: 2, quotes: 2, crossed: 0, lane: 'eurusd@base:1' });
    expect(JSON.parse((await kairos(cwd, 'data', 'list', 'out', '--json')).out)).toMatchObject([
      { product: 'eurusd', lane: 'eurusd@base:1', from: '2014-05-01T00:00:00.292Z', to: '2014-05-01T00:00:20.000Z', quotes: 2 },
    ]);
    expect(JSON.parse((await kairos(cwd, 'data', 'gaps', 'out', '--json')).out)).toMatchObject([{ seconds: 19.708 }]);
    expect((await kairos(cwd, 'data', 'gaps', 'out', '--over', '5')).out).toMatch(
      /\n1 silence, 100 % of the time of all lanes; the longest 19\.708 s, of eurusd@base:1 from 2014-05-01T00:00:00\.292Z; each is longer than 5 s; --over SECONDS sets another threshold\n$/,
    );
    expect(await kairos(cwd, 'data', 'verify', 'out')).toMatchObject({ code: 0, out: expect.stringMatching(/is whole: 2 events, sealed/) });
    expect(await kairos(cwd, 'data', 'export', 'out', '--out', 'eur.csv')).toMatchObject({
      code: 0,
      out: '2 quotes of 1 lane in eur.csv\n',
    });
    expect(readFileSync(path.join(cwd, 'eur.csv'), 'utf8').split('\n')).toHaveLength(4);
    await kairos(cwd, 'data', 'export', 'out', '--out', 'eur.parquet');
    for (const file of ['eur.csv', 'eur.parquet']) {
      const { out } = await kairos(cwd, 'data', 'import', file, '--product', 'eurusd', '--out', `of-${file}`);
      expect(out).toMatch(/^buy_size and sell_size are not used/m);
      await kairos(cwd, 'data', 'export', `of-${file}`, '--out', 'again.csv');
      const figures = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
      expect(figures('again.csv'), `what is exported is read by its own names: ${file}`).toBe(figures('eur.csv'));
    }
    const byOption = await kairos(cwd, 'data', 'export', '--data', 'out', '--out', 'eur2.csv');
    expect(byOption).toMatchObject({ code: 0, out: '2 quotes of 1 lane in eur2.csv\n' });
    expect((await kairos(cwd, 'data', 'list', '--data', 'out')).out).toMatch(/eurusd@base:1 .* 2 /);
    expect(await kairos(cwd, 'data', 'export', 'out', '--data', 'in', '--out', 'eur3.csv')).toMatchObject({
      code: 2,
      err: 'kairos: out and --data in: name one folder, as the argument or by --data\n',
    });
    expect(await kairos(cwd, 'data', 'export', 'out', '--product', 'btcusd', '--out', 'btc.csv')).toMatchObject({
      err: 'kairos: no such quotes are recorded in out; kairos data list out shows what is, and another folder is named as the argument or by --data\n',
    });
    const from = (day: string) => kairos(cwd, 'data', 'export', 'out', '--from', day, '--out', 'from.csv');
    expect((await from('2012-02-29')).code).toBe(0);
    expect(await from('2014-04-31T01:00:00+02:00'), 'a day that does not exist is no other day').toMatchObject({
      code: 2,
      err: expect.stringMatching(/^kairos: .*--from.* '2014-04-31T01:00:00\+02:00' is invalid.* must be a time.*\n$/),
    });
    const { run }: { run: string } = JSON.parse(imported.out);
    appendFileSync(path.join(cwd, 'out', run, 'sealed', 'quotes-eurusd-base-1-2014-05-01.parquet'), 'x');
    expect(await kairos(cwd, 'data', 'verify', 'out')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^kairos: import-eurusd-.* bytes; restore it from a copy, or move the recording elsewhere\n/),
    });
  });

  test('an export of two recordings of one lane and time says so, as a backtest does', async () => {
    const dir = folder();
    const more = { dir, lanes: ['btcusd 0.01'], seconds: 5 };
    const [first, second] = [syntheticRecording(more), syntheticRecording({ ...more, run: 'run-2', seed: 'other' })];
    const exported = (...words: readonly string[]) => kairos(dir, 'data', 'export', ...words, '--out', 'quotes.csv');
    const { code, err } = await exported(dir);
    expect(code).toBe(0);
    expect(err).toMatch(/^btcusd@base:0.01: run-1 and run-2 both have quotes from 2026-01-05T09:00:00.*, which are played mixed, .*\n$/);
    for (const one of [first, second]) expect((await exported(one)).err).toBe('');
    expect((await exported(dir, '--from', '2026-01-06T00:00:00Z')).err).not.toContain('both have');
  });

  test('the close of bars is named as their open is, and a second name of the same column is refused', async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'bars.csv'), `t,a,b,c,d\n${[0, 1].map((n) => `${1_785_542_400_000 + n * 60_000},2,4,1,3\n`).join('')}`);
    const columns = ['--time', 't', '--open', 'a', '--high', 'b', '--low', 'c', '--close', 'd', '--spread-bps', '0', '--out', 'out'];
    const imported = (...more: readonly string[]) => kairos(cwd, 'data', 'import', 'bars.csv', '--product', 'btcusd', ...columns, ...more);
    expect(JSON.parse((await imported('--json')).out)).toMatchObject({ quotes: 2, facts: { barMs: 60_000 } });
    expect((await imported('--price', 'a')).err).toBe('kairos: --close and --price name the same column: leave out one of them\n');
  });

  test('the spread of a file is taken by its column and what a point is worth, and told as that; nobody saying which is refused with both ways', async () => {
    const cwd = folder();
    const rows = ['12', '9', '15'].map((spread, n) => `2026.11.02\t10:0${n}:00\t1.08502\t1.08514\t1.08496\t1.08511\t52\t0\t${spread}\n`);
    writeFileSync(
      path.join(cwd, 'mt5.csv'),
      `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n${rows.join('')}`,
    );
    const imported = (...more: readonly string[]) =>
      kairos(cwd, 'data', 'import', 'mt5.csv', '--product', 'eurusd', '--out', 'mt', ...more);
    expect(await imported()).toMatchObject({
      code: 2,
      err: 'kairos: mt5.csv: it has one price a row, without bid and ask; <SPREAD> is in points: --point 0.00001 uses it, or add --spread-bps, the spread to assume, such as 2\n',
    });
    expect(await imported('--point', '0.00001', '--spread-bps', '2')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/leave out one/),
    });
    expect((await imported('--point', '-1')).err).toMatch(/--point.* above 0/);
    const json = await imported('--point', '0.00001', '--json');
    const spread = { column: '<SPREAD>', point: '0.00001', medianBps: 1.11, lowBps: 0.829, highBps: 1.38 };
    expect(JSON.parse(json.out)).toMatchObject({ quotes: 3, facts: { priceIs: 'bid', spreadBps: null, spread } });
    expect((await imported('--spread', '<SPREAD>', '--point', '0.00001')).out).toMatch(
      /\nthe spread of each row is the file's, column '<SPREAD>' of/,
    );
  });

  test('an import tells what it dropped up to ten rows, the size that nobody said, and recorded quotes of the product beside it', async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'ticks.csv'), `${TICKS}${'noon,1,2\n'.repeat(13)}`);
    syntheticRecording({ dir: path.join(cwd, 'out'), lanes: ['eurusd 1000'], seconds: 2 });
    const { code, out, err } = await kairos(cwd, ...IMPORT, '--bad', 'drop');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^out also has 4 quotes of eurusd@base:1000 that were recorded: a backtest of that folder plays eurusd as imported.*--out FOLDER\n$/,
    );
    expect(out).toMatch(
      /\na size of 1 is assumed, in base currency: larger amounts fill at modelled prices, worse by backtest\.slippagePct/,
    );
    expect(out.match(/^dropped: .*'noon' is not a time/gm)).toHaveLength(10);
    expect(out).toMatch(/\nand 3 more\nkairos\.yaml for this import; .*\nstrategies:\n {2}- \{ id: mine, .* amount: \{ base: 1 \} \}\n$/);
  });

  test('the next month of a lane is told with the times of both, and limits fit the highest price of both', async () => {
    const cwd = folder();
    const DAY = 86_400_000;
    const month = (name: string, from: number, price: number): void => {
      const rows = Array.from({ length: 20 }, (_, n) => `${from + n * 60_000},${price + n}\n`);
      writeFileSync(path.join(cwd, name), `time,close\n${rows.join('')}`);
    };
    const AT = Date.UTC(2024, 10, 1);
    month('a.csv', AT, 90_000);
    month('b.csv', AT + 20 * 60_000, 60_000);
    month('c.csv', AT + 31 * DAY, 70_000);
    const OF = ['--product', 'BTCUSDT', '--base', 'btc', '--quote', 'usdt', '--spread-bps', '0', '--fee-pct', '0', '--out', 'out'];
    const add = (name: string, size: string, ...more: readonly string[]) =>
      kairos(cwd, 'data', 'import', name, ...OF, '--size', size, ...more);
    const limits = /maxOrderValue: \{ usdt: 2200,/;
    expect(await add('a.csv', '0.02')).toMatchObject({ code: 0, err: '', out: expect.stringMatching(limits) });
    const next = await add('b.csv', '0.02');
    expect(next).toMatchObject({ code: 0, err: '', out: expect.stringMatching(limits) });
    const first = '2024-11-01T00:01:00.000Z';
    expect(next.out).toContain(`\nout now has btcusdt@base:0.02 from ${first} to 2024-11-01T00:40:00.000Z in 2 imports\n`);
    expect(next.out).toMatch(
      /^kairos\.yaml for this import, by the highest price of all 2 imports of btcusdt in out; \S+ config check --data out /m,
    );
    const { out, err } = await add('c.csv', '0.02');
    const hole = 'with none of it for 30 d 23 h from 2024-11-01T00:40:00.000Z';
    expect(err).toBe('');
    expect(out).toContain(`\nout now has btcusdt@base:0.02 from ${first} to 2024-12-02T00:20:00.000Z in 3 imports, ${hole}\n`);
    const { settings } = JSON.parse((await add('c.csv', '0.02', '--json')).out);
    expect(settings.risk.maxOrderValue.usdt).toBe('2200');
    const double = await add('c.csv', '0.02', '--overlap', 'keep', '--spread-bps', '4');
    expect(double.err).toMatch(
      /^out also has 20 quotes of btcusdt@base:0.02 of the same time of other imports: a backtest .* plays both; to keep/,
    );
    expect((await add('c.csv', '0.03')).err).toMatch(
      /^out also has 80 quotes of btcusdt@base:0.02 of other imports: .* nearest .*; to keep them apart/,
    );
    const small = await add('c.csv', '0.001');
    expect(small.out).toContain(
      ' of all 6 imports of btcusdt in out; its limits have room for btcusdt@base:0.02, btcusdt@base:0.03 of out as well; ',
    );
    // 0.03 at 90,019 and a fifth above.
    expect(small.out).toContain('maxOrderValue: { usdt: 3300,');
  });

  test('a width below the distance of rows is warned of by the import, by config check and by the backtest, whose closes are too early', async () => {
    const cwd = folder();
    const rows = Array.from({ length: 8 }, (_, n) => `${1_785_542_400_000 + n * 300_000},2,4,1,${2 + (n % 2)}\n`);
    writeFileSync(path.join(cwd, 'five.csv'), `time,open,high,low,close\n${rows.join('')}`);
    writeFileSync(path.join(cwd, 'kairos.yaml'), 'strategies:\n  - { id: a, use: sma-cross, product: eurusd, amount: { base: 1 } }\n');
    const add = (...more: readonly string[]) =>
      kairos(cwd, 'data', 'import', 'five.csv', '--product', 'eurusd', '--spread-bps', '1', ...more);
    const says = /--bar 60 of five\.csv: closes count 60 s .* no row is nearer than 300 s .*; import again with --bar 300\n/;
    expect(await add('--bar', '60', '--out', 'out')).toMatchObject({ code: 0, err: expect.stringMatching(says) });
    const told = async (data: string): Promise<readonly string[]> =>
      Promise.all([['config', 'check'], ['backtest']].map(async (words) => (await kairos(cwd, ...words, '--data', data)).out));
    for (const out of await told('out')) expect(out).toMatch(says);
    expect(await add('--bar', '300', '--out', 'whole')).toMatchObject({ code: 0, err: '' });
    for (const out of await told('whole')) expect(out).not.toMatch(/--bar/);
  });

  test('all that an import has to be given is asked for in one line', async () => {
    const cwd = folder();
    const times = ['08:00:00', '08:07:13', '08:09:01', '08:34:01'];
    writeFileSync(path.join(cwd, 'vol.csv'), `time,open,high,low,close\n${times.map((at) => `2026-11-02T${at}Z,2,4,1,3\n`).join('')}`);
    const { code, err } = await kairos(cwd, 'data', 'import', 'vol.csv', '--product', 'btcusdt', '--out', 'out');
    expect({ code, lines: err.match(/\n/g)?.length }).toEqual({ code: 2, lines: 1 });
    expect(err).toMatch(
      /^kairos: vol\.csv: .*; add --base and --quote, .*; add --spread-bps, .*; add --bar 1500, the longest .* --stamp end /,
    );
  });

  test('what cannot be done is one line and exit code 2', async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'ticks.csv'), `${TICKS}noon,1,2\nnight,1,2\n`);
    expect(await kairos(cwd, ...IMPORT)).toEqual({
      code: 2,
      out: '',
      err: "kairos: ticks.csv:4: column 'ts': 'noon' is not a time, such as 2024-03-01 14:30:00; bad as well: line 5; --bad drop leaves such rows out\n",
    });
    expect(await kairos(cwd, 'data', 'list', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nowhere is not a folder of recordings/),
    });
    expect(await kairos(cwd, 'backtest', '--data', 'ticks.csv')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /ticks\.csv: it is not a recording of Kairos; convert prices of other sources with `kairos data import \S*ticks\.csv --product CODE`/,
      ),
    });
    expect(await kairos(cwd, 'record', '--product', 'btcusd')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--size N or --value N/),
    });
  });
});
