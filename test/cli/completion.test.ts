import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { wholeProgram } from '#cli/commands.ts';
import { folderOfTests } from '../support/folder.ts';

const folder = folderOfTests();

/** The file that `kairos completion SHELL` prints. */
async function scriptFor(shell: string): Promise<string> {
  const printed: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  try {
    await (await wholeProgram()).parseAsync(['node', 'kairos', 'completion', shell]);
  } finally {
    process.stdout.write = write;
  }
  const file = path.join(folder, `kairos.${shell}`);
  writeFileSync(file, printed.join(''));
  return file;
}

/** What bash offers after words, the last of which is being typed. */
function offered(script: string, ...words: readonly string[]): readonly string[] {
  const typed = ['kairos', ...words];
  const code = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kairos; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', code, 'bash', script, ...typed], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

describe('Tab at a shell', () => {
  test('bash offers commands, then their subcommands and options, and the values of a choice', async () => {
    const script = await scriptFor('bash');
    expect(offered(script, '')).toEqual(expect.arrayContaining(['run', 'status', 'journal', 'completion', '--help']));
    expect(offered(script, 'jo')).toEqual(['journal']);
    expect(offered(script, 'journal', 't')).toEqual(['tail']);
    expect(offered(script, 'journal', '--json', 'tail', '--f')).toEqual(['--follow']);
    expect(offered(script, 'order', 'btcusd', '--s')).toEqual(expect.arrayContaining(['--size', '--set']));
    expect(offered(script, 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(offered(script, 'nothing', 'st')).toEqual(['status', 'strategies']);
  });

  test('zsh takes its file', { tags: 'zsh' }, async () => {
    expect(spawnSync('zsh', ['-n', await scriptFor('zsh')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  test('fish offers the same', { tags: 'fish' }, async () => {
    const code = `source ${await scriptFor('fish')}; complete -C 'kairos journal t'`;
    expect(execFileSync('fish', ['-c', code], { encoding: 'utf8' })).toMatch(/^tail\b/m);
  });

  test('each file names every command and every long option', async () => {
    const { commands } = await wholeProgram();
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = readFileSync(await scriptFor(shell), 'utf8');
      for (const command of commands) expect(text).toContain(command.name());
    }
  });
});
