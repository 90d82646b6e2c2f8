import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { getCallSites } from 'node:util';
import { messageOf } from '#domain/errors.ts';
import { isStrategyRunning } from './ambient.ts';
import { placeOfError, thrownBy } from './origin.ts';

/** Functions that end the process or send a signal. */
const ENDS = ['exit', 'abort', 'kill', 'reallyExit'] as const;

/** Functions that run a callback later, when the strategy is no longer on the stack. */
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const;

/** Stack frames that are searched for a strategy's file. */
const FRAMES = 50;

/** In the name of each file of the router. */
const ROUTER = `${path.sep}node_modules${path.sep}find-my-way${path.sep}`;

/** Said to who makes code of a text. */
export const TEXT_CODE = 'code made from text is not for strategies: write it in the file';

const files = new Map<string, string>();
/** Each file by its path and by its address: how loaders name scripts. */
const places: string[] = [];
/** What the router has made code of. */
const texts = new Set<string>();
let guarded = false;

/**
 * From now on `process.exit`, `abort` and `kill` throw when a strategy calls them: while it is asked, or later from one of these
 * files. So does whatever makes code of a text, by which way it was found. Whoever else calls them is answered as before. Once a thread;
 * files add up.
 */
export function guardProcess(strategyFiles: ReadonlyMap<string, string>): void {
  for (const [file, name] of strategyFiles) {
    if (!files.has(file)) places.push(file, pathToFileURL(file).href);
    files.set(file, name);
  }
  if (guarded) return;
  guarded = true;
  for (const name of TIMERS) guardTimer(name);
  guardCode();
  for (const name of ENDS) {
    const before: unknown = Reflect.get(process, name);
    if (typeof before !== 'function') continue;
    Reflect.set(process, name, (...given: readonly unknown[]): unknown => {
      if (isForStrategy()) {
        throw new Error(`process.${name} is not for strategies: all strategies share the process, and only a person or a signal ends it`);
      }
      return Reflect.apply(before, process, given);
    });
  }
}

const isForStrategy = (): boolean => isStrategyRunning() || isCalledByStrategy();

/** `eval` and the four constructors of functions, each of which is reached by the `constructor` of any function of its kind. */
function guardCode(): void {
  Reflect.set(globalThis, 'eval', refusing(Reflect.get(globalThis, 'eval')));
  const whole = refusing(Function);
  Reflect.set(globalThis, 'Function', whole);
  Reflect.defineProperty(Function.prototype, 'constructor', { value: whole });
  for (const kind of [async () => {}, function* () {}, async function* () {}]) {
    const prototype: unknown = Object.getPrototypeOf(kind);
    if (typeof prototype !== 'object' || prototype === null) continue;
    const { constructor: made } = prototype;
    Object.setPrototypeOf(made, whole);
    Reflect.defineProperty(prototype, 'constructor', { value: refusing(made) });
  }
}

/**
 * Whether it is Fastify's router that calls a constructor of functions. It does so 400 times when a server starts, too often for a stack
 * each: the few texts that it makes code of are known after the first time.
 */
function isForRouter(given: readonly unknown[]): boolean {
  const text = given.every((one) => typeof one === 'string') && JSON.stringify(given);
  if (text === false) return false;
  if (!texts.has(text) && getCallSites(4)[3]?.scriptName.includes(ROUTER)) texts.add(text);
  return texts.has(text);
}

/** The same function, which refuses strategies. */
function refusing<Made extends object>(made: Made): Made {
  const asked = <Answer>(given: readonly unknown[], answer: () => Answer): Answer => {
    if (isStrategyRunning() || (!isForRouter(given) && isCalledByStrategy())) throw new Error(TEXT_CODE);
    return answer();
  };
  return new Proxy(made, {
    apply: (target, self, given) => asked(given, () => typeof target === 'function' && Reflect.apply(target, self, given)),
    construct: (target, given, as) => asked(given, () => (typeof target === 'function' ? Reflect.construct(target, given, as) : {})),
  });
}

/** A later throw of something that is no Error gets the stack of the call that set the timer, so that its strategy is known. */
function guardTimer(name: (typeof TIMERS)[number]): void {
  const before: unknown = Reflect.get(globalThis, name);
  if (typeof before !== 'function') return;
  const guardedTimer = (call: unknown, ...rest: readonly unknown[]): unknown => {
    if (!isStrategyRunning() || typeof call !== 'function') return Reflect.apply(before, globalThis, [call, ...rest]);
    const { stack = '' } = new Error('asked here');
    const guardedCall = (...given: readonly unknown[]): unknown => {
      try {
        return Reflect.apply(call, undefined, given);
      } catch (error) {
        if (error instanceof Error) throw error;
        const told = new Error(messageOf(error), { cause: error });
        told.stack = stack.replace('asked here', () => told.message);
        throw told;
      }
    };
    return Reflect.apply(before, globalThis, [guardedCall, ...rest]);
  };
  Reflect.set(globalThis, name, Object.defineProperties(guardedTimer, Object.getOwnPropertyDescriptors(before)));
}

/** `file:line:column: message` of an error whose stack names a file of a strategy; undefined for any other. */
export const uncaughtByStrategy = (error: unknown): string | undefined =>
  placeOfError(error, { files }) === undefined ? undefined : thrownBy(error, { files }).error;

/** By Node's own list of the stack, which no strategy can change; a stack as text, with its sources mapped, takes ten times as long. */
function isCalledByStrategy(): boolean {
  return getCallSites(FRAMES).some(({ scriptName }) => places.some((place) => scriptName.includes(place)));
}
