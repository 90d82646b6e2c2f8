import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { productText } from '#assembly/assemble.ts';
import { todayLine } from '#cli/status.ts';
import { screenLines } from '#cli/top-screen.ts';
import { buy, lane, mid, sell, strategy } from '#core/strategy/index.ts';
import { stateView } from '#daemon/page/state-view.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { signalSource } from '#domain/outside-signal.ts';
import { entryOf, unrealisedAt } from '#domain/position.ts';
import { reportBooks } from '#report/books.ts';
import { RunMetrics } from '#server/metrics/run-metrics.ts';
import type { StateView } from '#server/page/view.ts';
import { equityText, heldOf, heldText } from '../../../web/words/held.ts';
import { money } from '../../../web/words/numbers.ts';
import { NO_LIMITS, usd } from '../../support/limits.ts';
import { btcLane, btcProduct, quote } from '../../support/market-data.ts';
import type { Rig, RigOptions } from '../../support/rig.ts';
import { rigsOfTests } from '../../support/rigs.ts';
import { stateFacts } from '../../support/state-facts.ts';
import { eager } from '../../support/strategies.ts';

/** What metrics are told of a process beside its state. */
const IDLE = {
  journalBusy: false,
  lagP99Ms: 0,
  pageClients: 0,
  resources: [],
  listeners: 0,
  stored: { freeBytes: new Map(), journalBytes: 0, backupAt: null },
  channels: new Map(),
  watchedAt: null,
};

const newRig = rigsOfTests({ strategies: { h: eager }, opening: new Map([['usd', decimalOf(50_000)]]) });
let r: Rig;
const rig = (options: Partial<RigOptions> = {}): void => {
  r = newRig(options);
};

function seen(): StateView {
  return r.engine.inspect((parts) => stateView(stateFacts(new Map([['h', 'eager']])), parts, r.clock.now()));
}

test('a position shows what it holds, won and may still spend; money adds it up', () => {
  rig({ limits: { maxDrawdownPct: 50 } });
  r.price();
  expect(seen().orders).toMatchObject([{ strategy: 'h', side: 'buy', state: 'intent', size: '0.01', price: '60000' }]);
  expect(seen().strategies[0]).toMatchObject({ position: '0', low: '0', high: '0.01' });
  r.answer(r.last);
  r.price(61_010, { sell: 61_000 });
  const { strategies, money, orders } = seen();
  expect(orders).toEqual([]);
  expect(strategies[0]).toMatchObject({ use: 'eager', position: '0.01', low: '0.01', high: '0.01', entry: '60000', quoteCcy: 'usd' });
  // Ten were won, and the entry cost 0.1 % of 600.
  expect(strategies[0]?.unrealised).toBeCloseTo(9.4);
  expect(Number(strategies[0]?.budgetLeft)).toBeLessThan(9_400);
  expect(money.profit).toBeCloseTo(strategies[0]?.profit ?? 0);
  expect(money.profitOfDay).toBeCloseTo(money.profit ?? 0);
  r.price(59_010, { sell: 59_000 });
  const after = seen();
  expect(after.money.drawdown).toBeCloseTo(20);
  expect(after.limits.find(({ name }) => name === 'risk.maxDrawdownPct')?.used).toBeCloseTo(after.money.drawdownPct ?? 0);
});

test('the page and the commands have equity, the day and a position to the digit', () => {
  rig();
  r.price();
  r.answer(r.last);
  r.price(58_764.5, { sell: 58_760.3 });
  const state = seen();
  const { money: all, strategies } = state;
  const screen = screenLines({ journal: '', state, decisions: [], width: 200, height: 60, now: r.clock.now() });
  const told = [...screen.map(stripVTControlCharacters), todayLine(all)].join('\n').replaceAll(/-(?=\d)/g, '\u2212');
  expect(equityText(state)).toMatch(/^[\d,]+\.\d\d$/);
  expect(told).toContain(`budgets and profit ${equityText(state)} usd   today ${money(all.profitOfDay, 'usd')} usd`);
  expect(told).toContain(`profit ${money(all.profitOfDay, 'usd')} usd since midnight UTC`);
  expect(money(all.profitOfDay, 'usd')).toMatch(/^\u221213\.\d\d$/);
  for (const { id, position, low, high, unrealised } of strategies) {
    expect(told).toMatch(new RegExp(`^${id} .* ${heldText({ position, low, high }, true)} +${money(unrealised, 'usd')} usd`, 'm'));
  }
});

