import type { HeardLane } from './listen.ts';

/** Figures of a lane's messages. Times in milliseconds. */
export interface LaneSummary {
  readonly title: string;
  readonly product: string;
  readonly quotes: number;
  /** The lowest price of a purchase, and its currency; null without quotes. */
  readonly prices: { readonly lowest: number; readonly currency: string } | null;
  /** Quotes without an id. */
  readonly anonymous: number;
  readonly perSecond: number;
  /** Median time left of arriving quotes, by this machine's clock; null without quotes. */
  readonly leftMs: number | null;
  /** Unreadable frames by reason, most frequent first. */
  readonly unread: readonly { readonly why: string; readonly count: number }[];
  readonly refusals: readonly string[];
  /** Why connections ended or never began. */
  readonly failures: readonly string[];
}

/** Computes the summary of a lane. Pure. */
export function summaryOf({ title, product, connections, unopened }: HeardLane): LaneSummary {
  const frames = connections.flatMap((connection) => connection.frames);
  const quotes = frames.flatMap(({ frame, wallMs }) => (frame.kind === 'quote' ? [{ quote: frame.quote, wallMs }] : []));
  const [first] = quotes;
  const left = quotes.map(({ quote, wallMs }) => Math.round(quote.validUntil - wallMs)).sort((a, b) => a - b);
  const spans = connections.map(({ frames: all }) => all.filter(({ frame }) => frame.kind === 'quote'));
  const seconds = spans.reduce((sum, all) => sum + ((all.at(-1)?.atMs ?? 0) - (all[0]?.atMs ?? 0)) / 1000, 0);
  const steps = spans.reduce((sum, all) => sum + Math.max(0, all.length - 1), 0);
  const reasons = new Map<string, number>();
  for (const { frame } of frames) if (frame.kind === 'malformed') reasons.set(frame.why, (reasons.get(frame.why) ?? 0) + 1);
  return {
    title,
    product,
    quotes: quotes.length,
    prices: first ? { lowest: Math.min(...quotes.map(({ quote }) => quote.buy.price)), currency: first.quote.quoteCcy } : null,
    anonymous: quotes.filter(({ quote }) => quote.id === null).length,
    perSecond: seconds > 0 ? Math.round((steps / seconds) * 10) / 10 : 0,
    leftMs: left[left.length >> 1] ?? null,
    unread: [...reasons].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count),
    refusals: frames.flatMap(({ frame }) => (frame.kind === 'err' ? [frame.text] : [])),
    failures: [...unopened, ...connections.flatMap(({ ended }) => (ended === null ? [] : [ended.why]))],
  };
}
