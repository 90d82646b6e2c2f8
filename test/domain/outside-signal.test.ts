import { describe, expect, test } from 'vitest';
import { LastSignals, readFields, schemaFault, signalSource, timeIn } from '#domain/outside-signal.ts';

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'flag']));

describe('a schema', () => {
  test.each([
    ['fields of each kind', { score: 'number', note: 'text', isOpen: 'flag', side: ['buy', 'sell'] }],
    ['as many fields as may be', fields(32)],
  ])('is good with %s', (_, schema) => expect(schemaFault(schema)).toBeUndefined());

  test.each([
    ['none at all', null, 'needs a schema'],
    ['no object', 'number', 'needs a schema'],
    ['no field', {}, 'needs 1 to 32 fields'],
    ['a field too many', fields(33), 'needs 1 to 32 fields'],
    ['a field that every signal has', { token: 'text' }, 'token is a field of every signal'],
    ['a name that no name of a field is', { '1st': 'text' }, "1st must be 'number'"],
    ['a kind that is none', { score: 'float' }, "score must be 'number'"],
    ['no word', { side: [] }, "side must be 'number'"],
    ['a word that is none', { side: ['buy', 1] }, "side must be 'number'"],
  ])('is at fault with %s', (_, schema, fault) => expect(schemaFault(schema)).toContain(fault));
});

const schemas = [
  { score: 'number', side: ['buy', 'sell'] },
  { isOpen: 'flag', note: 'text' },
] as const;
const good = { score: 1, side: 'buy', isOpen: true, note: 'x' };

test.each([
  [good, good],
  [
    { ...good, score: '-1.5e3', isOpen: 'false', more: 1 },
    { ...good, score: -1500, isOpen: false },
  ],
  [
    { ...good, isOpen: false },
    { ...good, isOpen: false },
  ],
  [
    { ...good, isOpen: 'true', note: 'x'.repeat(200) },
    { ...good, note: 'x'.repeat(200) },
  ],
])('fields are read as schemas say, also from text: %j', (given, value) => expect(readFields(schemas, given)).toEqual({ value }));

test.each([
  [{ score: '1,5' }, 'score', 'must be a number'],
  [{ score: Number.NaN }, 'score', 'must be a number'],
  [{ score: ' ' }, 'score', 'must be a number'],
  [{ score: `0.${'1'.repeat(200)}` }, 'score', 'must be a number'],
  [{ isOpen: 'yes' }, 'isOpen', 'must be true or false'],
  [{ isOpen: 1 }, 'isOpen', 'must be true or false'],
  [{ side: 'hold' }, 'side', 'must be one of buy, sell'],
  [{ side: 1 }, 'side', 'must be one of buy, sell'],
  [{ note: 1 }, 'note', 'must be text of at most 200 characters'],
  [{ note: 'x'.repeat(201) }, 'note', 'must be text of at most 200 characters'],
  [{ note: '\uD800' }, 'note', 'must be text of at most 200 characters'],
])('a field that is none of its schema is named: %j', (given, field, must) => {
  expect(readFields(schemas, { ...good, ...given })).toEqual({ field, must });
});

test('a field that is missing is told with the one that it was misspelt as', () => {
  const { score, ...others } = good;
  expect(readFields(schemas, { ...others, scor: score })).toEqual({
    field: 'score',
    must: 'must be a number, and is missing: is scor meant to be it?',
  });
});

test('what objects have by themselves is no field of a signal', () => {
  expect(readFields([{ constructor: 'text' } as const], {})).toEqual({
    field: 'constructor',
    must: 'must be text of at most 200 characters',
  });
});

const AT = Date.UTC(2026, 0, 5, 9);

test.each([
  ['2026-01-05T09:00:00Z', AT],
  ['2026-01-05T10:00:00+01:00', AT],
  ['2026-01-05T08:00:00.5-0100', AT + 500],
  [AT / 1000, AT],
  [AT / 1000 + 0.0004, AT],
  [AT, AT],
  [String(AT), AT],
  [1e11, 1e11],
  [0, 0],
  [8.64e15, 8.64e15],
  ['2026-01-05T09:00:00', undefined],
  ['2026-01-05', undefined],
  ['on 2026-01-05T09:00:00Z', undefined],
  ['2026-13-05T09:00:00Z', undefined],
  ['2026-02-30T09:00:00Z', undefined],
  ['1969-01-01T00:00:00Z', undefined],
  [-1, undefined],
  [8.65e15, undefined],
  [true, undefined],
])('a time is ISO 8601 with its zone, or Unix seconds or milliseconds: %j', (given, at) => expect(timeIn(given)).toBe(at));

test('the last signal of a source stays where one comes late that was made before it, as both say', () => {
  const last = new LastSignals();
  const [source, other] = [signalSource('a'), signalSource('b')];
  const past = (id: string, madeAt: number | null, from = source) => ({ at: AT, source: from, signal: { id, madeAt, value: {} } });
  const taken = [past('1', 5), past('2', 4), past('3', 5), past('4', null), past('5', 1), past('6', null, other)].map((one) =>
    last.apply(one),
  );
  expect(taken).toEqual([true, false, true, true, true, true]);
  expect([last.of(source)?.signal.id, last.all().map(({ signal }) => signal.id)]).toEqual(['5', ['5', '6']]);
});