test('after a partial exit `top`, the chart and the fleet have the entry price and the unrealised profit of `positions` and `status`', () => {
  const seenAverage: (number | undefined)[] = [];
  const ladder = strategy({
    name: 'ladder',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (price, { position: { size, average }, amount }) => {
      seenAverage.push(average);
      return price === 60_500 ? (size > 0.01 ? sell(amount, 'a part') : undefined) : buy(amount, 'in');
    },
  });
  rig({ strategies: { h: ladder } });
  for (const at of [60_000, 61_000, 60_500]) {
    r.price(at);
    r.answer(r.last);
  }
  r.price(60_500);
  const state = seen();
  r.journal.flush();
  const reader = JournalReader.open(r.path);
  const [held] = reportBooks(reader.fills(), new Map(), []).holdings;
  reader.close();
  const [of] = state.strategies;
  const shown = [of?.position, of?.entry, of?.unrealised?.toFixed(6)];
  expect(shown).toEqual(['0.01', `${entryOf(held?.lots ?? [])}`, unrealisedAt(held?.lots ?? [], decimalOf(60_500)).toFixed(6)]);
  // 0.01 of the second entry is left: 5 down, and its fee.
  expect(shown).toEqual(['0.01', '61000', '-5.610000']);
  expect(heldOf(state.strategies, 'btcusd')).toMatchObject([{ price: 61_000, unrealised: of?.unrealised }]);
  const screen = screenLines({ journal: '', state, decisions: [], width: 200, height: 60, now: r.clock.now() }).map(
    stripVTControlCharacters,
  );
  expect(screen.find((line) => line.startsWith('h '))).toMatch(/ 0\.01 +\u22125\.61 usd /);
  expect(seenAverage.at(-1), 'what exits and strategies go by does not move').toBe(60_500);
});

test('without a rate to the currency of the account the drawdown and the loss of the day are those that the limits hold', async () => {
  rig({ limits: { maxDrawdownPct: 50, maxDayLoss: usd(5000) }, accountCurrency: 'chf' });
  const inFrancs = () => r.engine.inspect((parts) => stateView({ ...stateFacts(), currency: 'chf' }, parts, r.clock.now()));
  r.price();
  r.answer(r.last);
  r.price(59_010, { sell: 59_000 });
  const { money, limits } = inFrancs();
  expect(money).toMatchObject({ currency: 'chf', profitOfDay: null, drawdownCurrency: 'usd', unrated: ['usd'] });
  expect(money.drawdown).toBeGreaterThan(10);
  expect(money.heldForDayLoss).toEqual([{ currency: 'usd', profit: expect.closeTo(-(money.drawdown ?? 0)), isResumed: false }]);
  expect(limits.find(({ name }) => name === 'risk.maxDrawdownPct')?.used).toBeCloseTo((money.drawdown ?? 0) / 100);
  const { text } = await new RunMetrics().text({ ...inFrancs(), ...IDLE });
  expect(Number(/^kairos_drawdown_ratio (\S+)$/m.exec(text)?.[1])).toBeCloseTo((money.drawdown ?? 0) / 10_000);
});

