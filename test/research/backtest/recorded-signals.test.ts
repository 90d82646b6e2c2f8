import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { map } from 'rxjs';
import { expect, test } from 'vitest';
import { MemoryJournal, NOTHING_BEFORE } from '#adapters/journal/memory-journal.ts';
import { SignalGate } from '#adapters/outside-signals/gate.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import { startFacts } from '#assembly/start-facts.ts';
import { buy, hold, sell, signal, strategy } from '#core/strategy/index.ts';
import { Intake } from '#daemon/run/threads/intake.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime, runId } from '#domain/names.ts';
import { type OutsideSignal, signalSource } from '#domain/outside-signal.ts';
import type { Quote } from '#domain/quote.ts';
import { seeded } from '#domain/seeded.ts';
import { signalsIn } from '#research/backtest/signal-file.ts';
import { scenarioEngine } from '#strategy-testing/scenario-engine.ts';
import { folderOfTests } from '../../support/folder.ts';
import { FROM, type Played, played, prepared } from './in-memory.ts';

const folder = folderOfTests();

const source = signalSource('model');
const schema = { score: 'number' } as const;
const inputs = { model: signal({ schema, staleAfter: '2s' }) };

/** Decides at each quote on the last signal, or at each signal. */
const [atQuotes, atSignals] = ([false, true] as const).map((isAtSignals) =>
  strategy({
    name: isAtSignals ? 'at-signals' : 'at-quotes',
    inputs,
    signals: ({ quotes$, inputs: { model } }) => (isAtSignals ? model.pipe(map(() => 1)) : quotes$.pipe(map(() => 1))),
    decide: (_, { inputs: { model }, position, amount }) => {
      if (!model) return hold('no fresh signal');
      if (model.value.score > 0.6 && position.isFlat) return buy(amount, `${model.id} of ${model.age} ms`);
      return model.value.score < 0.4 && position.isLong ? sell('position', `${model.id} of ${model.age} ms`) : undefined;
    },
  }),
);

/** A run in virtual time with drawn signals, through the gate and the intake of the daemon. Returns its journal. */
async function run(seed: string, asked: Omit<Played, 'inputs'>): Promise<readonly Decision[]> {
  const { config, strategies, quotes, products, lane } = prepared(asked);
  const draws = seeded(seed);
  const clock = new VirtualClock(FROM);
  const [timers, answers] = [new VirtualTimers(clock), new VirtualTimers(clock)];
  const journal = new MemoryJournal();
  let latest: Quote | undefined;
  const none = (): never => {
    throw new Error('no lane is lent');
  };
  const { settings } = config;
  const options = { settings, strategies, clock, timers: answers, journal, first: 1, latencyMs: asked.latencyMs, outcomes: [] };
  const virtual = scenarioEngine({ ...options, latest: () => latest, acquire: none, release: none }, () => false);
  virtual.give({
    kind: 'start',
    facts: startFacts({ config, run: runId('live'), book: 'paper', strategies, recovered: NOTHING_BEFORE, stall: undefined }),
  });
  virtual.give({ kind: 'products', products });
  virtual.keepClock();
  virtual.ack(lane);
  const intake = new Intake<OutsideSignal>({
    keyOf: ({ id }) => id,
    eventOf: (one) => ({ kind: 'signal', source, signal: one }),
    post: (event) => virtual.give(event),
    settle: () => true,
    isRunning: () => true,
  });
  const keep = (one: OutsideSignal): Promise<boolean> => {
    const take = (): void => {
      if (virtual.inbox.isFresh) intake.accept([one]);
      else timers.after(1, take);
    };
    take();
    return Promise.resolve(true);
  };
  const gate = new SignalGate({
    source,
    schemas: [schema],
    maxBytes: 1000,
    perSecond: 4,
    maxAgeMs: 1000,
    taken: [],
    now: () => clock.now(),
    keep,
  });
  const sent: Promise<unknown>[] = [];
  const send = (n: number): void => {
    const fields = { id: draws.next() < 0.1 ? n - 1 : n, made: clock.now() - draws.next() * 1500, score: draws.next() };
    sent.push(Promise.resolve(gate.receive(Buffer.from(JSON.stringify(fields)))));
  };
  const step = async (upTo: number): Promise<void> => {
    for (;;) {
      const due = Math.min(timers.nextDue ?? upTo, answers.nextDue ?? upTo, clock.nextWake ?? upTo);
      if (due >= upTo) return;
      virtual.moveTo(due);
      if ((timers.nextDue ?? Number.POSITIVE_INFINITY) <= due) timers.runDue();
      else answers.runDue();
      virtual.inbox.drain();
      await Promise.all(sent.splice(0));
    }
  };
  let number = 1;
  for (const { at, quote } of quotes) {
    const between = Math.floor(draws.next() * 3);
    const times = Array.from({ length: between }, () => clock.now() + Math.floor(draws.next() * (at - clock.now()))).sort((a, b) => a - b);
    for (const time of times) {
      await step(time);
      virtual.moveTo(Math.max(time, clock.now()));
      send(number++);
      await Promise.all(sent.splice(0));
    }
    await step(at);
    virtual.moveTo(at);
    timers.runDue();
    latest = quote;
    virtual.quote(quote);
    // Of the same millisecond, behind the quote.
    if (draws.next() < 0.3 && at < (quotes.at(-1)?.at ?? 0)) send(number++);
    await Promise.all(sent.splice(0));
  }
  await step(clock.now() + 2000);
  virtual.give({ kind: 'command', command: { act: 'stop', who: 'tester', why: 'the recording ends' } });
  journal.flush();
  return journal.decisions;
}

