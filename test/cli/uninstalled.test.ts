import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { printError } from '#cli/errors.ts';
import { folder } from '../config/support.ts';
import { ROOT } from '../support/root.ts';

test.each([
  [
    "Cannot find package '@babel/parser' imported from /kairos/src/core/strategy/source-syntax.ts",
    /'@babel\/parser' .*: run npm ci in \/.+\n$/,
  ],
  ["Cannot find module '/kairos/src/gone.ts' imported from /kairos/src/cli/main.ts", /\(unexpected; run with --debug to see where\)\n$/],
])('%s: a package that is not installed says how to install it', (message, line) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    printError(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }), false);
    expect(write.mock.calls.flat().join('')).toMatch(line);
  } finally {
    write.mockRestore();
  }
});

test('where the very parser of the command line is not installed, one line says so, and no stack', () => {
  const copy = folder();
  const needed = ['package.json', 'bin', 'scripts', 'src/cli', 'src/domain'];
  for (const one of needed) cpSync(path.join(ROOT, one), path.join(copy, one), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(copy, 'bin/kairos.mjs'), 'status'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^kairos: Cannot find package 'commander' imported from \S+: run npm ci in \S+\n$/);
});
