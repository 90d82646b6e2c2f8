import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const made = (): string => mkdtempSync(path.join(tmpdir(), 'kairos-test-'));
const remove = (folder: string) => () => rmSync(folder, { recursive: true, force: true });

/** A folder of its own for one test, gone afterwards. */
export function newFolder(): string {
  const folder = made();
  onTestFinished(remove(folder));
  return folder;
}

/** A folder for the tests of a file, gone after the last of them; asked for outside of tests. */
export function folderOfTests(): string {
  const folder = made();
  afterAll(remove(folder));
  return folder;
}
