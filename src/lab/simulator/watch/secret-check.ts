import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LOGIN, SIGNALS_SECRET, USER } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';

/** Checks that no file of the daemon contains a secret (I15). */
export function checkSecrets(folder: string, violate: Violate): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.ballast')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    if ([USER.secret, USER.apiKey, LOGIN.password, SIGNALS_SECRET].some((secret) => bytes.includes(secret)))
      violate('I15', `${entry.name} has a secret in it`);
  }
}
