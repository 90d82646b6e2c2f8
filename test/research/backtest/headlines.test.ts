import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { isoTime } from '#domain/names.ts';
import { isCaveat } from '#report/headline.ts';
import { reportJson } from '#report/json.ts';
import { plainTimes } from '#report/page/html.ts';
import { reportPage } from '#report/page/page.ts';
import { capital } from '#report/summary.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { namedStrategies } from '#research/backtest/chosen-strategies.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { parityOf } from '#research/parity/parity.ts';
import { silences } from '#research/parity/silence.ts';
import { resultOf } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, EAGER, OFF, ofKind } from './session-bench.ts';

const MODULES = {
  throws: `import { strategy } from 'kairos/strategy';
export default strategy({
  name: 'throws',
  signals: ({ quotes$ }) => quotes$,
  decide: () => {
    throw new Error('boom');
  },
});
`,
  tenth: `import { map } from 'rxjs';
import { strategy } from 'kairos/strategy';
export default strategy({
  name: 'tenth',
  signals: ({ quotes$ }) => quotes$.pipe(map((_, n) => {
    if (n === 9) throw new Error('my tenth');
    return n;
  })),
  decide: () => undefined,
});
`,
  dies: EAGER.replace("name: 'eager',", "name: 'dies',")
    .replace('=> (position', "=> {\n    asked += 1;\n    if (asked > 60) throw new Error('late');\n    return position")
    .replace("'in')),", "'in');\n  },")
    .replace('export default', 'let asked = 0;\nexport default'),
  imports: `import { strategy } from 'kairos/strategy';
import { map } from 'rxjs';
import { deep } from './deep';
interface Price { readonly mid: number }
export default strategy({
  name: 'imports',
  signals: ({ quotes$ }) => quotes$.pipe(map((quote): Price => ({ mid: deep(quote.buy.price) }))),
  decide: () => undefined,
});
`,
  deep: `enum Side { Up = 1 }
export const deep = (price: number): number => {
  const found: { readonly a: Side } | undefined = price > 0 ? undefined : { a: Side.Up };
  return (found as unknown as { a: number }).a;
};
`,
  nan: `import { buy, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'nan',
  signals: ({ quotes$ }) => quotes$.pipe(map(({ buy: { price } }) => ({ price, mean: price / 0 - price / 0 }))),
  decide: ({ price, mean }, { amount }) => (price > mean ? buy(amount, 'above') : undefined),
});
`,
  nanAmount: `import { buy, strategy } from 'kairos/strategy';
export default strategy({
  name: 'nan amount',
  signals: ({ quotes$ }) => quotes$,
  decide: () => buy({ base: Number.NaN }, 'in'),
});
`,
  nanTarget: `import { strategy } from 'kairos/strategy';
export default strategy({
  name: 'nan target',
  signals: ({ quotes$ }) => quotes$,
  decide: () => ({ kind: 'intent', side: 'buy', size: { kind: 'target', size: Number.NaN }, reason: 'in' }) as never,
});
`,
  silent: `import { strategy } from 'kairos/strategy';
export default strategy({ name: 'silent', signals: ({ quotes$ }) => quotes$, decide: () => undefined });
`,
  midCandles: `import { candles, mid, strategy } from 'kairos/strategy';
export default strategy({ name: 'midCandles', signals: ({ quotes$ }) => quotes$.pipe(mid(), candles('1s')), decide: () => undefined });
`,
  mute: `import { buy, strategy } from 'kairos/strategy';
import { filter } from 'rxjs';
export default strategy({ name: 'mute', signals: ({ quotes$ }) => quotes$.pipe(filter(() => false)), decide: (_, { amount }) => buy(amount, 'in') });
`,
  waits: `import { hold, strategy } from 'kairos/strategy';
export default strategy({ name: 'waits', signals: ({ quotes$ }) => quotes$, decide: () => hold('not yet') });
`,
  legs: `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'legs',
  onLegFailure: 'unwind',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (position.isFlat ? [buy(amount, 'in'), buy(amount, 'more', { limit: 1 })] : undefined),
});
`,
  hoards: `import { buy, strategy } from 'kairos/strategy';
export default strategy({
  name: 'hoards',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isLong ? undefined : buy(amount, 'in')),
});
`,
  more: `import { buy, strategy } from 'kairos/strategy';
export default strategy({ name: 'more', signals: ({ quotes$ }) => quotes$, decide: (_quote, { amount }) => buy(amount, 'in') });
`,
  sides: `import { buy, close, sell, strategy } from 'kairos/strategy';
import { scan } from 'rxjs';
export default strategy({
  name: 'sides',
  signals: ({ quotes$ }) => quotes$.pipe(scan((count) => count + 1, 0)),
  decide: (count, { position, amount }) => (position.isFlat ? (count % 3 === 0 ? buy(amount, 'up') : sell(amount, 'down')) : close(100, 'out')),
});
`,
  slow: EAGER.replace("name: 'eager',", "name: 'slow', warmup: () => ({ quotes: 100000 }),"),
};

