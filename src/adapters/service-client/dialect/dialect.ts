import { nearest } from '#domain/nearest.ts';
import { seeded } from '#domain/seeded.ts';
import { FEED_POINTS } from './feed-points.ts';
import { ORDER_POINTS } from './order-points.ts';
import type { DialectPoint, Reading, ReadingSupport } from './point.ts';
import { SERVICE_POINTS } from './service-points.ts';

/** Every point that the specification leaves open, by name, with its readings, the paper venue's own first. */
export const DIALECT = { ...FEED_POINTS, ...ORDER_POINTS, ...SERVICE_POINTS } as const satisfies Readonly<Record<string, DialectPoint>>;

export type PointName = keyof typeof DIALECT;
type ReadingIn<Point extends PointName> = keyof (typeof DIALECT)[Point]['readings'] & string;
export type ReadingName = { [Point in PointName]: ReadingIn<Point> }[PointName];

/** One service's reading of every open point. */
export type Dialect = { readonly [Point in PointName]: ReadingIn<Point> };

const POINTS = Object.keys(DIALECT).filter((name): name is PointName => Object.hasOwn(DIALECT, name));
const POINT_OF: ReadonlyMap<string, PointName> = new Map(
  POINTS.flatMap((name) => Object.keys(DIALECT[name].readings).map((reading) => [reading, name] as const)),
);

/** All names of readings, in the order of lists. */
export const READINGS: readonly string[] = [...POINT_OF.keys()];

/** A reading with its point. */
export interface NamedReading extends Reading {
  readonly name: string;
  readonly point: PointName;
  readonly spec: string;
  readonly open: string;
  /** True for the paper venue's own reading. */
  readonly own: boolean;
}

/** Every reading of every point. */
export function allReadings(): readonly NamedReading[] {
  return POINTS.flatMap((name) => {
    const { spec, open, readings }: DialectPoint = DIALECT[name];
    return Object.entries(readings).map(([reading, what], index) => ({
      name: reading,
      point: name,
      spec,
      open,
      own: index === 0,
      ...what,
    }));
  });
}

/** The dialect with these readings and the paper venue's own elsewhere, or a text that says which names are possible. */
export function dialectOf(names: readonly string[]): Dialect | string {
  const chosen = new Map<PointName, string>();
  for (const name of names) {
    const at = POINT_OF.get(name);
    if (at === undefined) {
      const near = nearest(name, [...READINGS], Math.max(2, name.length >> 1));
      return `be the name of a reading or seed:N, not ${JSON.stringify(name.slice(0, 60))}${near ? `; did you mean ${near}?` : ''}`;
    }
    const other = chosen.get(at);
    if (other !== undefined && other !== name)
      return `read each place in one way: ${other} and ${name} are two readings of ${DIALECT[at].spec}`;
    chosen.set(at, name);
  }
  return Object.fromEntries(POINTS.map((at) => [at, chosen.get(at) ?? ownReading(at)])) as Dialect;
}

/** The paper venue's own dialect. */
export const OWN_DIALECT = whole([]);

/** Pairs of readings that hide each other's evidence. Drawn dialects do not combine them. */
const APART: readonly (readonly [string, string])[] = [
  // Only the answer shows at which of the prices of one id an order was executed.
  ['kept-ids', 'untold'],
  // Only the answer shows how much of an order was executed.
  ['partial-fills', 'untold'],
  // An unreadable body shows neither size nor price.
  ...['answer-empty', 'answer-text', 'answer-html', 'answer-list', 'answer-bom', 'answer-gzip', 'answer-202-open'].flatMap((form) => [
    ['kept-ids', form] as const,
    ['partial-fills', form] as const,
  ]),
];

const MAX_READINGS = 6;
/** Weight of a reading that may stop the client: most drawn dialects shall trade. */
const SELDOM = 1 / 3;

/** Readings that came after a thousand seeds were played. They are drawn beside the others, so that a seed keeps what it had. */
const LATER: readonly string[] = ['quote-value-with-fee', 'value-with-fee'];
const LATER_SHARE = 1 / 40;

/** The readings of a drawn dialect by its seed: one to six that are not the paper venue's own, seldom a later one. Pure. */
export function drawnReadings(seed: string): readonly string[] {
  const draws = seeded(`dialect ${seed}`);
  const readings = allReadings().filter(({ own }) => !own);
  const others = readings.filter(({ name }) => !LATER.includes(name));
  const count = 1 + Math.floor(draws.next() * MAX_READINGS);
  const drawn: NamedReading[] = [];
  while (drawn.length < count) {
    const reading = others[Math.floor(draws.next() * others.length)];
    const keep = reading?.client !== 'stands' || draws.next() < SELDOM;
    if (!reading || !keep || drawn.some((one) => one.point === reading.point || areApart(one.name, reading.name))) continue;
    drawn.push(reading);
  }
  const beside = seeded(`dialect ${seed} later`);
  drawn.push(...readings.filter(({ name }) => LATER.includes(name) && beside.next() < LATER_SHARE));
  return drawn.map(({ name }) => name).sort((a, b) => READINGS.indexOf(a) - READINGS.indexOf(b));
}

/** Reads the names of settings and options, including `seed:N`; returns a text that says what is wrong. */
export function readDialect(given: readonly string[]): readonly string[] | string {
  const names = given.flatMap((text) => (text.startsWith('seed:') ? drawnReadings(text.slice('seed:'.length)) : [text]));
  const read = dialectOf(names);
  return typeof read === 'string' ? read : [...new Set(names)];
}

/** What the client needs to trade in a dialect: the settings that name it, and whether it may have to stop even with them. */
export function meetingOf(names: readonly string[]): { readonly client: ReadingSupport; readonly set: Readonly<Record<string, string>> } {
  // An answer of one text has no word of the dialect.
  const isWordless = names.includes('answer-text');
  const readings = allReadings().filter(({ name, point }) => names.includes(name) && !(isWordless && point === 'word'));
  const status = names.map((name) => /^answer-(\d{3})$/.exec(name)?.[1]).find((found) => found !== undefined) ?? '201';
  const set = Object.fromEntries(
    readings.flatMap((reading) => Object.entries(reading.set)).map(([key, value]) => [key, value.replace('{status}', status)]),
  );
  const client = (['stands', 'set'] as const).find((meeting) => readings.some((reading) => reading.client === meeting)) ?? 'trades';
  return { client, set };
}

function ownReading(at: PointName): string {
  return Object.keys(DIALECT[at].readings)[0] ?? '';
}

function areApart(one: string, other: string): boolean {
  return APART.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
}

function whole(names: readonly string[]): Dialect {
  const read = dialectOf(names);
  if (typeof read === 'string') throw new Error(read);
  return read;
}
