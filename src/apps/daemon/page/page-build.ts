import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { VERSION } from '#apps/assembly/package.ts';
import type { BuildTask, BuiltFile } from './page-files.ts';

/** Layout of what is kept; part of its name. */
const LAYOUT = 1;

/**
 * The files of the page from its source in TypeScript, minified. What was built is kept in a folder named by the content of the
 * source, which may be deleted at any time; other builds in it are removed. Without such a folder nothing is kept.
 */
export async function builtPage({ source, cache }: BuildTask): Promise<readonly BuiltFile[]> {
  if (cache === null) return bundle(source);
  const name = `${hashOf(source)}.v${LAYOUT}`;
  const folder = path.join(cache, name);
  if (existsSync(folder)) return filesIn(folder);
  const files = await bundle(source);
  keep(files, { cache, name });
  return files;
}

async function bundle(source: string): Promise<readonly BuiltFile[]> {
  const { outputFiles } = await build({
    entryPoints: [path.join(source, 'main.tsx'), path.join(source, 'style.css')],
    outdir: source,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const whole = ['index.html', 'icon.svg'].map((name) => ({ name, body: readFileSync(path.join(source, name)) }));
  return [...outputFiles.map((file) => ({ name: path.basename(file.path), body: file.contents })), ...whole];
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
  readdirSync(folder).map((name) => ({ name, body: readFileSync(path.join(folder, name)) }));

/** Hashes every source file and the version of Kairos, which stands for the versions of bundled packages. */
function hashOf(source: string): string {
  const hash = createHash('sha256').update(VERSION);
  for (const file of readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort()) {
    hash.update(`\n${path.relative(source, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 32);
}