/** Texts of the headlines of a backtest of one strategy, the same in its report and page. */
async function told(use: string, rest = OFF, entry: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const session = await bench(`${strategyYaml({ use, ...entry })}${rest}backtest: { latency: 20 }\n`, {}, MODULES).open();
  const run = session.play();
  const lines = backtestHeadlines(session, run);
  const report = reportOfBacktest(session, run, { curve: undefined });
  expect(report.headlines).toEqual(lines);
  expect(reportJson(report)).toMatchObject({ headlines: lines.map(({ text }) => text) });
  const page = reportPage(report).replaceAll('\u00a0', ' ').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
  for (const line of lines.slice(1))
    expect(page).toContain(
      isCaveat(line)
        ? `<li>${line.text}</li>`
        : line.code === 'PLAYED'
          ? `<td>${line.text}</td>`
          : `<p class="${line.level}">${plainTimes(line.text)}</p>`,
    );
  return lines.map(({ level, text }) => `${level}: ${text}`);
}

test('orders that a limit over all strategies refused while another one held a position stand first, with both strategies', async () => {
  const entry = { use: 'hoards', product: 'btcusd', amount: '{ base: 0.01 }' };
  const two = `${strategyYaml({ ...entry, id: 'a' })}${strategyYaml({ ...entry, id: 'b' })
    .split('\n')
    .slice(1)
    .join('\n')}`;
  const linesFor = async (yaml: string, cap: number): Promise<readonly string[]> => {
    const risk = OFF.replace('{ ', `{ maxOrderValue: ${cap}, maxPositionValue: ${cap}, `);
    const session = await bench(`${yaml}${risk}backtest: { latency: 20 }\n`, {}, MODULES).open();
    const lines = backtestHeadlines(session, session.play());
    return lines.flatMap(({ code, text }) => (code === 'SHARED_LIMITS' ? [text] : []));
  };
  expect(await linesFor(two, 900)).toEqual([
    expect.stringMatching(
      /^strategies kept each other from trading: risk\.maxPositionValue counts the position of all strategies in a product together, and refused \d+ orders of b while a held a position \(MAX_POSITION_VALUE\): raise it, or play each alone \(--strategy b\)$/,
    ),
  ]);
  expect(await linesFor(two, 2_000)).toEqual([]);
  expect(await linesFor(strategyYaml({ ...entry, id: 'a' }), 500)).toEqual([]);
});

test('a side on which no opening passes is told with what refused it, though the other side trades', async () => {
  const rest = `account: { allowShort: [btcusd] }\n${OFF}`;
  const about = async (use: string, risk: string, entry: Readonly<Record<string, string>> = {}) =>
    (await told(use, risk, entry)).filter((line) => /that opens in|no buy can pass/.test(line));
  expect(await about('sides', rest, { budget: '{ usd: 100 }' })).toEqual([
    expect.stringMatching(/^warning: .*so that no buy can pass, and only shorts are opened: write budget: /),
  ]);
  expect(await about('sides', rest)).toEqual([]);
  const limited = OFF.replace('{ ', '{ maxOrderValue: 1000, maxPositionValue: 1500, ');
  expect(await about('more', limited)).toEqual([
    expect.stringMatching(/^warning: strategy one: no buy that opens in btcusd passed from 2026-\S+ on: refused \d+ MAX_POSITION_VALUE/),
  ]);
});

