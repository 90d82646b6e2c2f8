/** JavaScript's own objects, which all code in the process shares, by name. */
const NAMES = (
  'Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Date RegExp Promise Proxy Map Set WeakMap WeakSet WeakRef ' +
  'Error TypeError RangeError SyntaxError AggregateError ArrayBuffer SharedArrayBuffer DataView Atomics Intl Buffer URL ' +
  'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array'
).split(' ');

interface Kept {
  /** `Array.prototype`. */
  readonly name: string;
  readonly object: object;
  readonly keys: readonly PropertyKey[];
  readonly before: readonly PropertyDescriptor[];
}

const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, defineProperty, is } = Object;
const { ownKeys, deleteProperty } = Reflect;

/**
 * A snapshot of the intrinsics, against which changes are found and undone. It uses only functions that it saved before and
 * walks by index, since the methods of lists may be what was changed.
 */
export class Intrinsics {
  private readonly kept: readonly Kept[];

  constructor() {
    this.kept = roots().map(([name, object]) => {
      const keys = ownKeys(object).filter((key) => !isFree(key) && getOwnPropertyDescriptor(object, key));
      const before = keys.map((key) => setPrototypeOf(getOwnPropertyDescriptor(object, key) ?? {}, null));
      return { name, object, keys, before };
    });
  }

  /** Undoes all changes and returns the names of what was replaced, removed or added, such as `Array.prototype.map`. */
  takeBack(): readonly string[] {
    const changed: string[] = [];
    for (let index = 0; index < this.kept.length; index++) {
      const kept = this.kept[index];
      if (!kept) break;
      removeAdded(kept, changed);
      putBack(kept, changed);
    }
    return changed;
  }
}

function putBack({ name, object, keys, before }: Kept, changed: string[]): void {
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const was = before[index];
    if (key === undefined || was === undefined) return;
    const now = getOwnPropertyDescriptor(object, key);
    if (now && is(now.value, was.value) && now.get === was.get && now.set === was.set) continue;
    changed[changed.length] = `${name}.${String(key)}`;
    try {
      defineProperty(object, key, was);
    } catch {
      // It can no longer be restored; the change is reported all the same.
    }
  }
}

/** Keys stand in the order of their making: while nothing was added or taken, the lists are the same. */
function removeAdded({ name, object, keys }: Kept, changed: string[]): void {
  const now = ownKeys(object);
  let known = 0;
  for (let index = 0; index < now.length; index++) {
    const key = now[index];
    if (key === undefined || isFree(key)) continue;
    if (key === keys[known]) {
      known += 1;
      continue;
    }
    if (isAmong(keys, key)) continue;
    deleteProperty(object, key);
    changed[changed.length] = `${name}.${String(key)}`;
  }
}

function isAmong(keys: readonly PropertyKey[], wanted: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index++) if (keys[index] === wanted) return true;
  return false;
}

/** Properties of Error that tools set as they like. */
const isFree = (key: PropertyKey): boolean => key === 'stackTraceLimit' || key === 'prepareStackTrace';

function roots(): readonly (readonly [string, object])[] {
  const found: (readonly [string, object])[] = [];
  for (const name of NAMES) {
    const object: unknown = Reflect.get(globalThis, name);
    if (!isObject(object)) continue;
    found.push([name, object]);
    const prototype: unknown = Reflect.get(object, 'prototype');
    if (isObject(prototype)) found.push([`${name}.prototype`, prototype]);
  }
  const iterators: readonly (readonly [string, object])[] = [
    ['the iterator of Array', [][Symbol.iterator]()],
    ['the iterator of Map', new Map()[Symbol.iterator]()],
    ['the iterator of Set', new Set()[Symbol.iterator]()],
  ];
  for (const [name, iterator] of iterators) {
    const prototype: unknown = getPrototypeOf(iterator);
    if (isObject(prototype)) found.push([name, prototype]);
  }
  return found;
}

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';
