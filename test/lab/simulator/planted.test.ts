import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { hunt } from '#lab/simulator/defects/hunt.ts';
import { scoreText, soundHistories, tryMutant } from '#lab/simulator/defects/mutants.ts';
import { PLANTED, plantedNamed, withDefect } from '#lab/simulator/defects/planted.ts';
import { folderOfTests } from '../../support/folder.ts';

const sourceOf = (file: string): string => readFileSync(fileURLToPath(new URL(`../../../src/${file}`, import.meta.url)), 'utf8');

describe('planted defects', () => {
  test.each(PLANTED.map((defect) => [defect.name, defect] as const))('%s still fits the code', (_name, defect) => {
    expect(withDefect(sourceOf(defect.file), defect)).not.toBe(sourceOf(defect.file));
  });

  test('one that does not fit any more fails loudly', () => {
    const [defect] = PLANTED;
    if (!defect) throw new Error('no defect is planted');
    expect(() => withDefect('another source', defect)).toThrow(`does not fit src/${defect.file} any more`);
    expect(() => plantedNamed('sloth')).toThrow('no defect is called "sloth"');
  });

  // From the seed on that finds it: those before it, which find nothing, took most of the time.
  test.each([
    ['fee-twice', 'books', 2],
    ['re-serialised-body', 'I1[23]', 1],
    ['resend-on-time-out', 'I02', 8],
    ['rounding-up', 'I11', 2],
  ])('%s is found by the simulator alone', async (name, invariant, first) => {
    const { found } = await hunt(plantedNamed(name), { first, most: 12, hours: 0.15, cores: 1 });
    expect(found?.invariant).toMatch(new RegExp(`^${invariant}$`));
  });
});

describe('drawn mutants', () => {
  const file = 'core/risk/last-gate.ts';
  const seen = (id: string): string => `globalThis.__stryker__.mutantCoverage.perTest.played['${id}'] = 1`;
  const isStopped = `(${seen('1')}, ${seen('2')}, globalThis.__stryker__.activeMutant === '1' || this.latch.isSet)`;
  /** All of them stand in one source, as Stryker puts them. */
  const source = sourceOf(file)
    .replace('this.latch.isSet', `globalThis.__stryker__.differing(${isStopped}, [['4', () => this.latch.isSet]])`)
    .replace('export class RealTimeGate', `export const never = (): boolean => (${seen('3')});\nexport class RealTimeGate`);
  const sources = folderOfTests();
  const trial = { sources, cores: 1, patienceMs: 200_000 };
  let histories: Awaited<ReturnType<typeof soundHistories>>;
  beforeAll(async () => {
    writeFileSync(path.join(sources, file.replaceAll('/', '-')), source);
    histories = await soundHistories(['1'], 0.15, trial);
  });

  test.each([
    ['lets no order pass', '1', { seeds: 1, unlike: 1, found: 'idle' }, 'of 1 mutants that were reached 1 were found, 100 %: 1 broke'],
    ['changes nothing', '2', { seeds: 1, unlike: 0, found: undefined }, 'of 1 mutants that were reached 0 were found, 0 %'],
    ['is never reached', '3', { seeds: 0, unlike: 0, found: undefined }, '1 of 1 were never reached'],
    ['never makes a difference', '4', { seeds: 0, unlike: 0, found: undefined }, 'of 1 mutants that were reached 0 were found, 0 %'],
  ])('one that %s is told so', async (_what, id, expected, says) => {
    const mutant = { id, room: 'risk', file, line: 1, mutator: 'ConditionalExpression', text: '', replacement: '' };
    const tried = await tryMutant(mutant, histories, trial);
    const { seeds, unlike, found } = tried;
    expect({ seeds, unlike, found: found?.invariant }).toEqual(expected);
    expect(scoreText([tried])).toContain(says);
  });
});
