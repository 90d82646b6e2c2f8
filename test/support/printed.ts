import { stripVTControlCharacters } from 'node:util';
import { Command } from 'commander';
import { vi } from 'vitest';

/** What commands print in this process, without colours. Each of `added` adds one to the program. */
export async function printed(added: readonly ((program: Command) => void)[], words: readonly string[]): Promise<string> {
  let out = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    out += String(chunk);
    return true;
  });
  try {
    const program = new Command().exitOverride();
    for (const add of added) add(program);
    await program.parseAsync([...words], { from: 'user' });
  } finally {
    spy.mockRestore();
  }
  return stripVTControlCharacters(out);
}
