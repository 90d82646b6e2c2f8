import { describe, expect, test } from 'vitest';
import {
  allReadings,
  DIALECT,
  dialectOf,
  drawnReadings,
  meetingOf,
  OWN_DIALECT,
  READINGS,
  readDialect,
} from '#adapters/service-client/dialect/dialect.ts';
import { loadConfig } from '#config/load.ts';

describe('what the specification leaves open', () => {
  test('each reading has a name of its own, so that a name alone says which place it is about', () => {
    expect(new Set(READINGS).size).toBe(allReadings().length);
    expect(READINGS.filter((name) => !/^[a-z0-9-]{4,40}$/i.test(name))).toEqual([]);
  });

  test('the paper venue reads each place by its first reading, and that needs no setting', () => {
    const own = allReadings().filter((reading) => reading.own);
    expect(own.map(({ point }) => point)).toEqual(Object.keys(DIALECT));
    expect(own.filter(({ client }) => client !== 'trades')).toEqual([]);
    expect(Object.values(OWN_DIALECT)).toEqual(own.map(({ name }) => name));
  });

  test('settings that name a reading are settings that there are, and only readings that need one have them', () => {
    for (const { name, client, set } of allReadings()) {
      expect({ name, named: Object.keys(set).length > 0 }).toEqual({ name, named: client === 'set' });
      const given = Object.entries(meetingOf([name]).set).map(([key, value]) => `${key}=${value}`);
      expect(() => loadConfig({ files: [], set: given, env: {}, cwd: '/tmp', live: false, isVenue: true })).not.toThrow();
    }
  });

  test('a name that is none is told its nearest, and two readings of one place are refused', () => {
    expect(dialectOf(['upper-currencys'])).toContain('did you mean upper-currencies?');
    expect(dialectOf(['answer-200', 'answer-202'])).toContain('answer-200 and answer-202');
    expect(dialectOf(['answer-200', 'word-settled'])).toMatchObject({ answerStatus: 'answer-200', word: 'word-settled', ids: 'new-ids' });
  });

  test('a seed draws the same dialect each time, and enough seeds draw every reading', () => {
    const drawn = Array.from({ length: 3000 }, (_, seed) => drawnReadings(String(seed)));
    expect(drawnReadings('7')).toEqual(drawn[7]);
    expect(drawn.filter((names) => typeof dialectOf(names) === 'string')).toEqual([]);
    const others = allReadings().filter(({ own }) => !own);
    expect(others.filter(({ name }) => !drawn.some((names) => names.includes(name)))).toEqual([]);
    expect(readDialect(['seed:7', 'seed:7'])).toEqual(drawn[7]);
  });

  test('where the body of an answer cannot be read, its status is named', () => {
    expect(meetingOf(['answer-200', 'answer-html'])).toEqual({ client: 'set', set: { 'service.outcomes': '{"200":"accepted"}' } });
    expect(meetingOf(['upper-currencies', 'answer-202-open', 'sides-lower']).client).toBe('stands');
  });
});
