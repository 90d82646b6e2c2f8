// Plain JS that any Node >= 14.8 can parse.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The Node that an install brings; undefined where it brings none. npm puts it below Kairos or beside it. */
export function ownNode() {
  try {
    const { resolve } = createRequire(import.meta.url);
    const node = path.join(path.dirname(resolve(`node-${process.platform}-${process.arch}/package.json`)), 'bin/node');
    return existsSync(node) ? node : undefined;
  } catch {
    // Not for this machine, or left out by `--omit=optional`.
    return undefined;
  }
}
