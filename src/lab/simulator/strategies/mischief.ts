/** The misbehaviour of the simulator's strategies; none in a replay. */
interface Hooks {
  /** A strategy threw or flooded, which counts as a strike. */
  misbehaved(fault: 'F68' | 'F71'): void;
  /** A strategy was called and may keep the processor busy or keep memory. */
  called(): void;
}

const NONE: Hooks = { misbehaved() {}, called() {} };

export const mischief: { hooks: Hooks } = { hooks: NONE };

/** Ends the misbehaviour of strategies. */
export function behave(): void {
  mischief.hooks = NONE;
}
