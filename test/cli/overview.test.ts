import { describe, expect, test } from 'vitest';
import { overviewAsked, overviewProgram } from '#cli/overview.ts';
import { kairosProgram } from '#cli/program.ts';

describe('kairos --help', () => {
  test('is the help of the whole program, word for word, without loading a command', () => {
    for (const width of [60, 80, 200]) {
      const [overview, whole] = [overviewProgram('all'), kairosProgram()].map((program) =>
        program.configureOutput({ getOutHelpWidth: () => width }).helpInformation(),
      );
      expect(overview).toBe(whole);
    }
  });

  test.each([
    [['--help'], 'first'],
    [['-h'], 'first'],
    [['--help', 'all'], 'all'],
    [['--version'], 'first'],
    [['--version', 'all'], null],
    [['run', '--help'], null],
    [['--help', 'run'], null],
    [[], null],
  ])('%j: %s', (words, asks) => {
    expect(overviewAsked(words)).toBe(asks);
  });

  test('begins with five commands, and says where the others are', () => {
    let shown = '';
    const program = overviewProgram('first').configureOutput({ writeOut: (text) => (shown += text), getOutHelpWidth: () => 100 });
    program.outputHelp();
    expect([...shown.matchAll(/^ {2}(\w[\w-]*) /gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(['init', 'run', 'status', 'why', 'backtest']),
    );
    expect(program.commands).toHaveLength(5);
    expect(shown).toContain('kairos --help all');
  });
});
