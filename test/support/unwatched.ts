import { BESIDE, type Beside } from '#daemon/run/beside.ts';

/** A daemon in virtual time that nobody halts by a file: the thread of a watchdog, in the machine's time, would take a third of its run. */
export const UNWATCHED: Beside = {
  ...BESIDE,
  startWatchdog: ({ thread }) => ({ close: async () => thread?.stop(), hasLooked: Promise.resolve() }),
};
