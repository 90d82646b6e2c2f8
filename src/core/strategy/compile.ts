import path from 'node:path';
import { stop, transform } from 'esbuild';
import { KairosError } from '#domain/errors.ts';
import { CLOCKLESS } from './clockless.ts';
import { INTRINSICS } from './intrinsics.ts';

/** What a strategy reaches by name without having made or imported it. */
const PURE: ReadonlySet<string> = new Set([
  ...INTRINSICS.filter((name) => !['Function', 'Promise', 'WeakRef'].includes(name)),
  ...'undefined NaN Infinity console encodeURI encodeURIComponent decodeURI decodeURIComponent atob btoa WebAssembly'.split(' '),
]);

/** All else that a process has by name is undefined to it, and there is neither a clock nor a random number in what it has. */
const WORLD = Object.fromEntries([
  ...Object.getOwnPropertyNames(globalThis).flatMap((name) => (PURE.has(name) || !/^[\w$]+$/.test(name) ? [] : [[name, 'undefined']])),
  ...CLOCKLESS.names.map((name) => [name, `${CLOCKLESS.global}.${name}`]),
]);

interface CompiledCode {
  readonly code: string;
  readonly map: object;
}

/** What was compiled, by language and source: a process that loads a strategy again starts no compiler for it. */
const done = new Map<string, CompiledCode>();

/** Modules on their way. esbuild is a process of its own, which ends when the last of them is there. */
let compiling = 0;

/**
 * A module as JavaScript that Node can load, with its source map: any TypeScript, also enums, decorators and parameter
 * properties. Rejects with STRATEGY_INVALID with `file:line:column: what` for what does not parse; `name`: the file as errors name it.
 */
export async function compile(file: string, source: string, name: string): Promise<string> {
  const loader = path.extname(file).endsWith('ts') ? 'ts' : 'js';
  const key = JSON.stringify([loader, source]);
  const { code, map } = done.get(key) ?? (await transformed(source, loader, name));
  done.set(key, { code, map });
  const mapped = Buffer.from(JSON.stringify({ ...map, sources: [file] })).toString('base64');
  return `${code}//# sourceMappingURL=data:application/json;base64,${mapped}\n`;
}

async function transformed(source: string, loader: 'ts' | 'js', name: string): Promise<CompiledCode> {
  compiling += 1;
  try {
    const { code, map } = await transform(source, {
      loader,
      format: 'esm',
      target: 'node22',
      sourcemap: 'external',
      sourcesContent: false,
      tsconfigRaw: {},
      define: WORLD,
      logLevel: 'silent',
    });
    return { code, map: JSON.parse(map) };
  } catch (error) {
    const faults = faultsOf(error, name);
    if (faults.length === 0) throw error;
    throw new KairosError('STRATEGY_INVALID', faults.join('\n'), { cause: error });
  } finally {
    compiling -= 1;
    if (compiling === 0) await stop();
  }
}

/** One line for each fault that esbuild found; empty for any other error. */
function faultsOf(error: unknown, name: string): readonly string[] {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return [];
  const found: readonly unknown[] = error.errors;
  return found.flatMap((fault) => {
    if (typeof fault !== 'object' || fault === null || !('text' in fault) || typeof fault.text !== 'string') return [];
    const place = 'location' in fault ? placeOf(fault.location) : '';
    return [`${name}${place}: ${fault.text}`];
  });
}

/** `:line:column`, both from 1; esbuild counts columns from 0. */
function placeOf(location: unknown): string {
  if (typeof location !== 'object' || location === null || !('line' in location) || !('column' in location)) return '';
  return typeof location.column === 'number' ? `:${String(location.line)}:${location.column + 1}` : '';
}
