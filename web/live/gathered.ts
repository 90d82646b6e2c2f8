import { useEffect, useRef, useState } from 'preact/hooks';

/** What comes within this time, in milliseconds, comes together: rows that slide in on top of each other cannot be read. */
const TOGETHER_MS = 1_000;

/** The newest value, at most once a second; the one before it while it is held. */
export function useGathered<Value>(newest: Value, isHeld: boolean): Value {
  const [shown, setShown] = useState(newest);
  const at = useRef(0);
  useEffect(() => {
    if (isHeld || shown === newest) return;
    const timer = setTimeout(
      () => {
        at.current = performance.now();
        setShown(newest);
      },
      at.current + TOGETHER_MS - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [newest, isHeld, shown]);
  return shown;
}
