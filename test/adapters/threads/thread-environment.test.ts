import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../support/root.ts';

/** What a thread of a process sees: its environment, and whether it keeps compiled source where the process does. */
const SEEN = `
import module from 'node:module';
import { Worker } from 'node:worker_threads';
import { threadEnvironment } from ${JSON.stringify(path.join(ROOT, 'src/adapters/threads/thread.ts'))};
const code = "require('node:worker_threads').parentPort.postMessage([Object.keys(process.env).sort(), require('node:module').getCompileCacheDir() ?? null])";
new Worker(code, { eval: true, execArgv: [], env: threadEnvironment() }).once('message', ([names, dir]) =>
  console.log(JSON.stringify({ names, same: dir === (module.getCompileCacheDir() ?? null), kept: dir !== null })),
);
`;

test("threads keep compiled source where the process does, know the user's folders, and see nothing else of its environment", () => {
  const cache = mkdtempSync(path.join(tmpdir(), 'kairos-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const seen = (env: Record<string, string>): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', SEEN], { env: { KAIROS_SECRET: 'no', ...env }, encoding: 'utf8' }),
    );
  expect(seen({ NODE_COMPILE_CACHE: cache })).toEqual({ names: ['NODE_COMPILE_CACHE'], same: true, kept: true });
  const folders = { HOME: cache, XDG_STATE_HOME: cache };
  expect(seen(folders)).toEqual({ names: Object.keys(folders), same: true, kept: false });
  expect(seen({})).toEqual({ names: [], same: true, kept: false });
});
