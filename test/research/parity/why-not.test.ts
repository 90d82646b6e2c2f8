import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { loadStrategies, productText } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import { VERSION } from '#assembly/package.ts';
import { startFacts } from '#assembly/start-facts.ts';
import { Engine } from '#core/engine/engine.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { publish } from '#daemon/operations/ops-files.ts';
import { glanceOf } from '#daemon/operations/report/glance.ts';
import { PresentSilences } from '#daemon/run/present-silences.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import { isoTime, type OrderId, runId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Journal } from '#ports/journal.ts';
import { whyNotAnswer } from '#report/why-not.ts';
import { silences } from '#research/parity/silence.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';
import { btcLane, btcProduct, type QuoteOptions, quote } from '../../support/market-data.ts';
import { printed } from '../../support/printed.ts';
import { ROOT } from '../../support/root.ts';

const START = Date.UTC(2026, 0, 1);
const FOLDERS = { cwd: ROOT, packaged: path.join(ROOT, 'strategies') };

/** A real run of configured strategies in virtual time, recorded and journaled as the daemon does. */
async function quietRun(yaml = strategyYaml({ params: '{ fast: 2, slow: 4 }' })) {
  const cwd = folder();
  const config = configOf(`${yaml}risk: { maxSpreadPct: 0.5 }\n`, { cwd });
  const { settings } = config;
  const strategies = await loadStrategies(settings, FOLDERS);
  const run = runId('run-1');
  const file = RunLog.create({ dir: settings.recording.dir, run, book: 'paper' });
  const journal = SqliteJournal.open({ path: settings.journal.path, book: 'paper', beforeCommit: () => file.flush() });
  const recovered = journal.recover(START);
  journal.beginRun({ run, at: START, mode: 'paper', version: '0.1.0', configHash: config.hash, configJson: config.json });
  const present = new PresentSilences({ run, settings, strategies, latches: recovered.latches });
  const orders: OrderCore[] = [];
  const engine = new Engine({
    ...engineRules(settings, strategies),
    journal: heard(journal, present),
    broker: { connect() {}, submit: (order) => orders.push(order), async close() {} },
    latch: new HaltLatch(),
    reserve: { size: 0, waitMs: 0, acquire() {}, release() {} },
    act: () => {},
    onNextDue: () => {},
    notice: () => {},
  });
  const log = present.hearing(file);
  let n = 0;
  let now = START;
  const give = (event: InboxEvent): void => {
    n += 1;
    const numbered = { n, at: now, event };
    log.append(numbered);
    engine.handle(numbered);
  };
  give({ kind: 'start', facts: startFacts({ config, run, book: 'paper', strategies, recovered, stall: undefined }) });
  give({ kind: 'products', products: [productText(btcProduct)] });
  give({ kind: 'clock', offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
  const lane = (phase: 'opening' | 'acked'): void => give({ kind: 'lane', change: { phase, lane: btcLane.id, epoch: 1 } });
  lane('opening');
  lane('acked');
  const end = (): void => {
    journal.flush();
    journal.close();
    file.close();
  };
  onTestFinished(end);
  return {
    orders,
    give,
    wait: (ms: number) => {
      now += ms;
    },
    quotes(count: number, options: QuoteOptions = {}): void {
      for (let i = 0; i < count; i++) {
        now += 500;
        give({ kind: 'quote', quote: quote({ ...options, validUntil: now + 3000 }) });
      }
    },
    /** A quote whose place a newer one took before its turn. */
    replaced(): void {
      log.conflated(now, quote({ validUntil: now + 3000 }));
    },
    present: () => present.at(now, engine).map(whyNotAnswer),
    report(id: OrderId, report: ExecutionReport): void {
      give({ kind: 'answer', orderId: id, report });
    },
    async why() {
      journal.flush();
      log.flush();
      const [silence] = await silences({ settings, at: now, strategy: undefined, folders: FOLDERS });
      if (!silence) throw new Error('no strategy in the run');
      // What the run knows of the moment is what its recording tells when it is played again.
      if (silence.run === run) expect(present.at(now, engine).map(whyNotAnswer)).toEqual([whyNotAnswer(silence)]);
      const { answer, advice, facts } = whyNotAnswer(silence);
      return { answer, advice, lines: facts.map(({ about, text }) => [about, text]) };
    },
    /** Another start on the same journal, of which nothing is recorded yet. */
    restart(): void {
      journal.flush();
      now += 1000;
      journal.beginRun({ run: runId('run-2'), at: now, mode: 'paper', version: '0.1.0', configHash: config.hash, configJson: config.json });
      now += 1000;
    },
    settings,
    journal,
    flush: () => {
      journal.flush();
      log.flush();
    },
  };
}

/** As the daemon tells its decisions to what answers for the present. */
function heard(journal: Journal, present: PresentSilences): Journal {
  return {
    commit(decisions) {
      journal.commit(decisions);
      present.journaled(decisions);
    },
    defer(decisions) {
      journal.defer(decisions);
      present.journaled(decisions);
    },
    write: () => journal.write(),
    flush: () => journal.flush(),
    end: (run, endState) => journal.end(run, endState),
  };
}

describe('a quiet strategy is explained', () => {
  test('it saw quotes and wanted nothing: its values and its position, from the recording played again', async () => {
    const r = await quietRun();
    r.quotes(4, { buy: 60_500 });
    r.quotes(6, { buy: 60_000 });
    const { answer, lines } = await r.why();
    expect(answer).toMatch(/2026-01-01T00:00:05\.000Z and asked for no order: fast = 60000, slow = 60000, signal = below, flat$/);
    expect(lines).toContainEqual(['lane', 'btcusd@base:0.01: open for 5 s, 10 quotes in this run, 10 in the minute before']);
    expect(lines).toContainEqual(['journal', 'it has no row: a decision that asks for no order is not journaled']);
  });

  test('its timer has not fired yet: the answer says when it will', async () => {
    const module = path.join(folder(), 'timed.ts');
    const signals = "({ every, at }) => merge(every('10m'), at('5 0 * * *'))";
    writeFileSync(
      module,
      `import { strategy } from 'kairos/strategy';\nimport { merge } from 'rxjs';\nexport default strategy({ name: 'timed', signals: ${signals}, decide: () => undefined });\n`,
    );
    const r = await quietRun(strategyYaml({ use: module }));
    r.quotes(10);
    const { answer } = await r.why();
    expect(answer).toBe(
      'its signals have not emitted since the run began, in 10 quotes, so one was never asked; its timer fires next at 2026-01-01T00:05:00.000Z, 4 min 55 s left',
    );
    r.wait(600_000);
    r.quotes(1);
    expect((await r.why()).lines).toContainEqual(['timer', 'fires next at 2026-01-01T00:20:00.000Z']);
  });

  test('its signals have not emitted yet', async () => {
    const r = await quietRun();
    r.quotes(2);
    expect((await r.why()).answer).toBe('it was WARMING_UP, 1 s left: 2 of 4 quotes seen');
  });

  test('a refusal that repeats itself, which is one row, with the figure and the limit', async () => {
    const r = await quietRun(strategyYaml({ use: 'buy-and-hold' }));
    r.quotes(20, { buy: 60_900, sell: 60_000 });
    r.quotes(20, { buy: 60_600, sell: 60_000 });
    expect((await r.why()).answer, 'the newest figure').toMatch(
      /^it wanted to buy 0\.01 base \(.*\) and was refused since 2026-01-01T00:00:00\.500Z: spread 0\.99\d* % over 0\.5 %$/,
    );
  });

  test('what an earlier run refused is no answer for this one', async () => {
    const r = await quietRun(strategyYaml({ use: 'buy-and-hold' }));
    r.quotes(20, { buy: 60_600, sell: 60_000 });
    r.restart();
    expect((await r.why()).answer).not.toContain('was refused');
  });

  test('a stop that is due and waits comes before what keeps it from opening, with what ends the waiting', async () => {
    const yaml = strategyYaml({ use: 'buy-and-hold', exits: '{ stopLossPct: 1 }' });
    const r = await quietRun(`${yaml}lanes: { max: 1, reserve: 0 }\n`);
    r.quotes(2);
    const [bought] = r.orders;
    if (!bought) throw new Error('nothing was bought');
    r.report(bought.id, { type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: 0 });
    const part = { size: '0.009' };
    const answered = { type: 'answered', outcome: 'accepted', reason: 'HTTP_OK', httpStatus: 201, body: '{}', roundTripMs: 5 } as const;
    r.report(bought.id, { ...answered, figures: part, late: false, why: '' });
    r.give({ kind: 'command', command: { act: 'flatten', resume: false, who: 'ann', why: 'news' } });
    r.quotes(2, { buy: 59_000 });
    const { answer, advice } = await r.why();
    expect(answer).toMatch(
      /^its position in btcusd is to be closed \(.*\): 0 of 0 lanes of lanes\.reserve are in use; it was REDUCING since /,
    );
    expect(advice).toMatch(/raise lanes\.reserve; for openings: kairos resume/);
  });

  test('F21 quotes had stopped', async () => {
    const r = await quietRun();
    r.quotes(10);
    r.wait(60_000);
    r.give({ kind: 'wake' });
    expect((await r.why()).answer).toBe(
      'it was NO_QUOTES since 2026-01-01T00:00:07.000Z: lane btcusd@base:0.01 has no new quotes: the last came at 2026-01-01T00:00:05.000Z',
    );
  });

  test('F23 the lane was lost', async () => {
    const r = await quietRun();
    r.quotes(5);
    r.give({ kind: 'lane', change: { phase: 'lost', lane: btcLane.id, epoch: 1, why: 'closed with 1006' } });
    r.wait(500);
    expect((await r.why()).answer).toMatch(/^it was NO_QUOTES since .* is lost: closed with 1006$/);
  });

  test('F23 the lane was lost, and attempts to connect again do not begin that time anew', async () => {
    const r = await quietRun();
    r.quotes(5);
    r.give({ kind: 'lane', change: { phase: 'lost', lane: btcLane.id, epoch: 1, why: 'closed with 1006' } });
    const refused = 'connect ECONNREFUSED';
    for (const epoch of [2, 3]) {
      r.wait(30_000);
      r.give({ kind: 'lane', change: { phase: 'opening', lane: btcLane.id, epoch } });
      r.give({ kind: 'lane', change: { phase: 'lost', lane: btcLane.id, epoch, why: refused } });
    }
    r.wait(30_000);
    const { answer, lines } = await r.why();
    const lostAt = isoTime(START + 2_500);
    expect(answer).toBe(`it was NO_QUOTES since ${lostAt}: lane ${btcLane.id} is lost: ${refused}`);
    expect(lines).toContainEqual(['lane', expect.stringContaining('lost for 1 min 30 s')]);
    r.give({ kind: 'lane', change: { phase: 'opening', lane: btcLane.id, epoch: 4 } });
    expect((await r.why()).answer).toBe(`it was NO_QUOTES since ${lostAt}: lane ${btcLane.id} is being opened: ${refused}`);
  });

  test('a person paused it, an order of unknown outcome froze its product, an order was on its way', async () => {
    const r = await quietRun(strategyYaml({ use: 'buy-and-hold' }));
    r.quotes(1);
    const [order] = r.orders;
    if (!order) throw new Error('no order');
    expect((await r.why()).answer).toContain(`its order ${order.id} was on its way`);
    r.report(order.id, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: START + 500 });
    const lost = {
      reason: 'NO_ANSWER',
      httpStatus: null,
      body: '',
      roundTripMs: 3000,
      figures: {},
      late: false,
      why: 'no answer',
    } as const;
    r.report(order.id, { type: 'answered', outcome: 'unknown', ...lost });
    const frozen = await r.why();
    expect(frozen.answer).toBe(`it was FROZEN: order ${order.id} in btcusd has an unknown outcome`);
    expect(frozen.advice).toContain(`kairos journal resolve ${order.id}`);
    r.give({ kind: 'command', command: { act: 'pause', strategy: 'one', who: 'ann', why: 'news' } });
    expect(await r.why()).toMatchObject({
      answer: 'it was PAUSED since 2026-01-01T00:00:00.500Z: paused by ann: news',
      advice: 'kairos resume one ends it',
    });
  });

  test('a position that was built before counts when the recording is played again', async () => {
    const r = await quietRun(strategyYaml({ use: 'buy-and-hold' }));
    r.quotes(1);
    const [order] = r.orders;
    if (!order) throw new Error('no order');
    r.report(order.id, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: START + 500 });
    const answer = { reason: 'HTTP_OK', httpStatus: 201, body: '', roundTripMs: 5, figures: {}, late: false, why: '' } as const;
    r.report(order.id, { type: 'answered', outcome: 'accepted', ...answer });
    r.quotes(3);
    expect((await r.why()).answer).toMatch(/asked for no order: .*, holding 0\.01$/);
  });
});

