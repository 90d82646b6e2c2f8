import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import { fromZone } from '#core/schedule/local-time.ts';
import { fc, test as property } from '../../support/property.ts';
import { type Given, imported, MINUTE } from './imported-bars.ts';

const HOUR = 60 * MINUTE;

const inZone = (zone: string, more: Given = {}): Given => ({ ...more, map: { toUtc: fromZone(zone), zone, ...more.map } });

/** What the clocks of a zone show, apart from the zone itself. */
function localClock(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  });
  return (at) => format.format(at).replace(',', '.');
}

/** Bars whose prices count their rows, of instants written as local times. */
const barsAt = (zone: string, instants: readonly number[]): string => {
  const local = localClock(zone);
  return `time,open,high,low,close\n${instants
    .map(
      (at, row) =>
        `${local(at)},${Array(4)
          .fill(100 + row)
          .join()}\n`,
    )
    .join('')}`;
};

/** The hours before and behind a change of the clocks, as a file of bars has them. */
const every = (widthMs: number, from: string, to: string): readonly number[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / widthMs }, (_, bar) => Date.parse(from) + bar * widthMs);

type Imported = Awaited<ReturnType<typeof imported>>;

const notesIn = ({ result }: Imported): readonly string[] => importLines(result.facts).filter((line) => line.includes('the clocks of'));

const notesOf = async (text: string, given: Given): Promise<readonly string[]> => notesIn(await imported(text, given));

describe('clocks that go back: the order of rows tells which of two hours each is in', () => {
  test.each([
    ['Europe/Berlin', 1, '2025-10-25T23:00Z', '2025-10-26T04:00Z'],
    ['Europe/Berlin', 30, '2025-10-25T23:00Z', '2025-10-26T04:00Z'],
    ['Europe/Berlin', 60, '2025-10-25T20:00Z', '2025-10-26T08:00Z'],
    ['America/New_York', 5, '2025-11-02T03:00Z', '2025-11-02T09:00Z'],
    ['America/New_York', 60, '2025-11-01T03:00Z', '2025-11-03T09:00Z'],
    ['Australia/Lord_Howe', 5, '2025-04-05T12:00Z', '2025-04-05T18:00Z'],
    ['Australia/Lord_Howe', 30, '2025-04-05T12:00Z', '2025-04-05T18:00Z'],
    ['America/Havana', 15, '2025-11-02T03:00Z', '2025-11-02T09:00Z'],
  ])('%s, bars of %d minutes, whichever end comes first', async (zone, minutes, from, to) => {
    const bars = every(minutes * MINUTE, from, to);
    for (const rows of [bars, bars.toReversed()]) {
      const { played, result } = await imported(barsAt(zone, rows), inZone(zone));
      expect(played.map(([at]) => at - minutes * MINUTE)).toEqual(bars);
      expect(result).toMatchObject({ rows: bars.length, replaced: 0, repeated: 0, facts: { barMs: minutes * MINUTE } });
      expect(result.facts).not.toHaveProperty('repeatedHours');
    }
  });

  test('also where the file begins or ends within the hour', async () => {
    const zone = 'Europe/Berlin';
    for (const [from, to] of [
      ['2025-10-26T00:20Z', '2025-10-26T04:00Z'],
      ['2025-10-25T20:00Z', '2025-10-26T01:40Z'],
      ['2025-10-26T00:20Z', '2025-10-26T01:40Z'],
    ] as const) {
      const bars = every(MINUTE, from, to);
      for (const rows of [bars, bars.toReversed()])
        expect((await imported(barsAt(zone, rows), inZone(zone))).played.map(([at]) => at - MINUTE)).toEqual(bars);
    }
  });

  test('ticks that are a little out of order, here and elsewhere', async () => {
    const zone = 'Europe/Berlin';
    const ticks = every(10_000, '2025-10-25T23:30Z', '2025-10-26T02:30Z').map((at, row) => at - (row % 7 === 0 ? 10_005 : 0));
    const local = localClock(zone);
    const text = `time,bid,ask\n${ticks.map((at, row) => `${local(at)},${row + 1},${row + 2}\n`).join('')}`;
    const { played, result } = await imported(text, inZone(zone));
    expect(played.map(([at]) => at)).toEqual(ticks.toSorted((a, b) => a - b));
    expect(result.facts).not.toHaveProperty('repeatedHours');
  });

  test('both files of two sides, and a Parquet file of texts', async () => {
    const zone = 'Europe/Berlin';
    const bars = every(MINUTE, '2025-10-25T23:00Z', '2025-10-26T04:00Z');
    const [bids, asks] = ['bid', 'ask'].map((side) =>
      barsAt(zone, bars).replace('open,high,low,close', ['open', 'high', 'low', 'close'].map((name) => `${side}_${name}`).join()),
    );
    expect((await imported(bids ?? '', inZone(zone, { asks: asks ?? '' }))).result).toMatchObject({ quotes: 300, unpaired: 0 });
    const columnData = [
      { name: 'time', data: bars.map(localClock(zone)), type: 'STRING' as const },
      { name: 'close', data: bars.map((_, row) => 100 + row), type: 'DOUBLE' as const },
    ];
    const { played } = await imported(new Uint8Array(parquetWriteBuffer({ columnData })), inZone(zone));
    expect(played.map(([at]) => at - MINUTE)).toEqual(bars);
  });

  test('a row that ends the import is named by its own line, though it waited', async () => {
    const text = 'time,bid,ask\n2025-10-26 01:59,1,2\n2025-10-26 02:10,3,2\n2025-10-26 02:20,1,2\n2025-10-26 03:00,1,2\n';
    const refused = imported(text, inZone('Europe/Berlin', { ticks: { crossed: 'fail' } }));
    await expect(refused).rejects.toThrow(/bars\.csv:3: ask 2 is below bid 3/);
  });
});

