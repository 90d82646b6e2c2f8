import path from 'node:path';
import { transformSync } from 'esbuild';
import { KairosError } from '#domain/errors.ts';

/**
 * A module as JavaScript that Node can load, with its source map: any TypeScript, also enums, decorators and parameter
 * properties. Throws STRATEGY_INVALID with `file:line:column: what` for what does not parse.
 */
export function compile(file: string, source: string): string {
  try {
    const { code } = transformSync(source, {
      sourcefile: file,
      loader: path.extname(file).endsWith('ts') ? 'ts' : 'js',
      format: 'esm',
      target: 'node22',
      sourcemap: 'inline',
      sourcesContent: false,
      tsconfigRaw: {},
      logLevel: 'silent',
    });
    return code;
  } catch (error) {
    const faults = faultsOf(error, file);
    if (faults.length === 0) throw error;
    throw new KairosError('STRATEGY_INVALID', faults.join('\n'), { cause: error });
  }
}

/** One line for each fault that esbuild found; empty for any other error. */
function faultsOf(error: unknown, file: string): readonly string[] {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return [];
  const found: readonly unknown[] = error.errors;
  return found.flatMap((fault) => {
    if (typeof fault !== 'object' || fault === null || !('text' in fault) || typeof fault.text !== 'string') return [];
    const place = 'location' in fault ? placeOf(fault.location) : '';
    return [`${file}${place}: ${fault.text}`];
  });
}

/** `:line:column`, both from 1; esbuild counts columns from 0. */
function placeOf(location: unknown): string {
  if (typeof location !== 'object' || location === null || !('line' in location) || !('column' in location)) return '';
  return typeof location.column === 'number' ? `:${String(location.line)}:${location.column + 1}` : '';
}
