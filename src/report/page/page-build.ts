import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Esbuild from 'esbuild';

/** Layout of what is kept; part of its name. */
const LAYOUT = 4;
/** Beside what is kept: the files that it was built from, seen from the source's folder. */
const INPUTS = 'inputs.json';
/** Taken as they are, where they are there. */
const WHOLE = ['index.html', 'icon.svg'];

/** The source of a page, and where built ones are kept; null for nowhere. */
export interface BuildTask {
  readonly source: string;
  readonly cache: string | null;
}

/** A built file, by its name. */
export interface BuiltFile {
  readonly name: string;
  readonly body: Uint8Array;
}

/** What was built, and the files that it was built from, also those of other folders and of packages. */
interface Bundle {
  readonly files: readonly BuiltFile[];
  readonly inputs: readonly string[];
}

/**
 * The files of a page from its source in TypeScript, minified. What was built is kept in a folder named by the content of all files that
 * it was built from, which may be deleted at any time; other builds in it are removed. Without such a folder nothing is kept.
 */
export function builtPage({ source, cache }: BuildTask): readonly BuiltFile[] {
  const kept = cache === null ? undefined : keptIn(cache, source);
  if (kept) return kept;
  const { files, inputs } = bundle(source);
  if (cache !== null) {
    const list = { name: INPUTS, body: Buffer.from(JSON.stringify(inputs)) };
    keep([...files, list], { cache, name: nameOf(source, inputs) });
  }
  return files;
}

/** What is kept and was built from the files as they are now. */
function keptIn(cache: string, source: string): readonly BuiltFile[] | undefined {
  try {
    const name = readdirSync(cache).find((one) => one === nameOf(source, inputsOf(path.join(cache, one, INPUTS))));
    return name === undefined ? undefined : filesIn(path.join(cache, name));
  } catch {
    // Nothing was kept yet, or it is of another layout or incomplete: it is built again.
    return undefined;
  }
}

function inputsOf(list: string): readonly string[] {
  const inputs: unknown = JSON.parse(readFileSync(list, 'utf8'));
  return Array.isArray(inputs) ? inputs.map(String) : [];
}

/** Loaded where a page is built at all: what was built before is kept. */
const esbuild = (): typeof Esbuild => createRequire(import.meta.url)('esbuild');

function bundle(source: string): Bundle {
  const { outputFiles, metafile } = esbuild().buildSync({
    absWorkingDir: source,
    entryPoints: [path.join(source, 'main.tsx'), path.join(source, 'style.css')],
    metafile: true,
    outdir: source,
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const taken = WHOLE.filter((name) => existsSync(path.join(source, name)));
  const whole = taken.map((name) => ({ name, body: readFileSync(path.join(source, name)) }));
  const files = [...outputFiles.map((file) => ({ name: path.basename(file.path), body: file.contents })), ...whole];
  return { files, inputs: [...Object.keys(metafile.inputs), ...taken].sort() };
}

function keep(files: readonly BuiltFile[], { cache, name }: { readonly cache: string; readonly name: string }): void {
  const work = path.join(cache, `${name}.${process.pid}`);
  try {
    mkdirSync(work, { recursive: true, mode: 0o700 });
    for (const file of files) writeFileSync(path.join(work, file.name), file.body, { mode: 0o600 });
    renameSync(work, path.join(cache, name));
    for (const other of readdirSync(cache)) if (other !== name) rmSync(path.join(cache, other), { recursive: true, force: true });
  } catch {
    // The disk is full or read-only, or another daemon was faster: the next start builds it again.
    rmSync(work, { recursive: true, force: true });
  }
}

const filesIn = (folder: string): readonly BuiltFile[] =>
  readdirSync(folder)
    .filter((name) => name !== INPUTS)
    .map((name) => ({ name, body: readFileSync(path.join(folder, name)) }));

/** By the content of each file. Throws where a file is gone. */
function nameOf(source: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(`\n${input}\n`).update(readFileSync(path.join(source, input)));
  return `${hash.digest('hex').slice(0, 32)}.v${LAYOUT}`;
}