describe('a bar wider than an hour is known at its end, on days of 23 and 25 hours as well', () => {
  const END = '2025-10-29T23:00Z';
  const days = ['2025-10-24T22:00Z', '2025-10-25T22:00Z', '2025-10-26T23:00Z', '2025-10-27T23:00Z', '2025-10-28T23:00Z'];
  const summer = ['2025-03-28T23:00Z', '2025-03-29T23:00Z', '2025-03-30T22:00Z', '2025-03-31T22:00Z', '2025-04-01T22:00Z'];
  const fourHours = ['2025-10-25T18:00Z', '2025-10-25T22:00Z', '2025-10-26T03:00Z', '2025-10-26T07:00Z', '2025-10-26T11:00Z'];
  test.each([
    ['days', [...days, END]],
    ['days in spring', [...summer, '2025-04-02T22:00Z']],
    ['four hours', [...fourHours, '2025-10-26T15:00Z']],
  ])('%s', async (_, times) => {
    const instants = times.map((time) => Date.parse(time));
    const begins = instants.slice(0, -1);
    for (const [text, given] of [
      [barsAt('Europe/Berlin', begins), inZone('Europe/Berlin')],
      [barsAt('UTC', begins), {}],
      [barsAt('Europe/Berlin', instants.slice(1)), inZone('Europe/Berlin', { stamp: 'end' })],
    ] as const)
      expect((await imported(text, given)).played.map(([at]) => new Date(at).toISOString())).toEqual(
        instants.slice(1).map((at) => new Date(at).toISOString()),
      );
  });
});