/** On a timer, with a value that each quote changes; `then` is what decide does. */
function onTimer(then: string): string {
  const file = path.join(folder(), 'timed.ts');
  writeFileSync(
    file,
    `import { buy, mid, observe, strategy } from 'kairos/strategy';
import { withLatestFrom } from 'rxjs';
export default strategy({
  name: 'timed',
  signals: ({ quotes$, every }) => every('3s').pipe(withLatestFrom(quotes$.pipe(mid(), observe('price')))),
  decide: () => ${then},
});
`,
  );
  return strategyYaml({ use: file });
}

test('a timer: the values are those of the time at which it was asked, and not of the newest quote', async () => {
  const r = await quietRun(onTimer('undefined'));
  r.quotes(6, { buy: 60_000, sell: 60_000 });
  r.give({ kind: 'wake' });
  r.quotes(2, { buy: 61_000, sell: 61_000 });
  const { answer, lines } = await r.why();
  expect(answer).toMatch(/2026-01-01T00:00:03\.000Z and asked for no order: price = 60000, /);
  expect(lines).toContainEqual(['values', 'price = 61000']);
});

test('a strategy that threw was asked, and what it threw comes first', async () => {
  const r = await quietRun(onTimer("buy(0.3, 'x')"));
  r.quotes(6, { buy: 60_000, sell: 60_000 });
  r.give({ kind: 'wake' });
  r.quotes(2, { buy: 61_000, sell: 61_000 });
  const { answer, lines } = await r.why();
  expect(answer).toMatch(/^it failed: /);
  expect(answer).toContain("buy: amount must be {base: N}, {quote: N} or 'position', not 0.3");
  const [row] = glanceOf(r.settings, undefined, { now: START + 60_000, running: false });
  expect(row?.thrown).toMatchObject({ times: 1, error: expect.stringContaining('amount must be') });
  expect(lines).toContainEqual(['asked', 'once, last at 2026-01-01T00:00:03.000Z']);
});

