import { allReadings, type PointName } from '#adapters/service-client/dialect/dialect.ts';
import { type Seeded, seeded } from '#domain/seeded.ts';
import type { FaultName, VenueFault } from '#paper-venue/faults/catalogue.ts';

/** A service for a trial, drawn by a seed. */
export interface DrawnService {
  readonly dialect: readonly string[];
  readonly faults: readonly VenueFault[];
  /** How far its clock is ahead of this machine's, in milliseconds. */
  readonly clockAheadMs: number;
}

/** Open points of the specification that a client written by it alone can handle. */
const OPEN: ReadonlySet<PointName> = new Set<PointName>([
  ...(['currencies', 'validity', 'acks', 'answerStatus', 'answerForm', 'answerWrap', 'word', 'wordField', 'flags', 'figuresTold'] as const),
  'limits',
]);
/** Readings beyond the letter of the specification. */
const BESIDE: ReadonlySet<string> = new Set(['validity-as-number', 'validity-in-seconds', 'ack-texts', 'ack-late']);

const OF_ORDERS: readonly VenueFault[] = [
  { name: 'lost-answers', percent: 12 },
  { name: 'slow-answers', percent: 8 },
  { name: 'server-errors', percent: 12 },
  { name: 'too-many-requests', percent: 12 },
  { name: 'redirects', percent: 10 },
  { name: 'rejections', percent: 10 },
];
const OF_FEED: readonly VenueFault[] = [
  { name: 'refused-feed', percent: 40 },
  { name: 'dropped-feed', percent: 1.5 },
  { name: 'silent-feed', percent: 0.7 },
  { name: 'missing-acks', percent: 25 },
  { name: 'refused-subscriptions', percent: 30 },
  { name: 'short-quotes', percent: 20 },
  { name: 'late-quotes', percent: 15 },
  { name: 'repeated-quotes', percent: 15 },
  { name: 'bad-frames', percent: 2 },
  { name: 'wild-prices', percent: 1.5 },
];
/** Always drawn: without it the feed never fails, and reconnecting would not be tested. */
const ALWAYS: FaultName = 'dropped-feed';
const [MIN_OF_EACH, MAX_OF_EACH] = [2, 3];
/** Clock difference beyond which a signature with the machine's own time is refused, in milliseconds. */
const TOLERATED_MS = 5_000;

/** Draws dialect, faults and clock of a service by a seed. Pure. */
export function drawService(seed: string): DrawnService {
  const draws = seeded(`trial ${seed}`);
  const others = allReadings().filter(
    ({ own, client, point, name }) => !own && client === 'trades' && OPEN.has(point) && !BESIDE.has(name),
  );
  const dialect = new Map(drawn(draws, others, wholeBetween(draws, 0, 4)).map(({ point, name }) => [point, name]));
  const faults = [
    ...drawn(draws, OF_ORDERS, wholeBetween(draws, MIN_OF_EACH, MAX_OF_EACH)),
    ...OF_FEED.filter(({ name }) => name === ALWAYS),
    ...drawn(
      draws,
      OF_FEED.filter(({ name }) => name !== ALWAYS),
      wholeBetween(draws, MIN_OF_EACH, MAX_OF_EACH),
    ),
  ];
  const isFar = draws.next() < 0.5;
  const [low, high] = isFar ? [TOLERATED_MS + 1_000, 40_000] : [0, TOLERATED_MS - 2_000];
  const clockAheadMs = Math.round((low + draws.next() * (high - low)) * (draws.next() < 0.5 ? -1 : 1));
  return { dialect: [...dialect.values()], faults, clockAheadMs };
}

const wholeBetween = (draws: Seeded, low: number, high: number): number => low + Math.floor(draws.next() * (high - low + 1));

/** Draws `count` different items. */
function drawn<One>(draws: Seeded, from: readonly One[], count: number): readonly One[] {
  const left = [...from];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(draws.next() * left.length), 1)).flat();
}
