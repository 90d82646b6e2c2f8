import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hunt } from '#simulator/defects/hunt.ts';
import { PLANTED, plantedNamed, withDefect } from '#simulator/defects/planted.ts';

const sourceOf = (file: string): string => readFileSync(fileURLToPath(new URL(`../../src/${file}`, import.meta.url)), 'utf8');

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
