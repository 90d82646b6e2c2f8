import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { VERSION } from '#assembly/package.ts';
import { configFrom } from '#cli/settings.ts';
import { todayLine } from '#cli/status.ts';
import { publish } from '#daemon/operations/ops-files.ts';
import { glanceOf } from '#daemon/operations/report/glance.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import { laneFor } from '#domain/lane.ts';
import { isoTime, runId } from '#domain/names.ts';
import type { StateView } from '#server/page/view.ts';
import { accepted, begin, begun, folder, openJournal, orderFacts, permits, RUN, row, sent, unknown } from '../adapters/journal/rows.ts';
import { emptyState } from '../support/empty-state.ts';
import { BTC, quote } from '../support/market-data.ts';
import { printed } from '../support/printed.ts';

/** What `kairos status` prints. */
function status(dir: string, ...words: string[]): Promise<string> {
  const set = [`journal.path=${join(dir, 'kairos.db')}`, `recording.dir=${join(dir, 'recordings')}`];
  const config = ['--config', join(dir, 'kairos.yaml'), ...set.flatMap((one) => ['--set', one])];
  return printed(['status', ...words, ...config]);
}

/** Strategies of one product, with what each has bought, and the last quotes of two lanes. */
function held(sizes: Readonly<Record<string, string>>, more: readonly Decision[] = []): string {
  const dir = folder();
  const entries = Object.keys(sizes).map((id) => `  - { id: ${id}, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n`);
  writeFileSync(join(dir, 'kairos.yaml'), `strategies:\n${entries.join('')}`);
  const journal = begun(join(dir, 'kairos.db'));
  for (const [n, [id, size]] of Object.entries(sizes).entries()) {
    const value = String(Number(size) * 60_000);
    const order = orderFacts(n + 1, { strategy: id, price: '60000', size, value, fee: '0.6' });
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  journal.commit(more);
  journal.close();
  const run = join(dir, 'recordings', RUN);
  mkdirSync(run, { recursive: true });
  const lane = laneFor(BTC, { base: decimalOf(1) }).id;
  const lanes = [quote({ buy: 61_100, sell: 61_000, size: 0.01 }), quote({ buy: 61_200, sell: 60_900, size: 1, lane })];
  const lines = lanes.map((one, n) => quoteLine(n + 1, n, one));
  writeFileSync(join(run, 'inbox.ndjson'), `${headerLine(RUN, 'paper')}${lines.join('')}`);
  return dir;
}

test('all positions of a product count at one price, that of the lane that covers the largest, less the fee of the entry', async () => {
  const dir = held({ small: '0.01', large: '0.5' });
  const { strategies } = JSON.parse(await status(dir, '--json'));
  expect(strategies.map(({ strategy, mark, unrealised }: Record<string, unknown>) => [strategy, mark, unrealised])).toEqual([
    ['small', 60_900, 8.4],
    ['large', 60_900, 449.4],
  ]);
});

test('the loss of the day is told in each currency that the limit holds apart, and since when', () => {
  const today = { currency: 'eur', profit: -20, missing: [], laneless: [] };
  const said = 'profit \u221220.00 eur since midnight UTC, at present prices';
  const held = (profit: number, currency: string, isResumed = false) => ({ profit, currency, isResumed });
  expect(todayLine({ ...today, heldForDayLoss: [] })).toBe(said);
  expect(todayLine({ ...today, heldForDayLoss: [held(-12, 'usd'), held(-90, 'sek')] })).toBe(
    `${said}; \u221212.00 usd and \u221290.00 sek, as risk.maxDayLoss counts`,
  );
  expect(todayLine({ ...today, heldForDayLoss: [held(-2, 'eur', true)] })).toBe(
    `${said}; \u22122.00 eur since trading was last armed or resumed, as risk.maxDayLoss counts`,
  );
  const unrated = { ...today, profit: null, missing: ['no lane gives a rate from sek to eur'], heldForDayLoss: [held(-90, 'sek')] };
  expect(todayLine(unrated)).toBe('profit is not known: no lane gives a rate from sek to eur; \u221290.00 sek, as risk.maxDayLoss counts');
});

test('several latches of all are named with what ends all of them, and its orders are said to be of all runs', async () => {
  const by = { who: 'ann', why: 'news' };
  const dir = held({ one: '0.01' }, [row('reducing', by), row('halted', by)]);
  const text = await status(dir);
  expect(text).toMatch(/^trading +HALTED since \S+ by ann \(news\); REDUCING since \S+ by ann \(news\); `kairos resume` ends both/m);
  expect(text).toMatch(/^orders +1 accepted \(in all runs\)$/m);
});

test('each currency has a row of totals, also where one strategy alone trades in it', async () => {
  const inCrowns = orderFacts(9, { strategy: 'b', product: 'ethsek', baseCcy: 'ETH', quoteCcy: 'SEK', feeCcy: 'SEK' });
  const dir = held({ a: '0.01', b: '0.02' }, [...permits(inCrowns), sent(inCrowns), accepted(inCrowns)]);
  const totals = (await status(dir)).split('\n').filter((line) => line.startsWith('total'));
  expect(totals.map((line) => line.replace(/ +/g, ' ').trim())).toEqual(['total 25.80 usd 0.00 usd -', 'total n/a 0.00 sek -']);
});

test('a strategy that never traded has no amounts where its currency is not known', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'kairos.yaml'), 'strategies:\n  - { id: sma, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n');
  begun(join(dir, 'kairos.db')).close();
  expect(await status(dir)).toMatch(/^sma +btcusd +- +0 +- +- +- +- +-$/m);
});

