import type { Tallies } from './rules.ts';

interface FeedJudgeParts {
  readonly tallies: Tallies;
  readonly now: () => number;
}

interface Connection {
  /** The text of its last request. */
  wanted: string | null;
  askedAt: number;
  isAcked: boolean;
  isRefused: boolean;
}

interface IntendedPrices {
  readonly buyQuote: number;
  readonly sellQuote: number;
}

/** A lost subscription, and the deadline for its renewal. */
interface LostSubscription {
  readonly wanted: string;
  readonly until: number;
}

interface SentQuote {
  readonly connection: number;
  readonly wanted: string;
  readonly price: string | null;
}

/** Time limit for renewing a subscription, in milliseconds; failed attempts extend it. */
const RENEW_MS = 20_000;
const KNOCKED_MS = 35_000;
/** How long after the first quotes an ACK may come, in milliseconds. */
const ACK_MS = 1_500;
/** Limits of a lane's attempts: in a burst, and in a minute. */
const BURST_MS = 2_000;
const BURST = 5;
const MINUTE_MS = 60_000;
const A_MINUTE = 20;
const MAX_QUOTES = 5_000;

/** Judges how a client keeps its feed connections, and records the faults of the quotes that it was sent. */
export class FeedJudge {
  quotes = 0;
  private readonly parts: FeedJudgeParts;
  private readonly connections = new Map<number, Connection>();
  private readonly sentQuotes = new Map<string, SentQuote>();
  /** Correct prices by quote id. */
  private readonly meant = new Map<string, IntendedPrices>();
  private lost: LostSubscription[] = [];
  private knocks: number[] = [];
  private lastKnock = 0;
  private lanes = 1;

  constructor(parts: FeedJudgeParts) {
    this.parts = parts;
  }

  /** Live subscriptions, in words. */
  get live(): readonly { readonly number: number; readonly words: string; readonly isAcked: boolean }[] {
    return [...this.connections].flatMap(([number, { wanted, isAcked, isRefused }]) =>
      wanted === null || isRefused ? [] : [{ number, words: wanted, isAcked }],
    );
  }

  knocked(): void {
    const { tallies, now } = this.parts;
    const at = now();
    this.lastKnock = at;
    this.knocks = [...this.knocks.filter((one) => at - one < MINUTE_MS), at];
    const burst = this.knocks.filter((one) => at - one < BURST_MS).length;
    // The first attempts open the lanes.
    if (this.knocks.length <= this.lanes) return;
    const tooMany = burst > BURST * this.lanes ? `${burst} connections within 2 s` : null;
    const often = this.knocks.length > A_MINUTE * this.lanes ? `${this.knocks.length} connections within a minute` : null;
    tallies.hold('backsOff', tooMany ?? often);
  }

  requested(connection: number, text: string): void {
    const wanted = lanesIn(text);
    if (wanted === null) return;
    this.connections.set(connection, { wanted, askedAt: this.parts.now(), isAcked: false, isRefused: false });
    const again = this.lost.find((one) => one.wanted === wanted);
    this.lost = this.lost.filter((one) => one !== again);
    this.lanes = Math.max(this.lanes, new Set(this.live.map(({ words }) => words)).size);
  }

  /** A quote message before faults. */
  issued(text: string): void {
    const { id, buyQuote, sellQuote }: QuoteMessage = JSON.parse(text);
    if (id !== undefined && buyQuote && sellQuote) keep(this.meant, id, { buyQuote: buyQuote.price, sellQuote: sellQuote.price });
  }

  sent(connection: number, text: string): void {
    const here = this.connections.get(connection);
    if (!here) return;
    if (text.includes('"ACK"')) here.isAcked = here.wanted !== null && ackOf(text) === productOf(here.wanted);
    else if (text.includes('"ERR"')) this.refuse(here);
    else this.quoted(connection, here, text);
  }

  closed(connection: number): void {
    const here = this.connections.get(connection);
    this.connections.delete(connection);
    if (here?.wanted && !here.isRefused) this.lose(here.wanted);
  }

  /** The faults of a quote as sent. */
  faultsOf(quoteId: string): { readonly price: string | null; readonly subscription: string | null } {
    const quote = this.sentQuotes.get(quoteId);
    if (!quote) return { price: null, subscription: null };
    const here = this.connections.get(quote.connection);
    const isUnacked = here && !here.isAcked && here.wanted === quote.wanted && this.parts.now() - here.askedAt > ACK_MS;
    return { price: quote.price, subscription: isUnacked ? 'its subscription was not acknowledged' : null };
  }

  /** Checks for subscriptions that were not renewed. */
  poll(): void {
    const { tallies, now } = this.parts;
    const at = now();
    const isKnocking = at - this.lastKnock < KNOCKED_MS;
    for (const one of this.lost) {
      if (at < one.until || isKnocking) continue;
      this.lost = this.lost.filter((other) => other !== one);
      tallies.breach('renews', `nobody asks for ${one.wanted} again`);
    }
  }

  private refuse(here: Connection): void {
    here.isRefused = true;
    if (here.wanted !== null) this.lose(here.wanted);
  }

  private lose(wanted: string): void {
    this.parts.tallies.chance('renews');
    this.lost.push({ wanted, until: this.parts.now() + RENEW_MS });
  }

  private quoted(connection: number, { wanted, isAcked, askedAt }: Connection, text: string): void {
    const { tallies, now } = this.parts;
    const [, id] = /"id":"([^"]+)"/.exec(text) ?? [];
    if (id === undefined || wanted === null) return;
    this.quotes += 1;
    const price = this.wildness(id, text);
    if (price !== null) tallies.chance('sane');
    if (!isAcked && now() - askedAt > ACK_MS && !this.sentQuotes.has(id)) tallies.chance('acked');
    keep(this.sentQuotes, id.toLowerCase(), { connection, wanted, price });
  }

  /** The fault of a price that differs from the service's own; null for a correct one. */
  private wildness(id: string, text: string): string | null {
    for (const side of ['buyQuote', 'sellQuote'] as const) {
      const [, told] = new RegExp(`"${side}":\\{[^}]*?"price":"?([^",}]+)`).exec(text) ?? [];
      const meant = this.meant.get(id)?.[side];
      if (told === undefined || meant === undefined) continue;
      if (!(Math.abs(Number(told) - meant) <= Math.abs(meant) * 1e-6))
        return `its price was sent as ${told}, and the market is at ${meant}`;
    }
    return null;
  }
}

interface QuoteMessage {
  readonly id?: string;
  readonly buyQuote?: { readonly price: number };
  readonly sellQuote?: { readonly price: number };
}

/** Keeps the newest. */
function keep<Kept>(all: Map<string, Kept>, id: string, one: Kept): void {
  all.set(id, one);
  const [oldest] = all.keys();
  if (all.size > MAX_QUOTES && oldest !== undefined) all.delete(oldest);
}

/** The content of a subscription, in words; null for other texts. */
function lanesIn(text: string): string | null {
  try {
    const { quoteType, productCode, inputSize, inputValue }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (quoteType !== 'TRADING') return null;
    return `${String(productCode).toLowerCase()} ${inputSize == null ? `for ${inputValue}` : inputSize}`;
  } catch {
    // No JSON: no subscription.
    return null;
  }
}

const productOf = (wanted: string): string => wanted.split(' ')[0] ?? '';

function ackOf(text: string): string {
  const [, product = ''] = /"productCode":"([^"]*)"/.exec(text) ?? [];
  return product.toLowerCase();
}
