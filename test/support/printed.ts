import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { programFor } from '#cli/commands.ts';

/** What a command prints in this process, without colours. */
export async function printed(words: readonly string[]): Promise<string> {
  let out = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    out += String(chunk);
    return true;
  });
  try {
    const program = await programFor(words);
    await program.parseAsync([...words], { from: 'user' });
  } finally {
    spy.mockRestore();
  }
  return stripVTControlCharacters(out);
}
