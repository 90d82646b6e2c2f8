import { expect, test, vi } from 'vitest';
import { printError } from '#cli/errors.ts';

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
