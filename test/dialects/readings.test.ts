import { describe, expect, test } from 'vitest';
import { allReadings, type PointName } from '#adapters/service-client/dialect/dialect.ts';
import { judge } from './judge.ts';
import { type Grade, trialOf } from './trial.ts';
import { runInDialect } from './world.ts';

/** What the client may come to in a reading alone, by how it is said to meet it. */
const EXPECTED: Readonly<Record<string, readonly Grade[]>> = {
  set: ['set', 'trades'],
  stands: ['stands', 'set', 'trades'],
};

/** Where it is read whether an order was executed, and with which figures. Of each, one dialect has one reading, or they would hide each other. */
const OUTCOME: readonly PointName[] = ['word', 'wordField', 'flags', 'answerStatus', 'answerWrap', 'answerForm'];
const FIGURES: readonly PointName[] = ['ids', 'figuresTold', 'value', 'fills', 'feeTold'];

const others = allReadings().filter(({ own }) => !own);

/** Every reading in which it trades is in one of these dialects; figures in none whose answers cannot be read. */
function tradingDialects(): readonly (readonly string[])[] {
  const trading = others.filter(({ client }) => client === 'trades');
  const of = (points: readonly PointName[]) => points.flatMap((point) => trading.filter((reading) => reading.point === point));
  const [outcomes, figures] = [of(OUTCOME), of(FIGURES)];
  const rest = Object.values(Object.groupBy(trading, ({ point }) => point)).filter(
    (readings = []) => !readings.some((reading) => outcomes.includes(reading) || figures.includes(reading)),
  );
  return outcomes.map((outcome, n) =>
    [outcome, figures[n], ...rest.map((readings, at) => readings?.[(n + at) % outcomes.length])].flatMap((reading) => reading?.name ?? []),
  );
}

describe('each reading of what the specification leaves open: it trades with equal books, or one line names the mend', () => {
  test.each(tradingDialects().map((names) => [names]))('%j: trades', async (names) => {
    const { grade, why } = await trialOf(names);
    expect(grade, why).toBe('trades');
  });

  test('no reading in which it trades is left out', () => {
    const trading = others.filter(({ client }) => client === 'trades').map(({ name }) => name);
    expect(tradingDialects().flat().sort()).toEqual(trading.sort());
  });

  const alone = others.filter(({ client }) => client !== 'trades');
  test.each(alone.map(({ name, client }) => [name, client] as const))('%s: %s', async (name, client) => {
    const { grade, why } = await trialOf([name]);
    expect(EXPECTED[client], `${grade}: ${why}`).toContain(grade);
  });
});

test('a fee that no answer tells and that is taken in another currency is called into doubt, and named by service.feeIn', async () => {
  expect(await trialOf(['fee-in-base', 'fee-untold'])).toMatchObject({ grade: 'set' });
});

/** What the line of an answer whose fee does not fit proposes, and what is left then. */
test.each<[string, RegExp | null]>([
  ['fee-zero', null],
  // No fee is taken, the one of the quotes is booked: the books are apart by it, and a line says that fees are in doubt.
  ['net-size', /^the ledger says \S+ usd, the service \S+$/],
])('%s: who sets service.ignoredFields as the line says trades on, and is never unsafe', async (name, apart) => {
  const before = await runInDialect({ dialect: [name], set: [] }, judge);
  expect(before.lines.join('\n')).toContain('set service.ignoredFields: [fee]');
  const after = await runInDialect({ dialect: [name], set: ['service.ignoredFields=["fee"]'] }, judge);
  expect(after.unsafe).toEqual([]);
  expect(after.short).toEqual(apart === null ? [] : [expect.stringMatching(apart)]);
  expect(after.lines.join('\n')).toContain('set service.feeIn to quote, base or received');
});
