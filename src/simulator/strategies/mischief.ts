/** The misbehaviour of the simulator's strategies; none in a replay. */
interface Hooks {
  /** A strategy threw or flooded, which counts as a strike. */
  misbehaved(fault: 'F68' | 'F71'): void;
  /** A strategy was called and may keep the processor busy, keep memory, or change intrinsics. */
  called(): void;
}

const NONE: Hooks = { misbehaved() {}, called() {} };
const { map } = Array.prototype;

export const mischief: { hooks: Hooks } = { hooks: NONE };

/** Ends the misbehaviour of strategies. */
export function behave(): void {
  mischief.hooks = NONE;
  mend();
}

/** Changes an intrinsic, without any other effect. */
export function tamper(): void {
  Array.prototype.map = new Proxy(map, {});
}

/** Restores intrinsics, as in a new process. */
export function mend(): void {
  Array.prototype.map = map;
}

/** True while the intrinsic is changed. */
export const isTampered = (): boolean => Array.prototype.map !== map;
