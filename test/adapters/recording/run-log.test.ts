import { appendFileSync, closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventLine, type LogEntry, quoteLine, recordedOf } from '#adapters/recording/log-format.ts';
import { RunLogReader } from '#adapters/recording/reader.ts';
import { NullLog, RunLog, type RunLogOptions } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import { CONDITIONS, type InboxEvent, type NumberedEvent } from '#domain/event.ts';
import { laneIdOf, runId } from '#domain/names.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import { newFolder } from '../../support/folder.ts';
import { booksOf } from '../../support/past-books.ts';
import { anyText, fc, test as property } from '../../support/property.ts';
import { anyFigure, anyWhole, quotesNamed, recordedQuote } from '../../support/recorded-quotes.ts';

const RUN = runId('20261121T030000Z-000001');
const AT = Date.UTC(2026, 10, 21, 3);

function create(options: Partial<RunLogOptions> = {}): RunLog {
  const log = RunLog.create({ dir: options.dir ?? newFolder(), run: RUN, book: 'paper', ...options });
  onTestFinished(() => {
    try {
      log.close();
    } catch {
      // Logs whose disk the test made fail are still failing.
    }
  });
  return log;
}

const quote = (n = 1) => recordedQuote({ n });

const event = (n: number, inbox: InboxEvent = { kind: 'wake' }): NumberedEvent => ({ n, at: AT + n, event: inbox });

const read = (path: string): { items: LogEntry[]; reader: RunLogReader } => {
  const reader = new RunLogReader(path);
  return { items: [...reader.items()], reader };
};

