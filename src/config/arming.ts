import { isGroup } from '#domain/settings/kind.ts';
import { spanText } from '#domain/settings/spans.ts';

/** One setting that differs between two configurations; null if a configuration does not have it. */
interface Difference {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The settings that differ between two configurations in JSON, named as in `kairos.yaml`. */
export function differences(before: string, after: string): readonly Difference[] {
  const old = flat(JSON.parse(before));
  const fresh = flat(JSON.parse(after));
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return keys
    .map((key): Difference => ({ key, before: given(old.get(key)), after: given(fresh.get(key)) }))
    .filter((one) => one.before !== one.after);
}

/** The limits of a configuration in JSON: every setting under `risk` and how trading starts, named as in `kairos.yaml`. */
export function limitsIn(config: string): readonly (readonly [key: string, value: string])[] {
  return [...flat(JSON.parse(config))].filter(([key]) => key.startsWith('risk.') || key.startsWith('trading.'));
}

/** A setting's value; null for one that is not set. */
const given = (text: string | undefined): string | null => (text === undefined || text === 'null' ? null : text);

/** Every single value of a configuration by the name of its setting. */
function flat(value: unknown, key = ''): Map<string, string> {
  const text = textOf(key, value);
  if (text !== undefined) return new Map([[nameOf(key), text]]);
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [`${key}[${index}]`, item] as const)
    : isGroup(value)
      ? Object.entries(value).map(([name, item]) => [key === '' ? name : `${key}.${name}`, item] as const)
      : [];
  if (entries.length === 0) return new Map([[nameOf(key), typeof value === 'string' ? value : JSON.stringify(value)]]);
  return new Map(entries.flatMap(([name, item]) => [...flat(item, name)]));
}

/** Where a configuration keeps settings by another name than `kairos.yaml` does. */
const RENAMED: readonly (readonly [kept: RegExp, as: string])[] = [
  [/^(risk\..+)\.byCurrency(?=\.|$)/, '$1'],
  [/^trading\.arming\./, 'trading.'],
  [/^(trading\.(?:rearmAfter|warmUpMaxGap)|lanes\.staleAfter|journal\.backup\.every|alerts\..*[aA]fter)Ms(?=\.|$)/, '$1'],
];

const nameOf = (key: string): string => RENAMED.reduce((name, [kept, as]) => name.replace(kept, as), key);

const DURATION =
  /^(risk\.lossCooldown|trading\.rearmAfter|trading\.warmUpMaxGap|lanes\.staleAfter\..+|journal\.backup\.every|alerts\..*[aA]fter)$/;
const NEVER = /^(trading\.rearmAfter|journal\.backup\.every|alerts\.watch\.pauseAllAfter)$/;
const OFF = /^trading\./;

/** A value as `kairos.yaml` has it, where a configuration keeps it otherwise. */
function textOf(key: string, value: unknown): string | undefined {
  const name = nameOf(key);
  if (value === null) return NEVER.test(name) ? 'never' : OFF.test(name) ? 'off' : undefined;
  if (typeof value === 'number') return DURATION.test(name) ? spanText(value) : undefined;
  if (name !== 'trading.crashHalt' || !isGroup(value)) return undefined;
  const { count, windowMs } = value;
  return typeof count === 'number' && typeof windowMs === 'number' ? `${count} in ${spanText(windowMs)}` : undefined;
}
