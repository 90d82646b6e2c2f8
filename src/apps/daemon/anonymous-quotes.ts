import type { FeedSink } from '#ports/feed.ts';
import { limitedNotice, type Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';

const WHY = 'quotes come without an id, so that no order can name them: does the service know service.userId?';

/** Passes on what the feed delivers, and lets a person know of quotes that can only be shown (F32); at most once a minute. */
export function tellingOfAnonymous(inbox: FeedSink, from: { readonly notice: Notice; readonly timers: Timers }): FeedSink {
  const limited = limitedNotice(from.notice, from.timers);
  return {
    quote(quote) {
      if (quote.id === null) limited('error', WHY);
      inbox.quote(quote);
    },
    change: (change) => inbox.change(change),
    shown: (source, shown) => inbox.shown(source, shown),
  };
}
