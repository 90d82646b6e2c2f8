import { decimalOf } from '#domain/decimal.ts';
import type { Execution } from '#paper-venue/store/execution.ts';
import type { VenueWatch, WatchedAnswer, WatchedOrder } from '#paper-venue/watch/venue-watch.ts';
import { FeedJudge } from './feed-judge.ts';
import { BotOrderJudge } from './order-judge.ts';
import { Tallies } from './rules.ts';

/** What the service knows of its own state. */
interface ServiceView {
  executions(): readonly Execution[];
  balances(): Readonly<Record<string, string>>;
}

interface BotJudgeOptions {
  readonly now: () => number;
  /** Maximum time between orders of a bot that can trade, in milliseconds. */
  readonly paceMs: number;
  /** Time for connecting and for measuring the service's clock, in milliseconds. */
  readonly readyMs: number;
  readonly service: () => ServiceView | undefined;
}

/** Maximum age of reported books, in milliseconds: an order may be executed meanwhile. */
const BOOKS_MS = 5_000;

type Balances = Readonly<Record<string, string>>;

/** Judges a bot by what the service sees of it. */
export class BotJudge implements VenueWatch {
  readonly tallies = new Tallies();
  readonly feed: FeedJudge;
  readonly orders: BotOrderJudge;
  /** The verdict on its last reported books; null before. */
  books: { readonly isRight: boolean; readonly text: string } | null = null;
  private readonly options: BotJudgeOptions;
  private readonly begun: number;
  private windows = 0;
  private past: { readonly at: number; readonly balances: Balances }[] = [];

  constructor(options: BotJudgeOptions) {
    const { now, service } = options;
    const { tallies } = this;
    this.options = options;
    this.begun = now();
    this.feed = new FeedJudge({ tallies, now });
    this.orders = new BotOrderJudge({
      tallies,
      now,
      quoteFaults: (quoteId) => this.feed.faultsOf(quoteId),
      executions: () => service()?.executions() ?? [],
    });
  }

  ordered(order: WatchedOrder): void {
    this.orders.came(order);
  }

  answered(number: number, answer: WatchedAnswer): void {
    this.orders.answered(number, answer);
  }

  queried(quoteId: string): void {
    this.orders.queried(quoteId);
  }

  knocked(): void {
    this.feed.knocked();
  }

  requested(connection: number, text: string): void {
    this.feed.requested(connection, text);
  }

  issued(text: string): void {
    this.feed.issued(text);
  }

  sent(connection: number, text: string): void {
    this.feed.sent(connection, text);
  }

  closed(connection: number): void {
    this.feed.closed(connection);
  }

  /** Takes reported books: balances by currency, plain or in the field `total` or `balances`. The last report counts. */
  verdict(books: Readonly<Record<string, unknown>>): { readonly isRight: boolean; readonly text: string } {
    this.remember();
    const said = fieldsOf(books.total ?? books.balances ?? books);
    const isRight = this.past.some(({ balances }) => differenceOf(said, balances) === null);
    const text = isRight ? 'equal to those of the service' : (differenceOf(said, this.past.at(-1)?.balances ?? {}) ?? 'empty');
    this.books = { isRight, text };
    return this.books;
  }

  /** Checks what no event shows: silence and deadlines. */
  poll(): void {
    this.remember();
    this.orders.poll();
    this.feed.poll();
    const { now, paceMs, readyMs } = this.options;
    const due = Math.floor((now() - this.begun - readyMs) / paceMs);
    while (this.windows < due) {
      const from = this.begun + readyMs + this.windows * paceMs;
      const isTraded = this.orders.times.some((at) => at >= from && at < from + paceMs);
      const second = Math.round((from - this.begun) / 1000);
      this.tallies.hold('trades', isTraded ? null : `no order that could be executed from second ${second} to ${second + paceMs / 1000}`);
      this.windows += 1;
    }
  }

  /** Ends the trial. */
  end(): void {
    this.poll();
    if (this.books) this.tallies.hold('books', this.books.isRight ? null : this.books.text);
  }

  private remember(): void {
    const service = this.options.service();
    if (!service) return;
    const at = this.options.now();
    this.past = [...this.past.filter((one) => at - one.at < BOOKS_MS), { at, balances: service.balances() }];
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

/** The difference of reported balances from those of the service, or null. */
function differenceOf(said: Readonly<Record<string, unknown>>, balances: Balances): string | null {
  const told = new Map(Object.entries(said).map(([currency, amount]) => [currency.toLowerCase(), amount]));
  if (told.size === 0) return 'no balance is reported';
  for (const [currency, held] of Object.entries(balances)) {
    const amount = told.get(currency);
    if (typeof amount !== 'string' && typeof amount !== 'number') return `${currency} is not reported, and is ${held}`;
    if (!/^-?\d+(\.\d+)?$/.test(String(amount)) || !decimalOf(amount).minus(held).isZero())
      return `${currency} is reported as ${amount}, and is ${held}`;
  }
  return null;
}
