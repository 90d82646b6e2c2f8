import { expect, onTestFinished, test, vi } from 'vitest';
import { printError, usageText } from '#cli/errors.ts';
import { KairosError } from '#domain/errors.ts';

test.each([
  [true, new KairosError('NOT_FOUND', 'no run x'), /^kairos: no run x \(.*kairos(\.mjs)? docs NOT_FOUND\)\n$/],
  [false, new KairosError('NOT_FOUND', 'no run x'), /^kairos: no run x\n$/],
  [true, new Error('a bug'), /^kairos: a bug \(unexpected; run with --debug to see where\)\n$/],
])('on a terminal (%s) the line of a known error ends with the command that finds its code', (isTTY, error, line) => {
  const before = process.stderr.isTTY;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    process.stderr.isTTY = before;
  });
  process.stderr.isTTY = isTTY;
  printError(error, false);
  expect(write.mock.calls.flat().join('')).toMatch(line);
});

test.each(['threads', 'workers'])('who types --%s is told of --jobs', (name) => {
  expect(usageText(`error: unknown option '--${name}'\n(Did you mean --trials?)\n`)).toBe(
    `kairos: unknown option '--${name}' (did you mean --jobs?)\n`,
  );
});
