import { nearest } from '#domain/nearest.ts';

/** Where a fault strikes: what its share is taken of, for people. */
export const POINTS = {
  request: 'orders and requests about strategies',
  token: 'requests with a bearer token',
  answer: 'answers by HTTP',
  connection: 'connections to the feed',
  subscription: 'subscriptions',
  quote: 'quotes on their way out',
  validity: 'quotes that are made',
  notification: 'deliveries of a notification',
  start: 'starts of the venue',
} as const;

export type FaultPoint = keyof typeof POINTS;

interface Fault {
  readonly point: FaultPoint;
  /** Default share that it strikes, in percent. */
  readonly percent: number;
  /** Its numbers in `docs/faults.md`. */
  readonly numbers: string;
  /** What it does, for people. */
  readonly does: string;
}

/** Every fault of the paper venue, by its name in `venue.faults`. */
export const FAULTS = {
  'lost-answers': fault('request', 20, 'F03 F04', 'carried out; the connection is cut before the answer'),
  'server-errors': fault('request', 20, 'F10', 'answered with 500, 502, 503 or 504; half of them are carried out'),
  'slow-answers': fault('request', 20, 'F05 F12', 'carried out, and answered 4 to 10 s later'),
  'unreadable-answers': fault('request', 20, 'F06', 'carried out; the answer has no body, half of one, or a page of HTML'),
  rejections: fault('request', 20, 'F09 F15', 'refused with 422: quote expired, balance or limit too small'),
  'too-many-requests': fault('request', 20, 'F09', 'refused with 429; Retry-After asks to wait 1 to 5 s'),
  redirects: fault('request', 20, 'F11', 'answered with 301, 307 or 308, and not carried out'),
  'refused-keys': fault('request', 20, 'F07 F08', 'refused with 401 (key, time or signature) or 403 (user)'),
  'token-expired': fault('token', 20, 'F18', 'refused with 401'),
  'refused-feed': fault('connection', 50, 'F24', 'refused with 503, 429 or a page of HTML'),
  'refused-subscriptions': fault('subscription', 50, 'F28', 'answered with ERR'),
  'missing-acks': fault('subscription', 50, 'F26', 'served without an ACK'),
  'wrong-acks': fault('subscription', 50, 'F27', 'acknowledged as one of another product'),
  'dropped-feed': fault('quote', 2, 'F23', 'not sent; the connection is closed with 1001 or 1012, or cut'),
  'silent-feed': fault('quote', 2, 'F21 F22', 'not sent, nor is anything else for 4 to 14 s, not even a pong'),
  'short-quotes': fault('validity', 20, 'F15', 'valid for 20 to 200 ms'),
  'late-quotes': fault('quote', 20, 'F30', 'sent 0.7 to 2.5 s late, after newer ones'),
  'repeated-quotes': fault('quote', 20, 'F30', 'sent twice'),
  'bad-frames': fault('quote', 20, 'F32 F34 F35', 'cut off, binary, of an unknown type, or without its id or its validUntil'),
  'wild-prices': fault('quote', 2, 'F33', 'crossed, at zero, at ten times the price or at no number; so are the next five'),
  'webhook-repeats': fault('notification', 50, 'F38', 'sent two to four times'),
  'two-clocks': fault('answer', 20, 'F58', 'given a Date that is 4 s ahead of the others'),
  'clock-ahead': fault('start', 100, 'F07 F55', 'two minutes ahead in all: Date, validUntil, and when a signature is too old'),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** A configured fault. `all` is each fault of `MIXED`, at `percent` of its own share. */
export interface VenueFault {
  readonly name: FaultName | 'all';
  readonly percent: number;
}

const NAMES = Object.keys(FAULTS).filter(isFault);

/** Faults that halt trading until a person acts, which would hide all others. */
export const UNMIXED: readonly FaultName[] = ['refused-keys', 'wrong-acks', 'clock-ahead'];
/** The faults of `all`. */
export const MIXED: readonly FaultName[] = NAMES.filter((name) => !UNMIXED.includes(name));
/** Default share of `all`: a bot that queries its unknown orders goes on trading. */
export const MIXED_PERCENT = 10;

/** All names, in the order of lists. */
export const FAULT_NAMES: readonly VenueFault['name'][] = [...NAMES, 'all'];

/** A name with a share: `lost-answers`, `lost-answers=50%`. */
const GIVEN = /^([a-z-]{1,40})(?:=(\d{1,3}(?:\.\d{1,3})?)%)?$/;

/** Reads a fault of settings and options, or returns a text that says what it must be. */
export function readFault(text: string): VenueFault | string {
  const [, name = text, share] = GIVEN.exec(text) ?? [];
  if (!isGiven(name)) {
    const near = nearest(name, FAULT_NAMES, Math.max(2, name.length >> 1));
    return `be one of ${FAULT_NAMES.join(', ')}, not ${JSON.stringify(text.slice(0, 60))}${near ? `; did you mean ${near}?` : ''}`;
  }
  const percent = share === undefined ? ownPercent(name) : Number(share);
  return percent > 0 && percent <= 100 ? { name, percent } : `have a share above 0% and at most 100%, such as ${name}=50%`;
}

/** A fault in the form of settings and options. */
export function faultText({ name, percent }: VenueFault): string {
  return percent === ownPercent(name) ? name : `${name}=${percent}%`;
}

function ownPercent(name: VenueFault['name']): number {
  return name === 'all' ? MIXED_PERCENT : FAULTS[name].percent;
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function isGiven(name: string): name is VenueFault['name'] {
  return name === 'all' || isFault(name);
}

function fault<const Point extends FaultPoint>(point: Point, percent: number, numbers: string, does: string) {
  return { point, percent, numbers, does };
}
