/** What strategies of the simulator do to the machine that runs them: nothing where a run is played again. */
interface Hooks {
  /** A strategy throws, or floods: counted as a fault that was seen. */
  misbehaved(fault: 'F68' | 'F71'): void;
  /** A call of a strategy that may keep the processor busy. */
  called(): void;
}

const NONE: Hooks = { misbehaved() {}, called() {} };

export const mischief: { hooks: Hooks } = { hooks: NONE };

/** From now on strategies do nothing to anybody. */
export function behave(): void {
  mischief.hooks = NONE;
}