test('that values are in another currency than the account is one note of the backtest, its report and each trial', async () => {
  const rest = `account: { currency: sek }\n${OFF}`;
  const note =
    "note: valued in usd: no recorded quote leads from there to sek, the account's currency: name a product that does in account.rates";
  expect((await told('eager', rest)).filter((line) => line.includes('valued in'))).toEqual([note]);
  const session = await bench(`${strategyYaml({ use: 'eager' })}${rest}backtest: { latency: 20 }\n`).open();
  const job = { id: 'a', setup: 's', params: {}, from: session.from, to: null };
  expect(resultOf(job, session, session.play()).headlines.map(({ level, text }) => `${level}: ${text}`)).toContain(note);
});

test('where nothing was filled, the currency of the budgets values a trial, so that its days count as those of any other', async () => {
  const session = await bench(`${strategyYaml({ use: 'silent' })}account: { currency: sek }\n${OFF}`, {}, MODULES).open();
  const job = { id: 'a', setup: 's', params: {}, from: session.from, to: null };
  const { days, figures } = resultOf(job, session, session.play());
  expect([days.length, figures.totalReturn, figures.days]).toEqual([1, 0, expect.any(Number)]);
});

test.each([
  [
    'throws',
    /^failed: FAILED {2}strategy one: strategies\/throws\.ts:6:11: boom \(3 times, first at 2026-01-05T09:.*; disabled at 2026-.*\)$/,
  ],
  ['tenth', /^failed: FAILED .* my tenth \(24 times, first at [^;]*; its signals began anew after each\)$/],
  ['imports', /^failed: FAILED {2}strategy one: strategies\/deep\.ts:4:46: Cannot read .* \(3 times, first at/],
  ['nanAmount', /^failed: FAILED {2}strategy one: strategies\/nanAmount\.ts:5:17: buy: the size is not a number \(NaN\) \(3 times/],
  ['nanTarget', /^failed: FAILED {2}strategy one: strategies\/nanTarget\.ts:5:3: the intent's target is not a number \(NaN\) \(3 times/],
  [
    'nan',
    /^warning: strategy one: strategies\/nan\.ts:5:3: mean of the signal is NaN, and decide returned nothing, 240 times, first at 20/,
  ],
  ['midCandles', /^failed: FAILED {2}strategy one: \S+: candles takes quotes, .* not numbers: put it before mid/],
  ['silent', /^warning: strategy one never traded: it decided nothing: decide was called 240 times and asked for no order$/],
  ['mute', /^warning: strategy one never traded: it decided nothing: decide was never called, because its signals emitted nothing$/],
  ['waits', /^warning: strategy one never traded: it decided nothing: it held \d+ times, at last "not yet"$/],
  ['slow', /^warning: strategy one never traded: it was still warming up \(warms up on 100000 quotes\)$/],
])('a backtest of a strategy that %s says so before any figure, in text, JSON and HTML alike', async (use, line) => {
  const [first, second] = await told(use);
  expect(first).toBe('note: BACKTEST  nothing was executed');
  expect(second).toMatch(line);
});

const withTwo = (product: string, rest = ''): string =>
  `${strategyYaml({ use: 'eager' })}  - { id: two, use: eager, product: ${product}, amount: { base: 0.1 }${rest} }\n${OFF}backtest: { latency: 20 }\n`;

test.each([
  ['is not listed', 'nosuch', []],
  ['is listed', 'ethusd', []],
  ['has quotes of another time', 'ethusd', ['ethusd 0.1']],
])('a strategy whose product %s is left out, which one note says with what to do; the others are played', async (_, product, later) => {
  const b = bench(withTwo(product));
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: later, seconds: 20, from: RECORDED_FROM + 600_000 });
  const session = await b.open({ to: RECORDED_FROM + 60_000 });
  const run = session.play();
  const lines = backtestHeadlines(session, run);
  const last = isoTime(session.data.columns.find((one) => one.product === 'btcusd')?.at.at(-1) ?? 0);
  const there = `btcusd from ${isoTime(RECORDED_FROM)} to ${last}${later.length === 0 ? '' : ', ethusd from 2026-01-05T09:10:00.000Z to '}`;
  expect(ofKind(run, 'accepted').length).toBeGreaterThan(0);
  expect(lines.filter(({ strategy }) => strategy === 'two').map(({ code, level }) => [code, level])).toEqual([
    ['STRATEGY_LEFT_OUT', 'note'],
  ]);
  const left = lines.find(({ code }) => code === 'STRATEGY_LEFT_OUT');
  const codes = lines.map(({ code }) => code);
  expect(codes.indexOf('STRATEGY_LEFT_OUT')).toBe(codes.indexOf('PLAYED') - 1);
  const lacks = `${b.dir} holds no quotes of ${product} before ${isoTime(RECORDED_FROM + 60_000)}; it holds ${there}`;
  expect(left?.text).toContain(`played without two (kairos.yaml:6): ${lacks}`);
  expect(left?.text).toMatch(/; enabled: false there, or kairos backtest --strategy one, plays without it and without this line$/);
  expect(left && isCaveat(left), 'above the figures').toBe(false);
  const report = reportOfBacktest(session, run, { curve: undefined });
  expect([report.title, report.groups.byStrategy.map(({ group }) => group)]).toEqual(['one on btcusd', ['one']]);
});

test('a strategy without quotes that was asked for, or beside which none has any, ends a backtest', async () => {
  const b = bench(withTwo('ethusd'));
  await expect(b.open({ asked: ['two'] })).rejects.toThrow(
    /^strategy two was asked for, and \S+ holds no quotes of ethusd; it holds btcusd/,
  );
  await expect(b.open({ config: namedStrategies(b.config, ['two']), asked: ['two'] })).rejects.toThrow(/^\S+ holds no quotes of ethusd;/);
  const disabled = bench(withTwo('ethusd').replace('use: eager\n', 'use: eager\n    enabled: false\n'));
  await expect(disabled.open(), 'one that is disabled counts for none').rejects.toThrow(/holds no quotes of ethusd; .*: check --data$/);
});

test('strategies are chosen by --strategy or enabled: false, and nothing is said of the others', async () => {
  const b = bench(withTwo('ethusd'));
  const chosen = await b.open({ config: namedStrategies(b.config, ['one']), asked: ['one'] });
  const off = await bench(withTwo('ethusd', ', enabled: false')).open();
  for (const session of [chosen, off]) {
    const lines = backtestHeadlines(session, session.play());
    expect(lines.filter(({ code, strategy }) => code === 'STRATEGY_LEFT_OUT' || strategy === 'two')).toEqual([]);
  }
  expect(() => namedStrategies(b.config, ['on'])).toThrow('--strategy on: there is no strategy on; the nearest is one');
  expect(() => namedStrategies(off.config, ['two'])).toThrow(/^--strategy two: \S+:6 has enabled: false; take that out/);
});

test('an input without quotes is a warning: its strategy is played, and may wait for it in vain', async () => {
  const module = `import { lane, strategy } from 'kairos/strategy';
export default strategy({ name: 'pair', inputs: { other: lane() }, signals: ({ quotes$ }) => quotes$, decide: () => undefined });
`;
  const yaml = `${strategyYaml({ use: 'pair' })}    inputs: { other: { product: ethusd, amount: { base: 0.1 } } }\n${OFF}`;
  const session = await bench(yaml, {}, { pair: module }).open();
  expect(session.headlines.find(({ code }) => code === 'NOT_RECORDED')).toMatchObject({
    level: 'warning',
    strategy: 'one',
    text: expect.stringMatching(/^strategy one saw nothing of its input other: \S+ holds no quotes of ethusd/),
  });
});

test.each([
  ['died', 'dies', OFF, /^Strategy one failed and was disabled at 2026-01-05T09:\S+; lost .* in 30 trades over/],
  ['reduced', 'eager', OFF.replace(' }\n', ', maxDayLoss: { usd: 1 } }\n'), /^Only exits passed from 2026-01-05T09:\S+ on; too few trades/],
  ['halted', 'eager', `${OFF}schedule: [{ name: stop, cron: '1 9 * * *', action: bot.halt }]\n`, /^Trading was halted at 2026-\S+; lost /],
  ['whole', 'eager', OFF, /^Lost /],
])('the first sentence of a result that was %s says so before what was made, in text, JSON and HTML', async (what, use, rest, sentence) => {
  const session = await bench(`${strategyYaml({ use })}${rest}backtest: { latency: 20, onHalt: continue }\n`, {}, MODULES).open();
  const report = reportOfBacktest(session, session.play(), { curve: undefined });
  expect(report.summary).toMatch(sentence);
  expect(reportJson(report)).toMatchObject({ summary: report.summary });
  const summary = capital(report.summary.replace(/too few trades to judge: /i, '').replace(`; ${report.verdict.text}`, ''));
  const page = reportPage(report)
    .replaceAll('\u00a0', ' ')
    .replaceAll('&lt;', '<')
    .replace(/<b class="(?:up|down)">([^<]*)<\/b>/, '$1');
  expect(page).toContain(`<p class="summary${/died|halted/.test(what) ? ' bad' : ''}">${plainTimes(summary)}</p>`);
  expect(page.match(/too few trades to judge/gi) ?? []).toHaveLength(report.summary === summary ? 0 : 1);
});

test('refusals, and a state in which only exits pass, are told with cause and date', async () => {
  const refused = await told('eager', 'risk: { maxOrderValue: { usd: 1 } }\n');
  expect(refused[1]).toMatch(
    /^warning: strategy one never traded: refused \d+ MAX_ORDER_VALUE \(the order is worth more than risk\.maxOrderValue: at first worth \d+ usd, over 1 usd; raise the limit, or play with --limits off\)$/,
  );
  const small = { budget: '{ usd: 2 }' };
  const both = await told('eager', 'risk: { maxOrderValue: { usd: 1 } }\n', small);
  expect(both.slice(1, 3)).toEqual([
    expect.stringMatching(/never traded: refused \d+ MAX_ORDER_VALUE \(/),
    expect.stringMatching(
      /amount: an order of btcusd is worth at least \d+ usd, over risk\.maxOrderValue 1 usd, its budget 2 usd, .* write budget: \{ usd: 750 \} in its entry, and risk: \{ maxOrderValue: \{ usd: 750 \} \}$/,
    ),
  ]);
  const broke = await told('eager', OFF, small);
  expect(broke[1]).toMatch(
    /refused \d+ BUDGET \(.*: at first costs [\d.]+ usd, 2 usd left of the budget; a larger budget in its entry, or a smaller amount, or play with --limits off\)$/,
  );
  const reduced = await told('eager', OFF.replace('maxLossStreak: off', 'maxLossStreak: off, maxDayLoss: { usd: 1 }'));
  expect(reduced[1]).toMatch(/^stopped: REDUCING, only exits pass, at 2026-01-05T09:.* to the end: .* \(\w+\)$/);
});

test.each([
  ['unwind', 'undone (unwind)'],
  ['keep', 'left as they were (keep)'],
])('plans whose later leg came to nothing are told with how many, why, and what became of the legs before: %s', async (policy, then) => {
  const source = MODULES.legs.replace("'unwind'", `'${policy}'`);
  const session = await bench(`${strategyYaml({ use: 'legs' })}${OFF}backtest: { latency: 20 }\n`, {}, { ...MODULES, legs: source }).open();
  const run = session.play();
  const count = ofKind(run, 'leg_failed').length;
  const times = count === 1 ? 'once, by' : `${count} times, each by`;
  expect(backtestHeadlines(session, run)).toContainEqual({
    ...{ code: 'LEGS_FAILED', level: 'warning', at: ofKind(run, 'leg_failed')[0]?.at, strategy: 'one' },
    text: `strategy one: a later leg came to nothing ${times} LIMIT_PRICE: the price is worse than the intent's limit; the legs before it were ${then}`,
  });
  const { refusals } = outcomeOf(run);
  expect(refusals).toContainEqual({ reason: 'LEG_FAILED', count, strategies: ['one'] });
  expect(count > 1).toBe(policy === 'unwind');
});

test('a backtest that traded says in every place how many fills were exact, and how many came too close together', async () => {
  const [first, played, second] = await told('eager');
  expect(played).toMatch(/^note: btcusd: plays btcusd@base:0\.01, recorded in run-1: 240 quotes from \S+ to \S+$/);
  expect(first).toMatch(/^note: BACKTEST {2}100\.0 % exact fills \((\d+) of \1\)$/);
  expect(second).toMatch(
    /^note: no market impact is assumed: [1-9]\d* of \d+ fills came within one validity of an earlier fill in the product$/,
  );
});

test('of the journal of a backtest, a silence asks for a time that was played, and parity says what plays it again', async () => {
  const b = bench(`${strategyYaml({ use: 'silent' })}${OFF}`, {}, MODULES);
  const session = await b.open({ to: RECORDED_FROM + 60_000 });
  const file = path.join(b.cwd, 'kept.db');
  keepBacktest(session, session.play(), file);
  const settings = { ...session.config.settings, journal: { ...session.config.settings.journal, path: file } };
  const asked = { settings, strategy: undefined, folders: { cwd: b.cwd, packaged: b.cwd } };
  const span = /^backtest-\w+ played 2026-01-05T09:\S+ to 2026-01-05T09:\S+: name a time in it by --at/;
  await expect(silences({ ...asked, at: undefined })).rejects.toThrow(span);
  await expect(silences({ ...asked, at: RECORDED_FROM - 1 })).rejects.toThrow(span);
  expect(await silences({ ...asked, at: RECORDED_FROM + 30_000 })).toMatchObject([
    { strategy: 'one', played: { isEnd: false }, seen: expect.stringContaining('a backtest keeps its decisions') },
  ]);
  await expect(parityOf({ ...asked, run: 'last' })).rejects.toThrow(/is a backtest: .*`kairos backtest` .* plays it again$/);
});

test('a backtest that was kept is reported later as it was then, charts included; data that is gone or changed is told', async () => {
  const b = bench(`${strategyYaml({ use: 'eager' })}${OFF}backtest: { latency: 20 }\n`);
  const session = await b.open({ to: RECORDED_FROM + 60_000 });
  const run = session.play();
  const file = path.join(b.cwd, 'kept.db');
  keepBacktest(session, run, file);
  const settings = { journal: { path: file }, recording: { dir: path.join(b.cwd, 'elsewhere') } };
  const report = reportOfRun({ settings, run: 'last' });
  expect(reportPage(report)).toBe(reportPage(reportOfBacktest(session, run, { curve: undefined })));
  expect(report.orders.filter(({ fill }) => fill !== null)).toHaveLength(ofKind(run, 'accepted').length);
  const { orders } = JSON.parse(JSON.stringify(reportJson(report)));
  expect(orders[0]).toMatchObject({ strategy: 'one', outcome: 'accepted', fill: { side: 'buy', price: report.orders[0]?.fill?.price } });
  const recorded = (name: string, from: number) =>
    syntheticRecording({ dir: b.dir, run: name, lanes: ['btcusd 0.01', 'ethusd 2'], seconds: 20, from });
  recorded('run-2', RECORDED_FROM + 200_000);
  expect(reportPage(reportOfRun({ settings, run: 'last' })), 'what is recorded since').toBe(reportPage(report));
  recorded('run-0', RECORDED_FROM - 200_000);
  expect(reportOfRun({ settings, run: 'last' }).headlines.map(({ text }) => text)).toContain(
    `${b.dir} holds other quotes than the backtest played, or an earlier Kairos kept it: figures and charts that need quotes are missing`,
  );
  rmSync(b.dir, { recursive: true });
  const [line] = reportOfRun({ settings, run: 'last' }).headlines.filter(({ code }) => code === 'DATA_CHANGED');
  expect(line).toMatchObject({ level: 'warning', text: expect.stringMatching(/^the quotes that the backtest played cannot be read \(/) });
});