const KINDS: ReadonlySet<string> = new Set(['signal', 'hold', 'intent', 'approved', 'sent', 'accepted', 'rejected', 'expired', 'refused']);

/** What was decided, and when; orders by what they are. */
const decided = (decisions: readonly Decision[]): readonly string[] =>
  decisions
    .filter(({ kind }) => KINDS.has(kind))
    .map(
      ({ kind, at, reason, quoteId, detail }) =>
        `${at - FROM} ${kind} ${reason} ${quoteId} ${JSON.stringify(detail).replace(/"id":"\d+-\d+",/, '')}`,
    );

const SEEDS = Array.from({ length: 20 }, (_, n) => `recorded signals ${n}`);

test.each(SEEDS)('a backtest of the recorded signals and quotes decides as the run did: %s', async (seed) => {
  const draws = seeded(`${seed} quotes`);
  const definition = draws.next() < 0.5 ? atQuotes : atSignals;
  if (!definition) throw new Error('two strategies');
  const quotes = Array.from({ length: 150 }, () => ({ afterMs: 1 + Math.floor(draws.next() * 900), livesMs: 3000 }));
  const asked = { quotes, definition, latencyMs: Math.floor(draws.next() * 80) };
  const live = await run(seed, asked);
  const rows = live.flatMap((row) => (row.kind === 'signal' ? [row] : []));
  const csv = rows.map(({ at, detail: { id, madeAt, value } }) => `${isoTime(at)},${madeAt},${id},model,${value.score}`);
  const file = path.join(folder, `${seed}.csv`);
  writeFileSync(file, `at,made,id,source,score\n${csv.join('\n')}\n`);
  // A file has each by its time in the journal, which may be some milliseconds after the gate took it.
  const sources = [{ name: 'model', maxBytes: 1000, perSecond: 10, maxAgeMs: 2000 }];
  const { signals, leftOut } = await signalsIn(file, { schemas: new Map([[source, [schema]]]), sources });
  expect(leftOut).toEqual(new Map());
  const recorded = signals.map(({ at, ...one }) => ({
    at,
    event: { kind: 'signal', ...one } as const,
  }));
  const again = played({ ...asked, inputs: recorded });
  expect(decided(again.decisions)).toEqual(decided(live));
  expect(rows.length).toBeGreaterThan(50);
  expect(live.filter(({ kind }) => kind === 'accepted').length).toBeGreaterThan(3);
});
