import { isGroup } from '#domain/settings/kind.ts';
import { writtenName, writtenText } from '#domain/settings/written.ts';
import { REDACTED } from './canonical.ts';

/** One setting that differs between two configurations; null if a configuration does not have it. */
interface Difference {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The settings that differ between two configurations in JSON, named as in `kairos.yaml`; whether a secret is there is no difference. */
export function differences(before: string, after: string): readonly Difference[] {
  const old = flat(JSON.parse(before));
  const fresh = flat(JSON.parse(after));
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return keys
    .map((key): Difference => ({ key, before: given(old.get(key)), after: given(fresh.get(key)) }))
    .filter(({ before: was, after: is }) => was !== is && was !== REDACTED && is !== REDACTED);
}

/** The secrets that a configuration in JSON has and another lacks, named as in `kairos.yaml`. */
export function secretsLacking(before: string, after: string): readonly string[] {
  const here = flat(JSON.parse(after));
  return [...flat(JSON.parse(before))].flatMap(([key, text]) => (text === REDACTED && here.get(key) !== REDACTED ? [key] : []));
}

/** The limits of a configuration in JSON: every setting under `risk` and how trading starts, named as in `kairos.yaml`. */
export function limitsIn(config: string): readonly (readonly [key: string, value: string])[] {
  return [...flat(JSON.parse(config))].filter(([key]) => key.startsWith('risk.') || key.startsWith('trading.'));
}

/** A setting's value; null for one that is not set. */
const given = (text: string | undefined): string | null => (text === undefined || text === 'null' ? null : text);

/** Every single value of a configuration by the name of its setting. */
function flat(value: unknown, key = ''): Map<string, string> {
  const text = writtenText(key, value);
  if (text !== undefined) return new Map([[writtenName(key), text]]);
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [`${key}[${index}]`, item] as const)
    : isGroup(value)
      ? Object.entries(value).map(([name, item]) => [key === '' ? name : `${key}.${name}`, item] as const)
      : [];
  if (entries.length === 0) return new Map([[writtenName(key), typeof value === 'string' ? value : JSON.stringify(value)]]);
  return new Map(entries.flatMap(([name, item]) => [...flat(item, name)]));
}
