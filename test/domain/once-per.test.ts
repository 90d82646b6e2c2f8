import { expect, test } from 'vitest';
import { oncePer } from '#domain/once-per.ts';

test('an object is worked on once, also where nothing is found', () => {
  const asked: object[] = [];
  const found = oncePer((of: { readonly name?: string }) => {
    asked.push(of);
    return of.name;
  });
  const [named, nameless] = [{ name: 'one' }, {}];
  expect([found(named), found(nameless), found(named), found(nameless), found({ name: 'one' })]).toEqual([
    'one',
    undefined,
    'one',
    undefined,
    'one',
  ]);
  expect(asked).toEqual([named, nameless, { name: 'one' }]);
});
