import type { Headline } from './headline.ts';

/** How a line tells of one product: what it is about, and the rest, which lines of several products may share. */
interface SharedLine {
  readonly about: string;
  readonly as: (about: readonly string[]) => string;
  readonly key: string;
}

/** Texts of headlines for people: lines that say the same of several products are one line. `--json` has each. */
export function toldTogether(lines: readonly Headline[]): readonly string[] {
  const shared = lines.map((line) => sharedOf(line));
  const places = Map.groupBy(shared, ({ key }) => key);
  // A product of several files is named once.
  return [...places.values()].map((alike) => alike[0]?.as([...new Set(alike.map(({ about }) => about))]) ?? '');
}

/** The same for what stands at the foot, with where each line is. */
export function caveatTexts(lines: readonly Headline[]): readonly string[] {
  const texts = toldTogether(lines);
  return texts.length < lines.length
    ? [...texts, `what is said of several products at once: ${lines.length} notes, each in --json`]
    : texts;
}

function sharedOf({ code, level, text }: Headline): SharedLine {
  const alone = { about: text, as: () => text, key: text };
  if (level !== 'note') return alone;
  const played = code === 'PLAYED' ? PLAYED.exec(text)?.groups : undefined;
  if (played) return shared(`${played.lane} (${played.from})`, 'PLAYED', (of) => playedText(of, played.quotes ?? '', text), played.quotes);
  const limits = LIMITS.exec(text)?.groups;
  if (limits)
    return shared(limits.product ?? '', 'LIMITS', (of) => `the limits of ${of.join(', ')} were not recorded: ${limits.rest}`, limits.rest);
  const prices = PRICES.exec(text)?.groups;
  if (prices)
    return shared(
      `${prices.product} of ${prices.file}`,
      'PRICES',
      (of) => (of.length === 1 ? text : `prices of ${of.join(', ')}: ${prices.rest}`),
      prices.rest,
    );
  const own = OF_PRODUCT.exec(text)?.groups;
  return own && code === 'NOTE' ? shared(own.product ?? '', 'NOTE', (of) => `${of.join(', ')}: ${own.rest}`, own.rest) : alone;
}

const shared = (about: string, kind: string, as: SharedLine['as'], rest = ''): SharedLine => ({ about, as, key: `${kind} ${rest}` });

/** One lane is told as it is in `--json`. */
const playedText = (of: readonly string[], quotes: string, alone: string): string =>
  of.length === 1 ? alone : `plays ${quotes}, of each of ${of.join(', ')}`;

const PLAYED = /^\S+: plays (?<lane>\S+), (?<from>imported from [^;]+?|recorded in [^;]+?): (?<quotes>\d+ quotes from \S+ to \S+)$/;
const LIMITS = /^the limits of (?<product>\S+) were not recorded: (?<rest>.*)$/;
const PRICES = /^(?<product>\S+): prices of (?<file>.+?): (?<rest>.*)$/;
const OF_PRODUCT = /^(?<product>[^\s:]+): (?<rest>.*)$/;
