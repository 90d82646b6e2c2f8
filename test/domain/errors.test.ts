import { expect, test } from 'vitest';
import { ERRORS, isErrorCode, KairosError, messageOf, never } from '#domain/errors.ts';

test('an error has a code of the registry, by which a command ends', () => {
  const error = new KairosError('JOURNAL_LEASED', 'held\u001b[2J\nby another\u2028process');
  expect([error.exitCode, ERRORS.JOURNAL_LEASED.exit, error.message]).toEqual([5, 5, 'held\\u001b[2J\nby another\\u2028process']);
  expect(['JOURNAL_LEASED', 'ENOENT', 'toString', undefined, ['USAGE']].map(isErrorCode)).toEqual([true, false, false, false, false]);
});

test.each<[unknown, string]>([
  [new KairosError('USAGE', 'two\nlines'), 'two\nlines'],
  [new Error('two\nlines'), 'two lines'],
  ['a text\nthat was thrown', 'a text that was thrown'],
  [undefined, 'undefined'],
  [Object.create(null), 'something that has no text'],
])('whatever is thrown has a text: %o', (thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});

test('a value that the compiler has ruled out is told of', () => {
  expect(() => never({ act: 'unheard of' } as never)).toThrow('unexpected: {"act":"unheard of"}');
});