test('all books of a strategy count: its legs are told, its profit and budget are of all in one currency, each currency has its own', async () => {
  const [eth, sek] = [productCode('ethusd'), productCode('ethsek')];
  const [ethLane, sekLane] = [laneFor(eth, { base: decimalOf('0.2') }), laneFor(sek, { base: decimalOf('0.1') })];
  const inputs = {
    hedge: { kind: 'lane', product: eth, source: ethLane.id },
    other: { kind: 'lane', product: sek, source: sekLane.id },
  } as const;
  const legs = strategy({
    name: 'legs',
    inputs: { hedge: lane(), other: lane() },
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (_, { position, amount, lanes: { hedge, other } }) => {
      if (hedge?.position.isFlat) return sell(hedge.amount, 'the hedge', { on: 'hedge' });
      if (other?.position.isFlat) return buy(other.amount, 'another currency', { on: 'other' });
      return position.isFlat ? buy(amount, 'the product itself') : undefined;
    },
  });
  rig({ strategies: { h: legs }, inputs, lanes: [btcLane, ethLane, sekLane], canShort: true, limits: NO_LIMITS });
  r.give({ kind: 'products', products: [btcProduct, ...[eth, sek].map((code) => ({ ...btcProduct, code }))].map(productText) });
  const until = () => ({ validUntil: r.clock.now() + 3000 });
  const quoteEth = (buyAt: number, sellAt = buyAt) =>
    r.quote({ ...quote({ product: eth, buy: buyAt, sell: sellAt, lane: ethLane.id, size: 0.2, ...until() }), baseCcy: currency('eth') });
  const inCrowns = { baseCcy: currency('eth'), quoteCcy: currency('sek') };
  const quoteSek = (at: number) => r.quote({ ...quote({ product: sek, buy: at, lane: sekLane.id, size: 0.1, ...until() }), ...inCrowns });
  for (let n = 0; n < 3; n += 1) {
    quoteEth(2_500);
    quoteSek(25_000);
    r.price();
    r.answer(r.last);
  }
  quoteEth(2_610, 2_600);
  quoteSek(25_500);
  r.price(61_000);
  const state = seen();
  const [only] = state.strategies;
  expect(only).toMatchObject({ product: 'btcusd', position: '0.01', quoteCcy: 'usd', mark: 61_000 });
  expect(only?.legs).toMatchObject([
    { product: 'ethsek', position: '0.1', entry: '25000', mark: 25_500, quoteCcy: 'sek' },
    { product: 'ethusd', position: '-0.2', entry: '2500', mark: 2_610, quoteCcy: 'usd' },
  ]);
  // Bitcoin: 10 - 0.6; the hedge: -22 - 0.5; the other currency: 50 - 2.5.
  expect(only?.unrealised).toBeCloseTo(9.4);
  expect(only?.legs.map(({ unrealised }) => unrealised)).toEqual([expect.closeTo(47.5), expect.closeTo(-22.5)]);
  expect(only?.made).toEqual([
    { currency: 'usd', profit: expect.closeTo(-13.1) },
    { currency: 'sek', profit: expect.closeTo(47.5) },
  ]);
  expect(only?.profit).toBeCloseTo(-13.1);
  // 600.6 went out for bitcoin, 499.5 came in for the hedge.
  expect(Number(only?.budgetLeft)).toBeCloseTo(10_000 - 600.6 + 499.5);
  expect(state.otherBooks).toEqual([]);
  const { text } = await new RunMetrics().text({ ...state, ...IDLE });
  const figure = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(figure('kairos_strategy_profit{strategy="h",currency="usd"}')).toBeCloseTo(-13.1);
  expect(figure('kairos_strategy_profit{strategy="h",currency="sek"}')).toBeCloseTo(47.5);
  expect(figure('kairos_position{strategy="h",product="btcusd"}')).toBe(0.01);
  expect(figure('kairos_position{strategy="h",product="ethusd"}')).toBe(-0.2);
  expect(figure('kairos_position{strategy="h",product="ethsek"}')).toBe(0.1);
});

test('a position that a person bought has its entry, and what it has won', () => {
  const idle = strategy({ name: 'idle', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => undefined });
  rig({ strategies: { h: idle } });
  r.price();
  r.give({
    kind: 'command',
    command: { act: 'order', product: 'btcusd', side: 'buy', amount: { base: '0.01' }, who: 'ann', why: 'by hand' },
  });
  r.answer(r.last);
  r.price(61_000);
  // 10 less the fee of the entry.
  const made = { entry: '60000', mark: 61_000, quoteCcy: 'usd', unrealised: expect.closeTo(9.4), profit: expect.closeTo(9.4) };
  expect(seen().otherBooks).toMatchObject([{ id: 'manual', product: 'btcusd', position: '0.01', ...made }]);
});

