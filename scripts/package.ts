import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptValues } from '#assembly/script-options.ts';
import { billOfMaterials } from './package/bill.ts';
import { declarations } from './package/declarations.ts';
import { PackageFacts } from './package/manifest.ts';
import { builtModules, builtName, reached } from './package/modules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = path.join(ROOT, 'src');

/** Copied as they are. Strategies are compiled as they are loaded, the page as it is first asked for. */
const COPIED = ['LICENSE', 'README.md', 'bin', 'config', 'deploy', 'docs', 'ecosystem.config.js', 'examples', 'strategies', 'web'];
const SCRIPTS = ['scripts/ensure-node.mjs', 'scripts/own-modules.mjs', 'scripts/own-node.mjs'];
/** Of those, what nobody reads who runs it. */
const LEFT_OUT = /\.test\.ts$|^docs\/images|^docs\/.*\.(?:txt|json)$|^config\/schema\.json$/;

const { to } = scriptValues({
  name: 'package',
  does: 'Builds the package that users install, into FOLDER/package, and packs it into FOLDER/kairos-VERSION.tgz; beside it what it is built on, as CycloneDX.',
  options: { to: { type: 'string', value: 'FOLDER', default: 'dist', says: 'folder of what is built' } },
});
await pack(path.resolve(ROOT, to));

async function pack(to: string): Promise<void> {
  const facts = new PackageFacts(ROOT);
  const folder = path.join(to, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const sources = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(SOURCE, path.join(parentPath, name)));
  const isModule = (file: string): boolean => file.endsWith('.ts');
  const modules = await builtModules(SOURCE, sources.filter(isModule));
  const running = reached(modules, ['cli/main.js', 'cli/uninstalled.js', ...facts.exported.map(builtName)]);
  for (const { path: file, text } of [...running, ...declarations(ROOT, facts.exported)]) write(path.join(folder, 'lib', file), text);
  for (const asset of sources.filter((file) => !isModule(file))) copy(path.join('src', asset), path.join(folder, 'lib', asset));

  for (const name of [...COPIED, ...SCRIPTS]) copy(name, path.join(folder, name));
  const files = [...COPIED.filter((name) => !/^[A-Z]/.test(name)), 'lib', 'scripts'].sort();
  write(path.join(folder, 'package.json'), `${JSON.stringify(facts.manifest(files), null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', to], { cwd: folder, stdio: 'ignore' });
  writeFileSync(path.join(to, facts.tarball.replace(/tgz$/, 'cdx.json')), billOfMaterials(ROOT));
  console.log(path.join(to, facts.tarball));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(name: string, to: string): void {
  cpSync(path.join(ROOT, name), to, { recursive: true, filter: (from) => !LEFT_OUT.test(path.relative(ROOT, from)) });
}