test('a strategy that throws now and then is marked in its row, and its last error told below', async () => {
  const threw = (n: number) => row('threw', { error: `strategies/sma.ts:${n}:1: boom`, stack: '', inARow: 1 }, { strategy: 'sma' });
  const dir = held({ sma: '0.01', other: '0.01' }, [threw(1), threw(2)]);
  const shown = await status(dir);
  expect(shown).toMatch(/^sma +btcusd +-, failed 2 times +0\.01/m);
  expect(shown).toMatch(/^other +btcusd +- +0\.01/m);
  expect(shown).toMatch(/^sma failed 2 times in the last run, last at .*: strategies\/sma\.ts:2:1: boom$/m);
});

test('what a strategy threw in the run before is told while the next one runs, until it throws again', () => {
  const dir = folder();
  writeFileSync(join(dir, 'kairos.yaml'), 'strategies:\n  - { id: sma, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n');
  const { settings } = configFrom({ config: [join(dir, 'kairos.yaml')], set: [`journal.path=${join(dir, 'kairos.db')}`] });
  const journal = begun(join(dir, 'kairos.db'));
  const threw = row('threw', { error: 'strategies/sma.ts:2:1: boom', stack: '', inARow: 3 }, { strategy: 'sma' });
  journal.commit([threw]);
  const thrown = (running: boolean) => glanceOf(settings, undefined, { now: Date.parse(isoTime(threw.at)) + 1, running })[0]?.thrown;
  expect(thrown(true)).toMatchObject({ times: 1, run: 'this' });
  expect(thrown(false)).toMatchObject({ times: 1, run: 'last' });
  journal.end(runId(RUN), 'stopped');
  begin(journal, runId('next'));
  expect(thrown(true)).toMatchObject({ times: 1, run: 'last' });
  expect(thrown(false)).toBeNull();
  journal.close();
});

test('--check fails where no daemon runs, after it has shown the state', async () => {
  const dir = held({ only: '0.01' });
  await expect(status(dir, '--check')).rejects.toThrow(/^no daemon holds .*kairos\.db: kairos run starts one$/);
});

test('an order that a halt drill tried is told apart from those that could not be sent', async () => {
  const dir = held({ one: '0.01' });
  const journal = openJournal(join(dir, 'kairos.db'));
  begin(journal, runId('20261121T040000Z-000002'));
  for (const n of [8, 9]) {
    const tried = orderFacts(n);
    journal.commit(permits(tried));
    journal.commit([row('not_sent', { why: 'halted' }, { order: tried, reason: n === 8 ? 'NOT_CONNECTED' : 'GATE_HALTED' })]);
    if (n === 9)
      journal.commit([
        row(
          'drill',
          { who: 'ann', why: 'x', verdict: 'passed', outcome: '', orderId: tried.id, shutMs: 1, stoppedMs: 2 },
          { reason: 'BY_PERSON' },
        ),
      ]);
  }
  journal.close();
  expect(await status(dir)).toMatch(/^orders {3}1 accepted, 1 not sent; 1 of a drill, not sent \(in all runs\)$/m);
});

test('an order of unknown outcome is told with what it keeps back, by status and by a resumption, though nothing is latched', async () => {
  const order = orderFacts(9, { strategy: 'one' });
  const dir = held({ one: '0.01' }, [
    ...permits(order),
    sent(order),
    unknown(order),
    row('halted', { who: 'kairos', why: 'one is unknown' }),
  ]);
  const text =
    'nothing opens in btcusd, and nowhere while more openings are unknown than risk.maxUnknown: order 9-1 has an unknown outcome';
  expect(await status(dir)).toContain(`unknown  ${text}`);
  const set = [`journal.path=${join(dir, 'kairos.db')}`].flatMap((one) => ['--set', one]);
  const words = ['--config', join(dir, 'kairos.yaml'), ...set];
  expect(await printed(['resume', ...words])).toContain(text);
  expect(await status(dir)).toContain(text);
});

test('what people asked for and is still at work is told with what it waits for, as the daemon says', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'kairos.yaml'), 'strategies:\n  - { id: sma, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n');
  const journal = begun(join(dir, 'kairos.db'));
  const why = 'order 9-1 has an unknown outcome';
  const part = {
    book: 'sma',
    product: 'btcusd',
    wants: 'close',
    held: '1',
    left: '1',
    orders: [],
    reason: 'POSITION_UNSURE',
    why,
  } as const;
  const task = { id: '1', act: 'flatten', who: 'ann', why: 'news', refused: null, ended: false } as const;
  const byHand = [
    {
      ...task,
      parts: [
        { ...part, state: 'working' },
        { ...part, book: 'over', state: 'done' },
      ],
    },
    { ...task, act: 'close', ended: true, parts: [{ ...part, book: 'ended', state: 'open' }] },
  ] as const;
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ ...emptyState(), pid: process.pid, version: VERSION, byHand } satisfies StateView));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  publish(controlFiles(join(dir, 'kairos.db')).ops, { pid: process.pid, url: `http://127.0.0.1:${port}` }, 'token');
  const lines = (await status(dir)).split('\n').filter((line) => line.startsWith('manual '));
  expect(lines).toEqual([`manual   flatten at work: sma btcusd: close; ${why} (POSITION_UNSURE)`]);
  journal.close();
});
