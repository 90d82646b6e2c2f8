/** What strategies of the simulator do to the machine that runs them: nothing where a run is played again. */
interface Hooks {
  /** A strategy throws, or floods: counted as a fault that was seen. */
  misbehaved(fault: 'F68' | 'F71'): void;
  /** A call of a strategy that may keep the processor busy, keep memory, or change what all code shares. */
  called(): void;
}

const NONE: Hooks = { misbehaved() {}, called() {} };
const { map } = Array.prototype;

export const mischief: { hooks: Hooks } = { hooks: NONE };

/** From now on strategies do nothing to anybody. */
export function behave(): void {
  mischief.hooks = NONE;
  mend();
}

/** Changes what all code shares, so that nothing else comes of it. */
export function tamper(): void {
  Array.prototype.map = new Proxy(map, {});
}

/** What all code shares is as it was: a new process has its own. */
export function mend(): void {
  Array.prototype.map = map;
}

/** True while it is another. */
export const isTampered = (): boolean => Array.prototype.map !== map;