describe('clocks that go back where order does not tell: the first hour, and a note', () => {
  const CLOCKS = 'the clocks of Europe/Berlin went back from 03:00 to 02:00 on 2025-10-26';
  const ROWS = ['01:50', '02:10', '02:40', '03:00', '03:10'].map((time) => `2025-10-26 ${time},1,1,1,1\n`);
  const NOTE = '2 rows of times that came twice are taken for the first time, since the order of rows does not tell:';

  test('one pass of the hour, whichever end comes first', async () => {
    for (const rows of [ROWS, ROWS.toReversed()]) {
      const text = `time,open,high,low,close\n${rows.join('')}`;
      const given = inZone('Europe/Berlin', { ticks: { afterMs: MINUTE } });
      const found = await imported(text, given);
      expect(found.played.map(([at]) => new Date(at - MINUTE).toISOString().slice(11, 16))).toEqual([
        '23:50',
        '00:10',
        '00:40',
        '02:00',
        '02:10',
      ]);
      expect(notesIn(found)).toEqual([`${NOTE} ${CLOCKS}`]);
    }
  });

  test('rows in no order at all, and of several years', async () => {
    const mixed = ['02:10', '02:50', '02:20', '02:55', '02:30'].map((time) => `2025-10-26 ${time},1,1,1,1\n`);
    const given = inZone('Europe/Berlin', { ticks: { afterMs: MINUTE } });
    const head = 'time,open,high,low,close\n';
    expect(await notesOf(head + mixed.join(''), given)).toEqual([expect.stringMatching(/^5 rows .* taken for the first time/)]);
    const years = [2023, 2024, 2025].map((year) => `${year}-10-${[29, 27, 26][year - 2023]} 02:30,1,1,1,1\n${year}-12-01 00:00,1,1,1,1\n`);
    expect(await notesOf(head + years.join(''), given)).toEqual([
      `3 rows of times that came twice are taken for the first time, since the order of rows does not tell: ${CLOCKS.replace(/26$/, '29').replace('2025', '2023')}, and at 2 other changes`,
    ]);
    expect(await notesOf(head + years.slice(0, 1).join(''), given)).toEqual([
      expect.stringMatching(/^1 row of a time that came twice is .*29$/),
    ]);
  });

  test('a date alone is the begin of its day, and counts since 1970 come once', async () => {
    const havana = inZone('America/Havana');
    const days = 'time,open,high,low,close\n2025-11-01,1,1,1,1\n2025-11-02,1,1,1,1\n2025-11-03,1,1,1,1\n';
    expect((await imported(days, inZone('America/Havana', { ticks: { afterMs: MINUTE } }))).played.map(([at]) => at - MINUTE)).toEqual([
      Date.UTC(2025, 10, 1, 4),
      Date.UTC(2025, 10, 2, 4),
      Date.UTC(2025, 10, 3, 5),
    ]);
    expect(await notesOf(days, havana)).toEqual([]);
    // Clocks went from 00:00 to 01:00.
    const spring = 'time,open,high,low,close\n2025-03-08,1,1,1,1\n2025-03-09,1,1,1,1\n2025-03-10,1,1,1,1\n';
    expect((await imported(spring, inZone('America/Havana', { ticks: { afterMs: MINUTE } }))).played[1]?.[0]).toBe(
      Date.UTC(2025, 2, 9, 5) + MINUTE,
    );
    const counts = every(MINUTE, '2025-11-02T03:00Z', '2025-11-02T09:00Z');
    const text = `time,open,high,low,close\n${counts.map((at) => `${at},1,1,1,1\n`).join('')}`;
    expect((await imported(text, havana)).played.map(([at]) => at - MINUTE)).toEqual(counts);
  });
});

