import { leaveHalt } from '#adapters/journal/control-files.ts';
import type { Engine } from '#core/engine/engine.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { RunResources } from './opening.ts';

/** Latches a halt because of an error that nobody handled: in the journal, or where that is what failed, in a file beside it. */
export function haltUncaught(
  error: unknown,
  parts: { readonly opened: RunResources; readonly engine: Pick<Engine, 'fault'>; readonly timers: Timers; readonly notice: Notice },
): void {
  const { opened, engine, timers, notice } = parts;
  try {
    opened.store.makeRoom(error);
    engine.fault(error);
  } catch (second) {
    // The journal may be what failed: the latch is set all the same, and the process ends.
    leaveHalt(opened.files, `${messageOf(error)}; the halt could not be journaled`, timers.wallMs());
    notice('error', `the halt could not be journaled: ${messageOf(second)}`);
  }
}
