import { describe, expect, test } from 'vitest';
import { asksForOverview, overviewProgram } from '#cli/overview.ts';
import { kairosProgram } from '#cli/program.ts';

describe('kairos --help', () => {
  test('is the help of the whole program, word for word, without loading a command', () => {
    for (const width of [60, 80, 200]) {
      const [overview, whole] = [overviewProgram(), kairosProgram()].map((program) =>
        program.configureOutput({ getOutHelpWidth: () => width }).helpInformation(),
      );
      expect(overview).toBe(whole);
    }
  });

  test.each([
    [['--help'], true],
    [['-h'], true],
    [['--version'], true],
    [['run', '--help'], false],
    [['--help', 'run'], false],
    [[], false],
  ])('%j: %s', (words, asks) => {
    expect(asksForOverview(words)).toBe(asks);
  });
});