describe('a strategy of several legs is explained as one of one leg', () => {
  const LEGS = "[buy({ base: '0.01' }, 'leg one in'), buy({ base: '0.01' }, 'leg two in')]";

  test('a leg that was refused, with its figure and the limit', async () => {
    const r = await quietRun(onTimer(LEGS));
    r.quotes(6, { buy: 60_600, sell: 60_000 });
    r.give({ kind: 'wake' });
    expect((await r.why()).answer).toMatch(
      /^it wanted to buy 0\.01 base \(leg one in\) and was refused: spread 0\.99\d* % over 0\.5 %; .* \(MAX_SPREAD\)$/,
    );
  });

  test('legs that were executed: the order of the last', async () => {
    const r = await quietRun(onTimer(LEGS));
    r.quotes(6);
    r.give({ kind: 'wake' });
    const answer = { reason: 'HTTP_OK', httpStatus: 201, body: '', roundTripMs: 5, figures: {}, late: false, why: '' } as const;
    for (const place of [0, 1]) {
      const order = r.orders[place];
      if (!order) throw new Error(`no order ${place}`);
      r.report(order.id, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: START + 3000 });
      r.report(order.id, { type: 'answered', outcome: 'accepted', ...answer });
      if (place === 0) r.quotes(1);
      else expect((await r.why()).answer).toBe(`it did act: order ${order.id} was accepted at 2026-01-01T00:00:03.500Z`);
    }
  });
});

