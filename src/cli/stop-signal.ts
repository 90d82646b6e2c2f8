import { onStarterGone } from '#assembly/starter.ts';

/** The first SIGINT or SIGTERM, with the exit code of the interrupted command. */
interface StopSignal {
  readonly signal: 'SIGINT' | 'SIGTERM';
  readonly exitCode: 130 | 143;
}

const SIGNALS: readonly StopSignal[] = [
  { signal: 'SIGINT', exitCode: 130 },
  { signal: 'SIGTERM', exitCode: 143 },
];

/** Calls `stop` at the first signal, or when npm is gone that started this; a second one ends the process at once. Returns a function that stops listening. */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  let asked = false;
  const listeners = SIGNALS.map((each) => {
    const listener = (): void => {
      if (asked) process.exit(each.exitCode);
      asked = true;
      stop(each);
    };
    process.on(each.signal, listener);
    return () => process.off(each.signal, listener);
  });
  const cut = onStarterGone(() => {
    if (!asked) stop({ signal: 'SIGTERM', exitCode: 143 });
    asked = true;
  });
  return () => {
    cut();
    for (const off of listeners) off();
  };
}