describe('what is read back', () => {
  const name = fc.oneof(fc.string(), anyText(), fc.constantFrom('btcusd', '"],[', '\n', '\ud800', '__proto__'));
  const quotes = quotesNamed(name);
  const json = fc.dictionary(name, fc.oneof(anyFigure, name, fc.boolean(), fc.constant(null), fc.array(anyFigure)), {
    noNullPrototype: true,
  });
  const order = { id: '1-1', strategy: 's', product: 'p', quoteId: 'q', lane: 'l', validUntil: 1, intentAt: 1 };
  const fill = { side: 'buy', baseCcy: 'BTC', quoteCcy: 'USD', price: '1', size: '2', value: '2', fee: '0', feeCcy: 'USD' } as const;
  const phases = fc.constantFrom('lost', 'refused', 'disabled');
  const events: fc.Arbitrary<InboxEvent> = fc.oneof(
    quotes.map((q): InboxEvent => ({ kind: 'quote', quote: q })),
    name.map(
      (text): InboxEvent => ({
        kind: 'start',
        facts: {
          run: RUN,
          book: text,
          mode: 'paper',
          version: '1',
          node: '24',
          configHash: text,
          build: text,
          config: text,
          strategySources: { [text]: text },
          books: booksOf([{ strategy: text, product: text, at: 5, fill }]),
          unknowns: [{ order: { ...order, ...fill }, journaled: true }],
          latches: [{ kind: 'paused', strategy: null, since: 1, who: text, why: text }],
          openings: [],
          exits: [{ strategy: text, product: text, at: 5, reason: 'STOP_LOSS' }],
          works: [],
          hands: [],
          schedule: [],
          unanswered: [],
          creates: [],
          learned: [{ product: text, at: 5, size: '1', currency: text, lane: text }],
          peaks: [{ strategy: text, product: text, openedAt: 5, price: '1' }],
          states: { [text]: text },
          risk: { ...NO_PAST_RISK, recentOrders: [{ at: 1, strategy: text, product: text }], dayValue: { [text]: text } },
          usedQuotes: [text],
        },
      }),
    ),
    fc.array(name).map(
      (codes): InboxEvent => ({
        kind: 'products',
        products: codes.map((code) => ({ code, minSize: '0.1', minNotionalValue: '1', sizeIncrement: '0.1', priceIncrement: '0.01' })),
      }),
    ),
    fc.record({ phase: fc.constantFrom('opening', 'acked'), epoch: anyWhole }, { noNullPrototype: true }).map(
      ({ phase, epoch }): InboxEvent => ({
        kind: 'lane',
        change: { phase: phase === 'acked' ? 'acked' : 'opening', lane: laneIdOf('l'), epoch },
      }),
    ),
    fc.tuple(phases, name).map(
      ([phase, why]): InboxEvent => ({
        kind: 'lane',
        change: { phase: phase === 'lost' ? 'lost' : phase === 'refused' ? 'refused' : 'disabled', lane: laneIdOf('l'), epoch: 2, why },
      }),
    ),
    anyFigure.map(
      (timeLeftMs): InboxEvent => ({ kind: 'answer', orderId: '1-1', report: { type: 'written', timeLeftMs, signatureAgeMs: 1.5, at: 7 } }),
    ),
    name.map((why): InboxEvent => ({ kind: 'answer', orderId: '1-1', report: { type: 'not_sent', reason: 'NOT_CONNECTED', why } })),
    anyFigure.map(
      (timeLeftMs): InboxEvent => ({ kind: 'answer', orderId: '1-1', report: { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs } }),
    ),
    fc.tuple(name, anyFigure).map(
      ([body, roundTripMs]): InboxEvent => ({
        kind: 'answer',
        orderId: '1-1',
        report: {
          type: 'answered',
          outcome: 'unknown',
          reason: 'NO_ANSWER',
          httpStatus: null,
          body,
          roundTripMs,
          figures: { price: '1' },
          late: false,
          why: body,
        },
      }),
    ),
    name.map((response): InboxEvent => ({ kind: 'action', answer: { actionId: '1-1', status: 'asked', httpStatus: 202, response } })),
    name.map((why): InboxEvent => ({ kind: 'command', command: { act: 'pause', strategy: null, who: 'me', why } })),
    name.map((why): InboxEvent => ({ kind: 'command', command: { act: 'halt', who: 'me', why } })),
    json.map(
      (args): InboxEvent => ({ kind: 'due', line: { name: 'n', action: 'bot.pause', arguments: args, dueAt: 9, deadlineMs: 60_000 } }),
    ),
    fc.constant<InboxEvent>({ kind: 'wake' }),
    fc.tuple(anyFigure, anyFigure).map(([offsetMs, halfWidthMs]): InboxEvent => ({ kind: 'clock', offsetMs, halfWidthMs, ageMs: 0 })),
    fc
      .tuple(fc.constantFrom(...CONDITIONS), fc.boolean(), anyFigure)
      .map(([condition, on, f]): InboxEvent => ({ kind: 'condition', name: condition, on, figure: f })),
  );

  property.prop([anyWhole, anyWhole, events])('I19 every event is exactly what was handed over, to the last bit', (n, at, inbox) => {
    const line = eventLine({ n, at, event: inbox });
    expect(line.indexOf('\n')).toBe(line.length - 1);
    const back = recordedOf(Buffer.from(line).toString().slice(0, -1));
    expect(back).toStrictEqual({ kind: 'event', event: { n, at, event: inbox } });
  });

  property.prop([anyWhole, quotes])('a conflated quote comes back without a number, frozen, in the shape of a live one', (at, q) => {
    const back = recordedOf(quoteLine(null, at, q).slice(0, -1));
    expect(back).toStrictEqual({ kind: 'conflated', at, quote: q });
    if (back.kind !== 'conflated') throw new Error('not conflated');
    expect(Object.keys(back.quote)).toEqual(Object.keys(quote()));
    expect([back.quote, back.quote.buy, back.quote.sell].every(Object.isFrozen)).toBe(true);
  });

  test('a whole log: header, events in number order, conflated quotes between them', () => {
    const log = create();
    log.append(event(1));
    log.conflated(AT, quote(1));
    log.append(event(2, { kind: 'quote', quote: quote(2) }));
    log.flush();
    const { items, reader } = read(log.path);
    expect(reader.header).toEqual({ kairos: 'inbox', format: 2, run: RUN, book: 'paper', part: 1, before: 0 });
    expect(items).toEqual([
      { kind: 'event', event: event(1) },
      { kind: 'conflated', at: AT, quote: quote(1) },
      { kind: 'event', event: event(2, { kind: 'quote', quote: quote(2) }) },
    ]);
    expect(reader.torn).toBeNull();
    expect(log.path.endsWith(join(RUN, 'inbox.ndjson'))).toBe(true);
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
  });

  test('a log far longer than the buffers', () => {
    const log = create();
    for (let n = 1; n <= 5_000; n += 1) log.append(event(n, { kind: 'quote', quote: quote(n) }));
    expect(statSync(log.path).size).toBeGreaterThan(500_000);
    log.close();
    const numbers = read(log.path).items.map((item) => (item.kind === 'event' ? item.event.n : -1));
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, n) => n + 1));
  });
});

