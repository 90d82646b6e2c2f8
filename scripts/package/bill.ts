import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface LockEntry {
  readonly dev?: boolean;
  readonly devDependencies?: unknown;
}

/**
 * What an install brings, with versions, hashes and licences: a bill of materials in CycloneDX, by the lock file. npm is shown a lock
 * without tools: asked to leave them out, it also leaves out what they share with Kairos.
 */
export function billOfMaterials(root: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-bill-'));
  try {
    const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = readJson(path.join(root, 'package-lock.json'));
    const installed = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    const packages = installed.map(([where, { devDependencies, ...one }]) => [where, one]);
    const { devDependencies, ...own }: LockEntry & { readonly name: string } = readJson(path.join(root, 'package.json'));
    // npm calls the whole by the name of its folder.
    const project = path.join(folder, own.name);
    mkdirSync(project);
    writeFileSync(path.join(project, 'package.json'), JSON.stringify(own));
    writeFileSync(path.join(project, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }));
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    return execFileSync('npm', ['sbom', ...options], { cwd: project, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readJson = <Value>(file: string): Value => JSON.parse(readFileSync(file, 'utf8'));
