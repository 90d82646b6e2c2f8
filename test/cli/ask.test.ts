import { expect, onTestFinished, test } from 'vitest';
import { askLine } from '#cli/ask.ts';

test('a question that nobody answers ends, so that what hangs on it goes on', async () => {
  const { isTTY } = process.stdin;
  onTestFinished(() => {
    process.stdin.isTTY = isTTY;
  });
  process.stdin.isTTY = true;
  await expect(askLine('What the account holds: ', 'rehearse', 50)).rejects.toMatchObject({ code: 'DECLINED' });
});
