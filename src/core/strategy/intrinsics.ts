import type * as Rxjs from 'rxjs';

/** JavaScript's own objects, which all code in the process shares, by name. */
export const INTRINSICS = (
  'Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Date RegExp Promise Proxy Map Set WeakMap WeakSet WeakRef ' +
  'Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError ArrayBuffer SharedArrayBuffer DataView Atomics Intl ' +
  'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array ' +
  'Iterator Buffer URL URLSearchParams TextEncoder TextDecoder structuredClone parseFloat parseInt isFinite isNaN'
).split(' ');

/** Objects that only syntax reaches. */
const BY_SYNTAX = [
  async () => {},
  function* () {},
  async function* () {},
  [][Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  ''[Symbol.iterator](),
  ''.matchAll(/x/g),
];

/** What rxjs itself replaces in what inherits from them. */
const REPLACED: ReadonlySet<PropertyKey> = new Set(['_next', '_error', '_complete', '_subscribe', 'lift']);

/**
 * From now on nobody changes JavaScript's own objects, nor what their names mean, nor what rxjs and Kairos's own modules export, by which
 * one strategy would change the signals of others: an attempt is a TypeError where it is made. Once a thread, after what belongs to Kairos
 * is loaded. Error itself stays open for the length of stacks, which tools set; who writes them is nobody's to say.
 */
export function freezeIntrinsics(rxjs: typeof Rxjs, own: readonly object[]): void {
  const seen = new Set<unknown>([globalThis, process]);
  // Ignored, not refused: pino sets it and goes on without.
  Object.defineProperty(Error, 'prepareStackTrace', { get: () => undefined, set: () => {}, configurable: true });
  const open: unknown[] = [...BY_SYNTAX.map((one) => Object.getPrototypeOf(one)), ...[rxjs, ...own].flatMap((one) => Object.values(one))];
  for (const name of INTRINSICS) {
    const value: unknown = Reflect.get(globalThis, name);
    open.push(value);
    Object.defineProperty(globalThis, name, { value, writable: false });
  }
  while (open.length > 0) {
    const object = open.pop();
    if (!isObject(object) || seen.has(object)) continue;
    seen.add(object);
    const queue = object instanceof rxjs.Scheduler && 'actions' in object ? object.actions : undefined;
    seen.add(queue);
    open.push(Object.getPrototypeOf(object), ...below(object));
    letReplace(object, isReplaced(object) ? () => true : (key) => REPLACED.has(key));
    if (object === Error) for (const key of Reflect.ownKeys(Error).filter((one) => one !== 'stackTraceLimit')) fix(Error, key);
    else if (queue) holdStill(object);
    else Object.freeze(object);
  }
}

/** A scheduler of rxjs does what it did, and goes on to write what is its own alone. */
function holdStill(scheduler: object): void {
  Object.assign(scheduler, { _scheduled: Reflect.get(scheduler, '_scheduled') });
  for (const key of ['actions', 'now', 'schedulerActionCtor']) fix(scheduler, key);
  Object.seal(scheduler);
}

const below = (object: object): unknown[] =>
  Object.values(Object.getOwnPropertyDescriptors(object)).flatMap(({ value, get, set }): unknown[] => [value, get, set]);

/** A frozen member would also forbid its own to whoever inherits it: what is assigned there becomes the inheritor's own member. */
function letReplace(object: object, isMeant: (key: PropertyKey) => boolean): void {
  for (const key of Reflect.ownKeys(object).filter(isMeant)) {
    const member = Object.getOwnPropertyDescriptor(object, key);
    if (!member?.configurable || !('value' in member)) continue;
    Object.defineProperty(object, key, {
      get: () => member.value,
      set(this: object, value: unknown) {
        if (this === object) throw new TypeError(`Cannot assign to '${String(key)}', which all code shares`);
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

function fix(object: object, key: PropertyKey): void {
  const member = Object.getOwnPropertyDescriptor(object, key);
  Object.defineProperty(object, key, member && 'value' in member ? { writable: false, configurable: false } : { configurable: false });
}

/** Whether other objects replace its members for themselves by plain assignment, as in `error.name = 'Mine'`. */
const isReplaced = (object: object): boolean =>
  object === Object.prototype || object === Function.prototype || object === Error.prototype || object instanceof Error;

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';