describe('clocks that go forward: a time that they leave out is a bad row', () => {
  const CLOCKS = 'was no time: the clocks of Europe/Berlin went forward from 02:00 to 03:00 on 2025-03-30; --zone names the zone of a file';
  const rows = ['01:58', '01:59', '02:30', '03:00', '03:01'];

  test.each([
    ['in one column', 'time', (time: string) => `30.03.2025 ${time}`, "column 'time': '30.03.2025 02:30'"],
    ['in two', 'date,time', (time: string) => `30.03.2025,${time}`, "column 'time': '02:30'"],
  ])('%s', async (_, head, of, cell) => {
    const text = `${head},open,high,low,close\n${rows.map((time) => `${of(time)},1,1,1,1\n`).join('')}`;
    await expect(imported(text, inZone('Europe/Berlin', { map: { bad: 'fail' } }))).rejects.toThrow(
      `bars.csv:4: ${cell} ${CLOCKS}; --bad drop leaves such rows out`,
    );
    const { played, result } = await imported(text, inZone('Europe/Berlin', { map: { bad: 'drop' } }));
    expect(result).toMatchObject({ bad: 1, badRows: [`line 4 ${cell} ${CLOCKS}`] });
    expect(played.map(([at]) => new Date(at - MINUTE).toISOString().slice(11, 16))).toEqual(['00:58', '00:59', '01:00', '01:01']);
  });

  test('in a Parquet file of texts', async () => {
    const columnData = [
      { name: 'time', data: rows.map((time) => `2025-03-30 ${time}`), type: 'STRING' as const },
      { name: 'close', data: rows.map(() => 1), type: 'DOUBLE' as const },
    ];
    const file = new Uint8Array(parquetWriteBuffer({ columnData }));
    await expect(imported(file, inZone('Europe/Berlin'))).rejects.toThrow(`bars.csv: row 3: column 'time': '2025-03-30 02:30' ${CLOCKS}`);
    expect((await imported(file, inZone('Europe/Berlin', { map: { bad: 'drop' } }))).result).toMatchObject({ bad: 1, quotes: 4 });
  });
});

describe('instants round changes of any zone, written as its clocks show them', () => {
  /** The changes of a year, by what the clocks of a zone show and not by the code that is tried. */
  function changesIn(zone: string, year: number): readonly { readonly at: number; readonly backMs: number }[] {
    const local = localClock(zone);
    const ahead = (at: number): number => Date.parse(`${local(at).replace(' ', 'T')}Z`) - at;
    const days = every(24 * HOUR, `${year}-01-01T00:00Z`, `${year + 1}-01-02T00:00Z`);
    const aheads = days.map(ahead);
    return days.slice(0, -1).flatMap((day, n) => {
      const [earlier = 0, later = 0] = [aheads[n], aheads[n + 1]];
      if (earlier === later) return [];
      let [before, at] = [day, day + 24 * HOUR];
      while (at - before > 1) {
        const middle = Math.floor((before + at) / 2);
        if (ahead(middle) === earlier) before = middle;
        else at = middle;
      }
      return [{ at, backMs: earlier - later }];
    });
  }

  const around = fc.uniqueArray(fc.integer({ min: -3 * HOUR, max: 3 * HOUR }), { minLength: 2, maxLength: 40 });

  property.prop(
    [fc.constantFrom(...Intl.supportedValuesOf('timeZone')), fc.integer({ min: 1990, max: 2036 }), fc.nat(), around, fc.boolean()],
    { numRuns: 50 },
  )('come back, in order and newest first, as far as order tells', async (zone, year, which, offsets, isNewestFirst) => {
    const changes = changesIn(zone, year);
    const change = changes[which % Math.max(1, changes.length)];
    fc.pre(change !== undefined);
    if (!change) return;
    // Rows before and behind say which way the file goes.
    const instants = [-4 * HOUR, ...offsets, 4 * HOUR].map((offset) => change.at + offset).sort((a, b) => a - b);
    const first = instants.filter((at) => at >= change.at - change.backMs && at < change.at);
    const second = instants.filter((at) => at >= change.at && at < change.at + change.backMs);
    const [end = Number.NEGATIVE_INFINITY, begin = Number.POSITIVE_INFINITY] = [first.at(-1), second[0]];
    const isTold = end > begin - change.backMs;
    fc.pre(end !== begin - change.backMs);
    const expected = instants.map((at) => (!isTold && second.includes(at) ? at - change.backMs : at));
    const rows = isNewestFirst ? instants.toReversed() : instants;
    const given = inZone(zone, { ticks: { afterMs: 1000 } });
    const found = await imported(barsAt(zone, rows), given);
    // When each row was, by the count that is its price.
    const instantsFound = [...found.played].sort((a, b) => a[1] - b[1]).map(([at]) => at - 1000);
    expect(isNewestFirst ? instantsFound.toReversed() : instantsFound).toEqual(expected);
    const isNoted = !isTold && first.length + second.length > 0;
    expect(notesIn(found).length).toBe(isNoted ? 1 : 0);
  });
});
