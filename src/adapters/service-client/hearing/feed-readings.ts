import type { ReadingName } from '#adapters/service-client/dialect/dialect.ts';
import { isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { heard, type ObservedReading } from './heard.ts';
import type { FeedObservation, HeardConnection, HeardLane } from './listen.ts';
import { quoteReadings } from './quote-readings.ts';

/** Close codes of a service in maintenance. */
const RESTART = /closed with 101[23]\b/;
/** Time without an ACK after which none is expected, in milliseconds. */
const NO_ACK_MS = 2000;
/** Two connections that stay open together for this time are allowed, in milliseconds. */
const BESIDE_MS = 2000;

/** The readings of the feed's open points (spec 2.6 to 2.8, 4.5), derived from its messages. Pure. */
export function feedReadings(listening: FeedObservation): readonly ObservedReading[] {
  const { lanes } = listening;
  const trading = lanes.filter(({ quoteType }) => quoteType === 'TRADING');
  return [
    ...quoteReadings(trading),
    ...ackReadings(trading.flatMap(({ connections }) => connections)),
    ...maintenance(trading),
    ...connections(listening),
    ...levels(lanes.filter(({ quoteType }) => quoteType === 'FULL')),
  ];
}

function ackReadings(all: readonly HeardConnection[]): readonly ObservedReading[] {
  const quoted = all.filter(({ frames }) => frames.some(({ message }) => message.msgType === 'TQ'));
  if (quoted.length === 0) return [];
  const acks = quoted.flatMap(({ frames }) => frames.filter(({ message }) => message.msgType === 'ACK').map(({ message }) => message));
  const found = (reading: ReadingName, shown: string): ObservedReading[] => [heard('acks', reading, shown)];
  const lasting = quoted.filter(({ frames }) => (frames.at(-1)?.atMs ?? 0) - (frames[0]?.atMs ?? 0) >= NO_ACK_MS);
  if (acks.length === 0) return lasting.length === 0 ? [] : found('ack-missing', `quotes for ${NO_ACK_MS / 1000} s and no ACK`);
  const again = quoted.find(({ frames }) => frames.filter(({ message }) => message.msgType === 'ACK').length > 1);
  if (again) return found('ack-unasked', `${again.frames.filter(({ message }) => message.msgType === 'ACK').length} ACKs of one request`);
  const late = quoted.find(({ frames }) => {
    const ack = frames.findIndex(({ message }) => message.msgType === 'ACK');
    return ack > frames.findIndex(({ message }) => message.msgType === 'TQ');
  });
  if (late) return found('ack-late', 'quotes came before it');
  const amounts = acks.flatMap(({ query }) => (isFields(query) ? [query.inputSize, query.inputValue] : []));
  if (amounts.some((amount) => Number(amount) === 0 && amount !== null && amount !== '')) return found('ack-zero', 'an amount of 0');
  if (amounts.some((amount) => typeof amount === 'string' && amount !== '')) return found('ack-texts', 'amounts as texts');
  if (acks.every(({ userId }) => userId === undefined)) return found('ack-without-user', 'no userId');
  return found('ack-at-once', 'before the first quote, with userId');
}

function maintenance(trading: readonly HeardLane[]): readonly ObservedReading[] {
  const all = trading.flatMap(({ connections }) => connections);
  if (all.every(({ frames }) => frames.length === 0)) return [];
  const restarts = all.filter(({ ended }) => ended !== null && RESTART.test(ended.why)).length;
  const refusals = all.flatMap(({ frames }) => frames.flatMap(({ frame }) => (frame.kind === 'err' ? [frame.text] : [])));
  const isQuoted = all.some(({ frames }) => frames.some(({ message }) => message.msgType === 'TQ'));
  if (restarts > 0) return [heard('maintenance', 'maintenance-by-turns', `${restarts} connections closed for a restart`)];
  if (refusals.length === 0) return [heard('maintenance', 'no-maintenance', 'no request was refused')];
  // A refusal to the end is our mistake or a longer maintenance, which the lane's own line reports.
  return isQuoted ? [heard('maintenance', 'maintenance-at-start', `ERR ${refusals.length} times, then quotes: ${refusals[0]}`)] : [];
}

function connections({ lanes, isOneConnection }: FeedObservation): readonly ObservedReading[] {
  if (isOneConnection) return [heard('connections', 'one-connection', 'each closed the one before it')];
  const spans = lanes.flatMap(({ connections: all }) =>
    all.flatMap(({ frames }) => {
      const [first, last] = [frames[0], frames.at(-1)];
      return first && last ? [{ from: first.atMs, to: last.atMs }] : [];
    }),
  );
  const beside = spans.some((one, index) =>
    spans.some((other, at) => at !== index && Math.min(one.to, other.to) - Math.max(one.from, other.from) >= BESIDE_MS),
  );
  return beside ? [heard('connections', 'many-connections', `${lanes.length} beside each other`)] : [];
}

function levels(full: readonly HeardLane[]): readonly ObservedReading[] {
  const books = full
    .flatMap(({ connections: all }) => all.flatMap(({ frames }) => frames))
    .filter(({ message }) => message.msgType === 'FQ');
  const [book] = books;
  const first: unknown = Array.isArray(book?.message.bids) ? book.message.bids[0] : undefined;
  if (book === undefined || first === undefined) return [];
  const shown = JSON.stringify(first).slice(0, 60);
  if (book.frame.kind !== 'full') return [heard('levels', null, shown)];
  if (Array.isArray(first)) return [heard('levels', 'level-pairs', shown)];
  const isText = isFields(first) && Object.values(first).some((value) => typeof value === 'string');
  return [heard('levels', isText ? 'level-texts' : 'level-objects', shown)];
}
