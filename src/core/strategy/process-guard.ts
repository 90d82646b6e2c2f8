import { messageOf } from '#domain/errors.ts';
import { isStrategyRunning } from './ambient.ts';
import { placeOfError, thrownBy } from './origin.ts';

/** Functions that end the process or send a signal. */
const ENDS = ['exit', 'abort', 'kill', 'reallyExit'] as const;

/** Functions that run a callback later, when the strategy is no longer on the stack. */
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const;

/** Stack frames that are searched for a strategy's file. */
const FRAMES = 50;

const files = new Map<string, string>();
let guarded = false;

/**
 * From now on `process.exit`, `abort` and `kill` throw when a strategy calls them: while it is asked, or later from one of these
 * files. Whoever else calls them ends the process as before. Once a thread; files add up.
 */
export function guardProcess(strategyFiles: ReadonlyMap<string, string>): void {
  for (const [file, name] of strategyFiles) files.set(file, name);
  if (guarded) return;
  guarded = true;
  for (const name of TIMERS) guardTimer(name);
  for (const name of ENDS) {
    const before: unknown = Reflect.get(process, name);
    if (typeof before !== 'function') continue;
    Reflect.set(process, name, (...given: readonly unknown[]): unknown => {
      if (isStrategyRunning() || isCalledByStrategy()) {
        throw new Error(`process.${name} is not for strategies: all strategies share the process, and only a person or a signal ends it`);
      }
      return Reflect.apply(before, process, given);
    });
  }
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

function isCalledByStrategy(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const stack = new Error('who calls?').stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  for (const file of files.keys()) if (stack.includes(file)) return true;
  return false;
}
