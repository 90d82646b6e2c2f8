import { appendFileSync, readFileSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';

/** Adds to a `.gitignore` the lines of `whole` that it lacks, and returns them. Throws USAGE if it cannot be read or written. */
export function completeIgnored(file: string, whole: string): readonly string[] {
  try {
    const own = readFileSync(file, 'utf8');
    const has = new Set(linesOf(own));
    const lacking = linesOf(whole).filter((line) => !has.has(line));
    if (lacking.length > 0) appendFileSync(file, `${own === '' || own.endsWith('\n') ? '' : '\n'}${lacking.join('\n')}\n`);
    return lacking;
  } catch (error) {
    throw new KairosError('USAGE', `${file} cannot be completed: ${messageOf(error)}`);
  }
}

/** The lines that are neither empty nor remarks. */
const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' || line.startsWith('#') ? [] : [line.trim()]));