test('what profit and equity leave out is said by currency, for want of a rate, and by product, for want of a price', async () => {
  rig({ accountCurrency: 'chf' });
  r.price();
  r.answer(r.last);
  r.price(61_000);
  const metrics = async (of: string) => {
    const state = r.engine.inspect((parts) => stateView({ ...stateFacts(), currency: of }, parts, r.clock.now()));
    return (await new RunMetrics().text({ ...state, ...IDLE })).text;
  };
  expect(r.engine.inspect((parts) => stateView({ ...stateFacts(), currency: 'chf' }, parts, r.clock.now())).money.made).toEqual([
    { currency: 'usd', profit: expect.closeTo(9.4), profitOfDay: expect.closeTo(9.4), rate: null },
  ]);
  const inFrancs = await metrics('chf');
  expect(inFrancs).not.toMatch(/^kairos_profit\{/m);
  expect(Number(/^kairos_profit_left_out\{currency="usd"\} (\S+)$/m.exec(inFrancs)?.[1])).toBeCloseTo(9.4);
  expect(await metrics('usd')).not.toMatch(/^kairos_(profit_left_out|product_unpriced)\{/m);
  r.crash();
  rig({ folder: r.folder, startAt: r.clock.now() + 1_000 });
  expect(await metrics('usd')).toMatch(/^kairos_product_unpriced\{product="btcusd"\} 1$/m);
});

test('of orders in a minute that a limit refuses it is told that it passes by itself', () => {
  const again = strategy({ name: 'again', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => buy({ base: '0.01' }, 'again') });
  rig({ strategies: { h: again }, limits: { maxOrdersPerMinuteOfStrategy: 1 } });
  r.price();
  r.answer(r.last);
  for (let n = 0; n < 3; n += 1) r.price();
  const state = { name: 'REFUSED', reason: 'MAX_ORDERS_PER_MINUTE_OF_STRATEGY' };
  expect(seen().strategies[0]?.state).toMatchObject({
    ...state,
    mend: 'it passes within a minute, or raise risk.maxOrdersPerMinuteOfStrategy',
  });
});

test('looking changes nothing: a run that was looked at all the while decides and measures as one that was not', () => {
  const story = (look: boolean): string => {
    rig();
    for (const at of [60_000, 60_500, 61_000, 58_000, 62_000]) {
      r.price(at, { sell: at - 10 });
      if (look) seen();
      if (r.broker.submitted.length === 1 && at === 60_000) r.answer(r.last);
      if (look) seen();
    }
    r.moveBy(70_000);
    r.price();
    const rows = JSON.stringify(
      r.allRows().map(({ kind, reason, detail }) => ({ kind, reason, detail })),
      null,
      1,
    );
    r.close();
    r.remove();
    // Ids of quotes are counted over the whole test file.
    return rows.replace(/0{8}-0000-4000-8000-\d{12}/g, 'quote');
  };
  expect(story(true)).toEqual(story(false));
  rig();
});

test('F10 an order of unknown outcome stays among the open ones, with what a person needs to settle it', () => {
  rig();
  r.price();
  const order = r.last;
  r.answer(order, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  const { orders, unknowns, limits } = seen();
  expect(unknowns).toBe(1);
  expect(orders).toMatchObject([
    { order: order.id, state: 'unknown', quoteId: order.quoteId, quoteCcy: 'usd', fee: expect.any(String), feeCcy: 'usd' },
  ]);
  expect(limits.find(({ name }) => name === 'risk.maxUnknown')).toMatchObject({ used: 1, limit: 1, share: 1 });
});

test('a leg that waits is told with how far it has come and when it lapses, after a restart too; an intent for one quote is not', () => {
  const legs = strategy({
    name: 'legs',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (_price, { position, inFlight, amount }) =>
      position.isFlat && inFlight.length === 0
        ? [buy(amount, 'first'), buy(amount, 'cheaper', { limit: 59_000, within: '60s' })]
        : undefined,
  });
  rig({ strategies: { h: legs } });
  r.price();
  expect(seen().strategies[0]?.waiting).toMatchObject([
    { leg: 1, of: 2, wants: 'buy 0.01 base', why: 'first', order: r.last.id, last: 'sent' },
  ]);
  r.answer(r.last);
  const until = isoTime(r.clock.now() + 60_000);
  const second = { leg: 2, of: 2, product: 'btcusd', wants: 'buy 0.01 base', why: 'cheaper', limit: 59_000, until, order: null };
  r.price();
  r.price();
  expect(seen().strategies[0]?.waiting).toEqual([
    { ...second, attempts: 2, last: 'LIMIT_PRICE', lastWords: expect.stringContaining('limit') },
  ]);
  r.crash();
  rig({ strategies: { h: legs }, folder: r.folder, startAt: r.clock.now() + 1_000 });
  expect(seen().strategies[0]?.waiting).toMatchObject([second]);
  r.price(59_000);
  r.answer(r.last);
  expect(seen().strategies[0]).toMatchObject({ position: '0.02', waiting: [] });
});

test('a lane tells its age, what its quote has left, and in words why it cannot be used', () => {
  rig();
  r.price(60_000, { sell: 59_990 });
  r.moveBy(1_000);
  expect(seen().lanes[0]).toMatchObject({ phase: 'acked', ageMs: 1_000, validityMs: 3_000, timeLeftMs: 2_000, buy: 60_000, sell: 59_990 });
  r.moveBy(5_000);
  expect(seen().lanes[0]).toMatchObject({ untradable: 'LANE_STALE', untradableWords: expect.stringContaining('quotes stopped') });
});

test('metrics count what was journaled: outcomes, each refusal of a streak, time left and round trip', async () => {
  const metrics = new RunMetrics();
  rig({
    limits: { maxSpreadPct: 0.001 },
    wrapJournal: (journal) => ({
      commit: (rows) => {
        journal.commit(rows);
        metrics.journaled(rows, 2);
      },
      defer: (rows) => {
        journal.defer(rows);
        metrics.journaled(rows);
      },
      write: () => journal.write(),
      flush: () => journal.flush(),
      end: (run, state) => journal.end(run, state),
    }),
  });
  for (let n = 0; n < 5; n += 1) r.price(60_000, { sell: 59_000 });
  r.price();
  r.answer(r.last, { roundTripMs: 30 });
  const { text } = await metrics.text({
    ...seen(),
    journalBusy: false,
    lagP99Ms: 3,
    pageClients: 2,
    resources: ['Timeout', 'Timeout', 'PipeWrap'],
    listeners: 7,
    stored: {
      freeBytes: new Map([
        ['/srv', 5e9],
        ['/gone', null],
      ]),
      journalBytes: 4096,
      backupAt: 1_500_000,
    },
    channels: new Map([['ntfy', false]]),
    watchedAt: 2_000,
  });
  expect(text).toMatch(/^kairos_refusals_total\{reason="MAX_SPREAD"\} 5$/m);
  expect(text).toMatch(/^kairos_orders_total\{strategy="h",outcome="accepted"\} 1$/m);
  expect(text).toMatch(/^kairos_order_round_trip_seconds_bucket\{le="0.02"\} 0\n.*le="0.05"\} 1$/m);
  expect(text).toMatch(/^kairos_order_time_left_seconds_sum 2$/m);
  expect(text).toMatch(/^kairos_journal_commit_seconds_bucket\{le="0.001"\} 0\n.*le="0.002"\} [1-9]/m);
  expect(text).toMatch(/^kairos_page_clients 2$/m);
  expect(text).toMatch(/^kairos_event_loop_lag_seconds 0.003$/m);
  expect(text).toMatch(/^kairos_active_resources\{kind="Timeout"\} 2$/m);
  expect(text).toMatch(/^kairos_process_listeners 7$/m);
  expect(text.match(/^kairos_disk_free_bytes.*/gm)).toEqual(['kairos_disk_free_bytes{folder="/srv"} 5000000000']);
  expect(text).toMatch(/^kairos_backup_timestamp_seconds 1500$/m);
  expect(text).toMatch(/^kairos_watcher_timestamp_seconds 2$/m);
  expect(text).toMatch(/^kairos_alert_channel_failing\{channel="ntfy"\} 1$/m);
});

test('a line of the schedule that was skipped as it says is no missed one', async () => {
  rig();
  const metrics = new RunMetrics();
  const about = { at: 1, inboxSeq: 1, strategy: null, product: null, reason: null, quoteId: null, orderId: null };
  const done = {
    actionId: '1-1',
    name: 'copy',
    action: 'bot.backup',
    arguments: {},
    dueAt: '',
    askedAt: '',
    httpStatus: null,
    response: '',
  };
  const skipped = (missed: 'skip' | 'alert') => ({ ...about, kind: 'action', detail: { ...done, status: 'skipped', missed } }) as const;
  metrics.journaled([skipped('skip'), skipped('alert'), skipped('skip')]);
  const { text } = await metrics.text({ ...seen(), ...IDLE });
  expect(text).toMatch(/^kairos_actions_total\{action="bot.backup",status="skipped"\} 1$/m);
});

test('metrics count what each strategy does since the run began, however often they are read', async () => {
  rig();
  r.price();
  r.answer(r.last);
  r.price();
  const metrics = new RunMetrics();
  await metrics.text({ ...seen(), ...IDLE });
  const { text } = await metrics.text({ ...seen(), ...IDLE });
  expect(text).toMatch(/^kairos_strategy_asked_total\{strategy="h"\} 2$/m);
});

test('a strategy that the settings leave out is stopped on purpose: no metric calls it disabled', async () => {
  rig();
  const state = seen();
  const served = async (parts: object) => {
    const strategies = state.strategies.map((one) => ({ ...one, ...parts }));
    return (await new RunMetrics().text({ ...state, strategies, ...IDLE })).text;
  };
  expect(await served({ disabled: true, enabled: false })).toMatch(/^kairos_strategy_stopped\{strategy="h",how="disabled"\} 0$/m);
  expect(await served({ disabled: true })).toMatch(/^kairos_strategy_stopped\{strategy="h",how="disabled"\} 1$/m);
});

test('what is not known has no sample: without a watcher and backups there is nothing that an alert could call old', async () => {
  rig();
  const metrics = new RunMetrics();
  const { text } = await metrics.text({ ...seen(), ...IDLE, watchedAt: 2_000 });
  expect(text).toMatch(/^kairos_watcher_timestamp_seconds 2$/m);
  expect(text).not.toMatch(/^kairos_backup_timestamp_seconds /m);
  expect((await metrics.text({ ...seen(), ...IDLE })).text).not.toMatch(/^kairos_(watcher|backup)_timestamp_seconds /m);
});

test('a lane that brings no quote from the start on is silent for so long, one of an input too, and time that is not known is no good time', async () => {
  rig();
  r.give({ kind: 'clock', offsetMs: 0, halfWidthMs: 20, ageMs: 0 });
  r.moveBy(31_000);
  const state = seen();
  const [row] = state.lanes;
  if (!row) throw new Error('the strategy has a lane');
  const served = async (given: StateView) => (await new RunMetrics().text({ ...given, ...IDLE })).text;
  const text = await served({ ...state, lanes: [row, { ...row, lane: 'etheur@BASIC' }, { ...row, lane: `${row.lane}#7-1` }] });
  const age = (Date.parse(state.at) - Date.parse(state.startedAt)) / 1000;
  expect(age).toBeGreaterThanOrEqual(31);
  expect(text.match(/^kairos_quote_age_seconds.*/gm)).toEqual([
    `kairos_quote_age_seconds{lane="${row.lane}"} ${age}`,
    `kairos_quote_age_seconds{lane="etheur@BASIC"} ${age}`,
  ]);
  expect(text).toMatch(/^kairos_clock_half_width_seconds 0\.02$/m);
  r.give({ kind: 'condition', name: 'clock', on: true, figure: 0 });
  expect(await served(seen())).toMatch(/^kairos_clock_half_width_seconds \+Inf$/m);
});

test('a source from outside shows its last signal, how old it is, and what was refused of it', async () => {
  rig();
  const sources = ['model', 'chart'].map((name) => ({ name, staleAfterMs: 2000 }));
  const refusedSignals = { 'model LATE': 2, 'model FLOOD': 7, NOT_FOUND: 1 };
  const seenNow = () => r.engine.inspect((parts) => stateView({ ...stateFacts(), sources, refusedSignals }, parts, r.clock.now()));
  r.give({ kind: 'signal', source: signalSource('model'), signal: { id: 'a', madeAt: null, value: { score: 0.7 } } });
  const at = isoTime(r.clock.now());
  r.moveBy(1500);
  const state = seenNow();
  expect(state.signals).toEqual([
    { source: 'model', at, ageMs: 1500, id: 'a', value: { score: 0.7 }, isStale: false, refused: { LATE: 2, FLOOD: 7 } },
    { source: 'chart', at: null, ageMs: null, id: null, value: {}, isStale: true, refused: {} },
  ]);
  r.moveBy(500);
  expect(seenNow().signals.map(({ isStale }) => isStale)).toEqual([true, true]);
  const { text } = await new RunMetrics().text({ ...state, ...IDLE });
  expect(text).toContain('kairos_signal_age_seconds{source="model"} 1.5');
  expect(text).toContain('kairos_signals_refused_total{source="model",cause="FLOOD"} 7');
});
