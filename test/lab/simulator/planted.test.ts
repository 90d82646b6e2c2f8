import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Crew } from '#lab/simulator/campaign/crew.ts';
import { hunt } from '#lab/simulator/defects/hunt.ts';
import { scoreText, tryMutant } from '#lab/simulator/defects/mutants.ts';
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
  const counted = '(globalThis.__stryker__.hitCount += 1) > 0';

  test.each([
    ['lets no order pass', 'if (this.latch.isSet)', `if (${counted})`, { isReached: true, found: 'idle' }],
    [
      'is never reached',
      'export class RealTimeGate',
      `export const never = (): boolean => ${counted};\nexport class RealTimeGate`,
      {
        isReached: false,
        found: null,
      },
    ],
  ])('one that %s is told so', async (_what, find, put, expected) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kairos-mutant-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const source = path.join(folder, 'last-gate.ts');
    writeFileSync(source, sourceOf(file).replace(find, put));
    const mutant = { id: '1', room: 'risk', file, line: 1, mutator: 'ConditionalExpression', text: find, replacement: put, source };
    const sound = new Crew({ size: 1 });
    const tried = await tryMutant(mutant, sound, { first: 1, most: 1, hours: 0.15, patienceMs: 200_000 });
    sound.close();
    expect(tried).toMatchObject({ ...expected, seeds: 1 });
    expect(scoreText([tried])).toContain(expected.isReached ? '1 of 1 mutants that were reached' : '1 of 1 were never reached');
  });
});
