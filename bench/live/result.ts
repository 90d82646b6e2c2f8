import { type BenchResult, type Figure, ratioOf } from '../result.ts';
import { median, percentile } from '../statistics.ts';
import type { Arrival, Marks, ServiceNotes, SideName, SliceReport } from './protocol.ts';

/** One turn of one side: what it did, and what the service saw of it. */
export interface Slice {
  readonly report: SliceReport;
  readonly noted: ServiceNotes;
}

/** An order from its frame to the service. */
interface Journey extends Arrival {
  readonly marks: Marks;
}

/** Of fewer samples the 99th percentile is the slowest one: chance, and held against no goal. */
const ENOUGH = 100;

const STAGES: readonly (readonly [
  label: string,
  from: (journey: Journey) => number | undefined,
  to: (journey: Journey) => number | undefined,
])[] = [
  ['sent to received (kernel, ws)', ({ sentMs }) => sentMs, ({ marks }) => marks.received],
  ['decode, check, queue', ({ marks }) => marks.received, ({ marks }) => marks.queued],
  ['wait for the turn', ({ marks }) => marks.queued, ({ marks }) => marks.drained],
  ['signals, sizing, risk', ({ marks }) => marks.drained, ({ marks }) => marks.decided],
  ['commit (inbox log, FULL)', ({ marks }) => marks.decided, ({ marks }) => marks.committed],
  ['sign, dispatch, last gate', ({ marks }) => marks.committed, ({ marks }) => marks.signed],
  ['write, to first byte at the service', ({ marks }) => marks.signed, ({ arrivedMs }) => arrivedMs],
];

/**
 * What both sides' slices come to. The first quote of each lane in a slice counts on neither side. A quote on which no
 * order came is in no percentile, so those are counted and shown: a side that left out its slow ones would look fast.
 */
export function liveResult(lanes: number, slices: Readonly<Record<SideName, readonly Slice[]>>): BenchResult {
  const [ours, oursDue] = [slices.kairos.flatMap(journeys), due(slices.kairos)];
  const [theirs, theirsDue] = [slices.bare.flatMap(journeys), due(slices.bare)];
  if (ours.length === 0 || theirs.length === 0) throw new Error(`${ours.length} orders of Kairos and ${theirs.length} bare ones came back`);
  const isEnough = Math.min(ours.length, theirs.length) >= ENOUGH;
  const tail = isEnough ? 'p99' : 'slowest';
  const compare = (what: string, of: (journey: Journey) => number, share: number, goal?: { readonly atMost: number }) =>
    ratioOf(what, {
      ours: { label: `of ${ours.length}`, value: percentile(ours.map(of), share), unit: 'ms' },
      theirs: { label: `of ${theirs.length}`, value: percentile(theirs.map(of), share), unit: 'ms' },
      ...(goal && { goal }),
    });
  const fromReceived = ({ marks, arrivedMs }: Journey): number => arrivedMs - marks.received;
  const withoutCommit = (journey: Journey): number => fromReceived(journey) - commitMs(journey.marks);
  const fromSent = ({ sentMs, arrivedMs }: Journey): number => arrivedMs - sentMs;
  const cost = (what: string, of: (report: SliceReport) => number, unit: string) =>
    ratioOf(what, {
      ours: { label: '', value: median(slices.kairos.map(({ report }) => of(report))), unit },
      theirs: { label: '', value: median(slices.bare.map(({ report }) => of(report))), unit },
    });
  return {
    name: `live, ${lanes} lane${lanes === 1 ? '' : 's'} at 2 quotes/s`,
    ratios: [
      compare('received to first byte of the order, p50', fromReceived, 0.5, { atMost: 1.25 }),
      compare(`received to first byte of the order, ${tail}`, fromReceived, 0.99, isEnough ? { atMost: 1.25 } : undefined),
      compare('the same without the commit, p50', withoutCommit, 0.5),
      compare(`the same without the commit, ${tail}`, withoutCommit, 0.99),
      compare('sent to first byte of the order, p50', fromSent, 0.5),
      compare(`sent to first byte of the order, ${tail}`, fromSent, 0.99),
      cost('share of a core', ({ cpuMs, wallMs }) => (cpuMs / wallMs) * 100, '%'),
      cost('memory', ({ rssBytes }) => rssBytes / 1e6, 'MB'),
      cost('heap in use', ({ heapBytes }) => heapBytes / 1e6, 'MB'),
    ],
    figures: [
      { label: 'Kairos: quotes without an order', value: oursDue - ours.length, unit: `of ${oursDue}` },
      { label: 'bare loop: quotes without an order', value: theirsDue - theirs.length, unit: `of ${theirsDue}` },
      ...stagesOf('Kairos', ours),
      ...stagesOf('bare loop', theirs),
    ],
  };
}

/** Quotes that a slice counts: those to be ordered on, but for the first of each lane. */
function counted({ report, noted }: Slice): readonly (readonly [quoteId: string, marks: Marks])[] {
  const first = new Set(noted.firstQuotes);
  return report.marks.filter(([quoteId]) => !first.has(quoteId));
}

const due = (slices: readonly Slice[]): number => slices.reduce((sum, slice) => sum + counted(slice).length, 0);

/** Milliseconds from the frame to the first byte of its order at the service, of every order that counts. */
export function orderTimes(slices: readonly Slice[]): readonly number[] {
  return slices.flatMap(journeys).map(({ marks, arrivedMs }) => arrivedMs - marks.received);
}

function journeys(slice: Slice): Journey[] {
  const arrivals = new Map(slice.noted.arrivals.map((arrival) => [arrival.quoteId, arrival]));
  return counted(slice).flatMap(([quoteId, marks]) => {
    const arrival = arrivals.get(quoteId);
    return arrival === undefined ? [] : [{ ...arrival, marks }];
  });
}

/** How long the loop stood in the commit, which is the disk's time more than the code's. */
function commitMs({ decided, committed }: Marks): number {
  return decided === undefined || committed === undefined ? Number.NaN : committed - decided;
}

/** Median of each stage that the side notes. */
function stagesOf(side: string, all: readonly Journey[]): Figure[] {
  return STAGES.flatMap(([stage, from, to]): Figure[] => {
    const times = all.flatMap((journey) => {
      const [start, end] = [from(journey), to(journey)];
      return start === undefined || end === undefined ? [] : [end - start];
    });
    if (times.length === 0) return [];
    return [
      { label: `${side}: ${stage}, p50`, value: median(times), unit: 'ms' },
      { label: `${side}: ${stage}, mean`, value: times.reduce((sum, time) => sum + time, 0) / times.length, unit: 'ms' },
    ];
  });
}
