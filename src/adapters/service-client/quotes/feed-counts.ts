const MAX_NAMES = 64;

/** What the connections of a feed have seen so far. */
export interface FeedStats {
  readonly frames: number;
  readonly quotes: number;
  /** Connections that were asked for after the first of their lane. */
  readonly reconnects: number;
  /** Quotes that came before their subscription was acknowledged, and were dropped. */
  readonly quotesBeforeAck: number;
  /** Acknowledgements that nobody had asked for. */
  readonly unaskedAcks: number;
  /** Frames refused, by reason. */
  readonly malformed: ReadonlyMap<string, number>;
  /** Messages of unknown kind, by kind. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** Counters of a feed, bounded however inventive the other side is. */
export class FeedCounts implements FeedStats {
  frames = 0;
  quotes = 0;
  reconnects = 0;
  quotesBeforeAck = 0;
  unaskedAcks = 0;
  readonly malformed = new Map<string, number>();
  readonly ignored = new Map<string, number>();

  refused(why: string): void {
    count(this.malformed, why);
  }

  unknownKind(msgType: string): void {
    count(this.ignored, msgType);
  }
}

function count(names: Map<string, number>, name: string): void {
  const key = names.has(name) || names.size < MAX_NAMES ? name : 'others';
  names.set(key, (names.get(key) ?? 0) + 1);
}
