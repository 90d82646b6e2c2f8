import { isGroup } from './kind.ts';
import { spanText } from './spans.ts';

/** Where a configuration keeps settings by another name than `kairos.yaml` does. */
const RENAMED: readonly (readonly [kept: RegExp, as: string])[] = [
  [/^(risk\..+)\.byCurrency(?=\.|$)/, '$1'],
  [/^trading\.arming\./, 'trading.'],
  [/^(trading\.(?:rearmAfter|warmUpMaxGap)|lanes\.staleAfter|journal\.backup\.every|alerts\..*[aA]fter)Ms(?=\.|$)/, '$1'],
];

/** The name of a setting in `kairos.yaml`, of its path in a configuration. */
export const writtenName = (key: string): string => RENAMED.reduce((name, [kept, as]) => name.replace(kept, as), key);

const DURATION =
  /^(risk\.lossCooldown|trading\.rearmAfter|trading\.warmUpMaxGap|lanes\.staleAfter\..+|journal\.backup\.every|alerts\..*[aA]fter)$/;
const NEVER = /^(trading\.rearmAfter|journal\.backup\.every|alerts\.watch\.pauseAllAfter)$/;
const OFF = /^trading\./;

/** A value as `kairos.yaml` has it, where a configuration keeps it otherwise; else undefined. */
export function writtenText(key: string, value: unknown): string | undefined {
  const name = writtenName(key);
  if (value === null) return NEVER.test(name) ? 'never' : OFF.test(name) ? 'off' : undefined;
  if (typeof value === 'number') return DURATION.test(name) ? spanText(value) : undefined;
  if (name !== 'trading.crashHalt' || !isGroup(value)) return undefined;
  const { count, windowMs } = value;
  return typeof count === 'number' && typeof windowMs === 'number' ? `${count} in ${spanText(windowMs)}` : undefined;
}
