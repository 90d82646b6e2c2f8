import { isGroup } from '#domain/settings/kind.ts';
import { writtenName, writtenText } from '#domain/settings/written.ts';
import { REDACTED } from './canonical.ts';

/** One setting that differs between two configurations; null if a configuration does not have it. */
interface Difference {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The settings that differ between two configurations in JSON, named as in `kairos.yaml`; an entry of a list that one of them lacks is one
 * difference. Whether a secret is there is none.
 */
export function differences(before: string, after: string): readonly Difference[] {
  const [was, is] = [flat(JSON.parse(before)), flat(JSON.parse(after))];
  const [inOne, inOther] = [new Set([...was.keys()].map(entryOf)), new Set([...is.keys()].map(entryOf))];
  const isWhole = (entry: string | undefined): entry is string => entry !== undefined && inOne.has(entry) !== inOther.has(entry);
  const [old, fresh] = [withWholeEntries(was, isWhole), withWholeEntries(is, isWhole)];
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

/** The entry of a list that a setting is of, as `schedule[0]` of `schedule[0].cron`; undefined for none. */
const entryOf = (key: string): string | undefined => /^[^[\]]+\[\d+\](?=\.)/.exec(key)?.[0];

/** The values with all that is set in such an entry as one value. */
function withWholeEntries(values: Map<string, string>, isWhole: (entry: string | undefined) => entry is string): Map<string, string> {
  const merged = new Map<string, string>();
  for (const [key, text] of values) {
    const entry = entryOf(key);
    if (!isWhole(entry)) merged.set(key, text);
    else if (given(text) !== null) {
      const said = `${key.slice(entry.length + 1)}: ${text}`;
      merged.set(entry, merged.has(entry) ? `${merged.get(entry)}, ${said}` : said);
    }
  }
  return merged;
}

/** What says that a setting is not set, or that nothing is in it. */
const UNSET: ReadonlySet<string | undefined> = new Set([undefined, 'null', '[]', '{}']);

/** A setting's value; null for one that is not set. */
const given = (text: string | undefined): string | null => (text === undefined || UNSET.has(text) ? null : text);

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
