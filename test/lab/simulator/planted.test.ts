import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hunt } from '#lab/simulator/defects/hunt.ts';
import { scoreText, soundHistories, tryMutant } from '#lab/simulator/defects/mutants.ts';
import { PLANTED, plantedNamed, withDefect } from '#lab/simulator/defects/planted.ts';

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

  test.each([
    ['fee-twice', 'books'],
    ['re-serialised-body', 'I1[23]'],
    ['resend-on-time-out', 'I02'],
    ['rounding-up', 'I11'],
  ])('%s is found by the simulator alone', async (name, invariant) => {
    const { found } = await hunt(plantedNamed(name), { first: 1, most: 12, hours: 0.15, cores: 1 });
    expect(found?.invariant).toMatch(new RegExp(`^${invariant}$`));
  });
});

describe('drawn mutants', () => {
  const file = 'core/risk/last-gate.ts';
  const seen = "globalThis.__stryker__.mutantCoverage.perTest.played['1'] = true";
  const active = "globalThis.__stryker__.activeMutant === '1'";

  test.each([
    [
      'lets no order pass',
      'if (this.latch.isSet)',
      `if ((${seen}) && (${active} || this.latch.isSet))`,
      { seeds: 1, unlike: 1, found: 'idle' },
    ],
    ['changes nothing', 'if (this.latch.isSet)', `if ((${seen}) && this.latch.isSet)`, { seeds: 1, unlike: 0, found: undefined }],
    [
      'is never reached',
      'export class RealTimeGate',
      `export const never = (): boolean => (${seen});\nexport class RealTimeGate`,
      { seeds: 0, unlike: 0, found: undefined },
    ],
  ])('one that %s is told so', async (_what, find, put, expected) => {
    const sources = mkdtempSync(path.join(tmpdir(), 'kairos-mutant-'));
    onTestFinished(() => rmSync(sources, { recursive: true, force: true }));
    writeFileSync(path.join(sources, file.replaceAll('/', '-')), sourceOf(file).replace(find, put));
    const mutant = { id: '1', room: 'risk', file, line: 1, mutator: 'ConditionalExpression', text: find, replacement: put };
    const trial = { sources, cores: 1, most: 1, patienceMs: 200_000 };
    const tried = await tryMutant(mutant, await soundHistories(['1'], 0.15, trial), trial);
    const { seeds, unlike, found } = tried;
    expect({ seeds, unlike, found: found?.invariant }).toEqual(expected);
    const broke = expected.found === undefined ? 0 : 1;
    expect(scoreText([tried])).toContain(expected.seeds > 0 ? `were reached ${broke} broke an invariant` : '1 of 1 were never reached');
  });
});
