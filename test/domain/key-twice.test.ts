import { expect, test } from 'vitest';
import { keyTwice } from '#domain/key-twice.ts';

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"size":1,"\\u0073ize":100}', 'size'],
  ['{"x":[{"a":1,"b":2,"a" : 3}]}', 'a'],
  ['{"a":"\\"a\\":1,{","b":"}{a"}', undefined],
  ['["a","a"]', undefined],
  ['{"a":"\\\\","a":1}', 'a'],
])('in %s the key %s stands twice', (json, key) => {
  expect(keyTwice(json)).toBe(key);
});