test('the command takes a time with or without zone, and names what nobody knows', async () => {
  const r = await quietRun();
  r.quotes(4, { buy: 60_500 });
  r.quotes(6, { buy: 60_000 });
  r.flush();
  const set = ['--set', `journal.path=${r.settings.journal.path}`, '--set', `recording.dir=${r.settings.recording.dir}`];
  const run = (...words: string[]): Promise<string> => printed(['why-not', ...words, ...set]);
  expect(await run('--at', '2026-01-01T00:00:05')).toMatch(/^one at 2026-01-01T00:00:05\.000Z: it was last asked/);
  expect(JSON.parse(await run('--at', '2026-01-01T00:00:05Z', '--json'))).toMatchObject([
    { strategy: 'one', run: 'run-1', facts: expect.any(Array) },
  ]);
  expect(await run('--at', '2025-12-31')).toContain('no daemon ran at 2025-12-31T00:00:00.000Z');
  await expect(run('--at', 'yesterday')).rejects.toThrow(/It must be a time/);
  await expect(run('--at', '2026-01-01T00:00:05', '--strategy', 'onne')).rejects.toThrow(/no strategy "onne"; the nearest is one/);
});

test('of several strategies each has a line; one alone also has what to do and what it saw', async () => {
  const r = await quietRun(`${strategyYaml()}  - { id: two, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n`);
  r.quotes(10);
  r.flush();
  const set = ['--set', `journal.path=${r.settings.journal.path}`, '--set', `recording.dir=${r.settings.recording.dir}`];
  const lines = async (...words: string[]) =>
    (await printed(['why-not', '--at', '2026-01-01T00:00:05', ...words, ...set])).trimEnd().split('\n');
  expect(await lines()).toEqual([
    expect.stringMatching(/^strategy +why it had no order at 2026-01-01T00:00:05\.000Z$/),
    expect.stringMatching(/^-+ +-+$/),
    expect.stringMatching(/^one +it was /),
    expect.stringMatching(/^two +it was /),
    '    then it ends by itself',
  ]);
  const [answer, advice, ...facts] = await lines('--strategy', 'two');
  expect([answer, advice]).toEqual([
    expect.stringMatching(/^two at 2026-01-01T00:00:05\.000Z: it was /),
    expect.stringMatching(/^ +then /),
  ]);
  expect(facts.length).toBeGreaterThan(2);
});