test('a log that is closed writes nothing: the number of its file may be another file’s, as the journal’s', () => {
  const log = create();
  log.append(event(1));
  log.close();
  const path = join(newFolder(), 'other');
  const other = openSync(path, 'w');
  log.append(event(2));
  log.flush();
  closeSync(other);
  expect(readFileSync(path, 'utf8')).toBe('');
});

describe('a damaged log', () => {
  function written(): string {
    const log = create();
    for (let n = 1; n <= 3; n += 1) log.append(event(n, { kind: 'quote', quote: quote(n) }));
    log.close();
    return log.path;
  }

  test('F45 a torn last line is left out and reported, wherever it was cut', () => {
    const path = written();
    const whole = readFileSync(path);
    const last = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (let size = last + 1; size < whole.length - 1; size += 7) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const { items, reader } = read(path);
      expect(items).toHaveLength(2);
      expect(reader.torn).toEqual({ line: 4, bytes: size - last });
    }
  });

  test('a last line that lacks only its end is whole', () => {
    const path = written();
    truncateSync(path, statSync(path).size - 1);
    const { items, reader } = read(path);
    expect(items).toHaveLength(3);
    expect(reader.torn).toBeNull();
  });

  test('a line in the middle that cannot be read is named, never passed over', () => {
    for (const line of ['{"n":1', '[1,2]', '{}', 'null', '7', '["q",1]', '{"n":"1","at":2,"event":{"kind":"wake"}}']) {
      const path = written();
      appendFileSync(path, `${line}\n`);
      appendFileSync(path, eventLine(event(9)));
      expect(() => read(path)).toThrow(/inbox\.ndjson:5: /);
    }
  });

  test('a file that is no inbox log, or of another format, is refused in one line', () => {
    const path = join(newFolder(), 'inbox.ndjson');
    const cases: [text: string, says: RegExp][] = [
      ['', /empty/],
      ['{}\n', /not the first line/],
      ['hello\n', /inbox\.ndjson:1: /],
      ['{"kairos":"inbox","format":1}\n', /inbox\.ndjson: its format is 1, and this Kairos reads 2: read it with the version that made it/],
    ];
    for (const [text, says] of cases) {
      writeFileSync(path, text);
      expect(() => new RunLogReader(path)).toThrow(says);
    }
    expect(() => new RunLogReader(`${path}.no`)).toThrow(/cannot be opened/);
  });
});

describe('writing', () => {
  test('short writes lose and repeat nothing', () => {
    const log = create({ write: (fd, bytes, offset) => writeSync(fd, bytes, offset, Math.min(7, bytes.length - offset)) });
    for (let n = 1; n <= 20; n += 1) log.append(event(n));
    log.flush();
    expect(read(log.path).items).toHaveLength(20);
  });

  test('F46 a full disk is said at the flush, and what waits is written whole once there is room', () => {
    let room = 100;
    const log = create({
      write: (fd, bytes, offset) => {
        const length = Math.min(room, bytes.length - offset);
        if (length === 0) throw new Error('ENOSPC: no space left on device');
        room -= length;
        return writeSync(fd, bytes, offset, length);
      },
    });
    for (let n = 1; n <= 20; n += 1) log.append(event(n));
    expect(() => log.flush()).toThrow(/could not be written \(ENOSPC/);
    log.append(event(21));
    expect(() => log.flush()).toThrow(KairosError);
    room = 1_000_000;
    log.flush();
    expect(read(log.path).items).toHaveLength(21);
  });

  test('F46 what waits for a disk that refuses for good is bounded', () => {
    const log = create({
      write: () => {
        throw new Error('ENOSPC');
      },
    });
    let thrown = 0;
    for (let n = 1; n <= 40_000; n += 1) {
      try {
        log.append(event(n, { kind: 'quote', quote: quote(n) }));
      } catch {
        thrown += 1;
      }
    }
    expect(thrown).toBeGreaterThan(10_000);
    expect(() => log.flush()).toThrow(/RECORDING|could not be written/);
  });

  test('a run never writes into the log of another', () => {
    const dir = newFolder();
    create({ dir });
    expect(() => create({ dir })).toThrow(/cannot be created/);
  });

  test('close writes what waits, and may be called twice', () => {
    const log = create();
    log.append(event(1));
    log.close();
    log.close();
    expect(read(log.path).items).toHaveLength(1);
  });

  test('with recording off nothing is kept', () => {
    const log = new NullLog();
    log.append();
    log.conflated();
    log.flush();
    log.close();
  });
});
