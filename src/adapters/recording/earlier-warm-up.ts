import type { InboxEvent, WarmUpFeed, WarmUpRange } from '#domain/event.ts';
import type { Quote } from '#domain/quote.ts';

/** A warm-up as runs of earlier versions have it: the quotes of one lane, all at one time. */
interface EarlierFeed {
  readonly lane: WarmUpRange['lane'];
  readonly range: Omit<WarmUpRange, 'lane'>;
  readonly quotes: readonly Quote[];
}

/** A recorded event as this version has it. */
export function presentEvent(recorded: InboxEvent): InboxEvent {
  if (recorded.kind !== 'warmup') return recorded;
  const feed: WarmUpFeed | EarlierFeed = recorded.feed;
  if (!isEarlier(feed)) return recorded;
  const { lane, range, quotes } = feed;
  return { kind: 'warmup', feed: { ranges: [{ lane, ...range }], past: quotes.map((quote) => ({ at: range.to, quote })) } };
}

const isEarlier = (feed: WarmUpFeed | EarlierFeed): feed is EarlierFeed => 'range' in feed;