test('where nothing was refused, the last refusal is answered by what keeps orders back now, or did at the end of the last run', async () => {
  const r = await quietRun();
  r.quotes(2);
  r.flush();
  const set = ['--set', `journal.path=${r.settings.journal.path}`, '--set', `recording.dir=${r.settings.recording.dir}`];
  const last = (): Promise<string> => printed(['why-not', '--at', 'last', ...set]);
  expect(await last()).toMatch(/^one at 20\d\d-.*: nothing was refused; /);
  r.journal.end(runId('run-1'), 'stopped');
  r.flush();
  expect(await last()).toMatch(/^one at 20\d\d-.*: nothing was refused; /);
});

test('signals that emit while they warm up are no reason of the strategy: its state says what is left', async () => {
  const module = path.join(folder(), 'warm.ts');
  writeFileSync(
    module,
    `import { mid, strategy } from 'kairos/strategy';\nimport { take } from 'rxjs';\nexport default strategy({ name: 'warm', warmup: () => ({ quotes: 4 }), signals: ({ quotes$ }) => quotes$.pipe(mid(), take(2)), decide: () => undefined });\n`,
  );
  const r = await quietRun(strategyYaml({ use: module }));
  r.quotes(2);
  expect((await r.why()).answer).toBe('it was WARMING_UP, 1 s left: 2 of 4 quotes seen');
  r.quotes(3);
  expect((await r.why()).answer).toBe('its signals have not emitted since it is warm, in 5 quotes, so one was never asked');
});

test('more than a minute, and quotes that newer ones replaced: the run itself counts as its recording does', async () => {
  const r = await quietRun();
  r.quotes(200);
  r.replaced();
  r.quotes(3);
  expect((await r.why()).lines).toContainEqual([
    'lane',
    'btcusd@base:0.01: open for 1 min 42 s, 204 quotes in this run, 121 in the minute before',
  ]);
});

test('a daemon that runs answers for the present; for a past moment, or where it does not answer, the recording is played again', async () => {
  const r = await quietRun();
  r.quotes(10);
  r.flush();
  const { journal, recording } = r.settings;
  const set = ['--set', `journal.path=${journal.path}`, '--set', `recording.dir=${recording.dir}`];
  const run = (...words: string[]): Promise<string> => printed(['why-not', ...words, ...set]);
  let pid = process.pid;
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === '/api/why-not') asked += 1;
    response.end(JSON.stringify({ pid, version: VERSION, run: 'run-1', answers: r.present() }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  publish(controlFiles(journal.path).ops, { pid, url: `http://127.0.0.1:${port}` }, 'token');
  const now = await run();
  expect(now).toBe(await run('--at', '2026-01-01T00:00:05'));
  expect(asked).toBe(1);
  await expect(run('--strategy', 'onne')).rejects.toThrow('run run-1 has no strategy "onne"; the nearest is one');
  // Another process has the port now: nothing is believed of it.
  pid += 1;
  expect(await run()).not.toBe(now);
  expect(asked).toBe(3);
});
