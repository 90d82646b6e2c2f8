import { describe, expect, test } from 'vitest';
import { programFor, wholeProgram } from '#cli/commands.ts';

describe('kairos --help', () => {
  test('all: lists every command with what it is for, without loading one', async () => {
    const listed = (await programFor(['--help', 'all'])).helpInformation();
    for (const command of (await wholeProgram()).commands) expect(listed).toContain(command.name());
    expect(listed).toContain('Act on a running daemon:');
  });

  test('begins with five commands, and says where the others are', async () => {
    let shown = '';
    const program = (await programFor(['--help'])).configureOutput({ writeOut: (text) => (shown += text), getOutHelpWidth: () => 100 });
    program.outputHelp();
    expect(program.commands.map((one) => one.name())).toEqual(['init', 'run', 'status', 'why', 'backtest']);
    expect(shown).toContain('kairos --help all');
  });
});
