import { type Body, collected } from './collected.ts';

/**
 * What `vitest` is to the tests of a room while mutants are tried: its own `expect` and `vi`, and a `test` that only takes down what is to
 * be run, so that one process runs it again and again.
 */
export { assert, expect, vi } from 'vitest';

type Args = readonly unknown[];

const bodyOf = (args: Args): Body | undefined => args.find((arg): arg is Body => typeof arg === 'function');
const isOn = { on: (): boolean => true, off: (): boolean => false };

/** Names only have to differ, and to be the same in each process: what a case prints may have addresses in it. */
function eachOf(add: (name: string, ...args: Args) => void, cases: Args): (name: string, ...args: Args) => void {
  return (name, ...args) => {
    const body = bodyOf(args);
    for (const [index, one] of cases.entries()) {
      const given: Args = Array.isArray(one) ? one : [one];
      add(`${name} [${index}]`, () => body?.(...given));
    }
  };
}

function testOf(isRun: () => boolean) {
  const add = (name: string, ...args: Args): void => collected.test(name, isRun() ? bodyOf(args) : undefined);
  return Object.assign(add, { each: (cases: Args) => eachOf(add, cases) });
}

function describeOf(isRun: () => boolean) {
  const add = (name: string, ...args: Args): void => {
    if (isRun()) collected.suite(name, () => bodyOf(args)?.());
  };
  return Object.assign(add, { each: (cases: Args) => eachOf(add, cases) });
}

export const test = Object.assign(testOf(isOn.on), {
  skip: testOf(isOn.off),
  skipIf: (when: unknown) => testOf(() => !when),
  runIf: (when: unknown) => testOf(() => Boolean(when)),
});
export const it = test;

export const describe = Object.assign(describeOf(isOn.on), {
  skip: describeOf(isOn.off),
  skipIf: (when: unknown) => describeOf(() => !when),
  runIf: (when: unknown) => describeOf(() => Boolean(when)),
});

export const beforeAll = (body: Body): void => collected.hook('beforeAll', body);
export const afterAll = (body: Body): void => collected.hook('afterAll', body);
export const beforeEach = (body: Body): void => collected.hook('beforeEach', body);
export const afterEach = (body: Body): void => collected.hook('afterEach', body);
export const onTestFinished = (body: Body): void => collected.onFinished(body);
