import { KairosError } from '../domain/errors.ts';
import type { Amount, LaneChange, QuoteType } from '../domain/lane.ts';
import { laneIdOf } from '../domain/names.ts';
import type { Quote } from '../domain/quote.ts';
import type { BasicQuote, FullQuote } from '../domain/shown-quote.ts';
import type { Timers } from '../ports/timers.ts';
import { isCode } from './decode-quote.ts';
import { quotesUrl } from './feed.ts';
import { FeedCounts, type FeedStats } from './feed-counts.ts';
import { LaneSocket } from './lane-socket.ts';
import { OpenQueue } from './open-queue.ts';
import { type OpenQuoteSocket, wsSockets } from './quote-socket.ts';
import type { ServiceSettings } from './settings.ts';
import { subscriptionOf } from './subscription.ts';

export interface QuoteWatchOptions {
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'userId' | 'paths'>;
  readonly timers: Timers;
  readonly quoteType: QuoteType;
  readonly product: string;
  /** Needed for TRADING, null for BASIC and FULL (spec 2.7). */
  readonly amount: Amount | null;
  readonly onTrading?: (quote: Quote) => void;
  readonly onBasic?: (quote: BasicQuote) => void;
  readonly onFull?: (quote: FullQuote) => void;
  readonly onChange?: (change: LaneChange) => void;
  /** How connections are made; ws unless a test says otherwise. */
  readonly sockets?: OpenQuoteSocket;
}

/** One subscription of any type, to look at and never to trade on. */
export class QuoteWatch {
  private readonly queue: OpenQueue;
  private readonly socket: LaneSocket;
  private readonly counts = new FeedCounts();

  /** Throws CONFIG_INVALID for an unusable address, USAGE for a product or amount that cannot be subscribed to. */
  constructor(options: QuoteWatchOptions) {
    const { quoteType, product, amount, timers } = options;
    if (!isCode(product))
      throw new KairosError('USAGE', `${JSON.stringify(product.slice(0, 80))} is no product code; \`kairos products\` lists them`);
    if ((quoteType === 'TRADING') !== (amount !== null)) {
      throw new KairosError('USAGE', 'trading quotes need a size or value, basic and full ones take none');
    }
    this.queue = new OpenQueue({ timers, opensPerSecond: 1 });
    this.socket = new LaneSocket({
      lane: laneIdOf(`watch:${quoteType}:${product}`),
      url: quotesUrl(options.baseUrl, options.service),
      subscription: subscriptionOf(quoteType, product, amount),
      timers,
      open: options.sockets ?? wsSockets(timers),
      isUrgent: () => false,
      queue: this.queue,
      counts: this.counts,
      quote: (quote) => options.onTrading?.(quote),
      shown: (frame) => (frame.kind === 'basic' ? options.onBasic?.(frame.basic) : options.onFull?.(frame.full)),
      change: (change) => options.onChange?.(change),
      refusedFrame: () => {},
    });
  }

  start(): void {
    this.socket.start();
  }

  stats(): FeedStats {
    return this.counts;
  }

  /** Ends the connection; nothing is told afterwards. Idempotent. */
  close(): void {
    this.socket.close();
    this.queue.close();
  }
}
