import { Script } from 'node:vm';
import type { Millis } from '#domain/names.ts';

const WORK = Symbol.for('kairos.limited-work');
const CALL = new Script(`globalThis[Symbol.for('kairos.limited-work')]()`);

/**
 * Does work of this thread, and cuts it off after `withinMs` of real time, an endless loop as well. False where it was cut off: nothing
 * of what it was doing can be relied on, since no `finally` of it ran. What the work throws is thrown on.
 */
export function endsWithin(work: () => void, withinMs: Millis): boolean {
  try {
    Reflect.set(globalThis, WORK, work);
    CALL.runInThisContext({ timeout: withinMs });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    Reflect.deleteProperty(globalThis, WORK);
  }
}
