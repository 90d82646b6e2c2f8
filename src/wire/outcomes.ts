import { decimalOf } from '../domain/decimal.ts';
import type { FiguresText } from '../domain/order-text.ts';
import type { AnswerReport } from '../domain/report.ts';
import { printable } from './decode-frame.ts';
import { type Fields, isCode, isFields } from './decode-quote.ts';

/** An answer to an order POST, as far as it came. */
export interface OrderAnswer {
  readonly status: number;
  readonly body: string;
  /** False when the body was cut off, too long, or unfinished at the deadline. */
  readonly complete: boolean;
  /** Value of `Retry-After`, null when there is none. */
  readonly retryAfter: string | null;
}

/** What the specification leaves open, from the settings. */
export interface OutcomeRules {
  /** Values of `status` or `state` that mean executed, in any case. */
  readonly filledStatuses: readonly string[];
  /** Outcome by HTTP status, over the table below. */
  readonly outcomes: Readonly<Record<string, 'accepted' | 'rejected' | 'unknown'>>;
}

/** What the answer means for the order. */
export type Verdict = Pick<AnswerReport, 'outcome' | 'reason' | 'why' | 'figures'>;

/** Statuses that do not say whether the order was executed. */
const AMBIGUOUS: ReadonlySet<number> = new Set([408, 409, 425]);
/** Someone on the way may have sent the order twice: then one of the two was executed. */
const USED_WORDS = /\b(?:already|duplicate[ds]?|duplication|used)\b/i;
const USER_WORDS = /\buser[ _-]?ids?\b/i;

/**
 * Reads an answer by the table of outcomes. The specification shows no response body (spec 4.4), so a success
 * counts as executed unless its body says something else, and whatever leaves doubt is `unknown`: never re-sent, never guessed.
 */
export function classifyAnswer(answer: OrderAnswer, rules: OutcomeRules): Verdict {
  const { status } = answer;
  const body = answer.complete ? fieldsIn(answer.body) : null;
  const own = Object.hasOwn(rules.outcomes, String(status)) ? rules.outcomes[String(status)] : undefined;
  if (own !== undefined) return overridden(own, status, body);
  if (status >= 200 && status <= 299) return successful(status, body, rules);
  if (status === 401) return verdict('rejected', 'HTTP_UNAUTHORIZED', `the service answered 401${saying(answer)}`);
  if (status === 403) return verdict('rejected', 'HTTP_FORBIDDEN', `the service answered 403${saying(answer)}`);
  if (status === 429) return verdict('rejected', 'HTTP_REFUSED', `the service answered 429${waiting(answer)}`);
  if (status < 400 || status > 499 || AMBIGUOUS.has(status)) {
    return verdict('unknown', 'HTTP_AMBIGUOUS', `the service answered ${status}, which does not say whether the order was executed`);
  }
  if (USED_WORDS.test(answer.body)) {
    return verdict(
      'unknown',
      'HTTP_AMBIGUOUS',
      `the service answered ${status} and calls a quote that was sent once used${saying(answer)}`,
    );
  }
  if (status === 400 && USER_WORDS.test(answer.body)) {
    return verdict('rejected', 'HTTP_FORBIDDEN', `the service answered 400 and names the user id${saying(answer)}`);
  }
  return verdict('rejected', 'HTTP_REFUSED', `the service answered ${status}${saying(answer)}`);
}

function successful(status: number, body: Fields | null, rules: OutcomeRules): Verdict {
  if (body === null) return verdict('accepted', 'HTTP_UNREADABLE', `the service answered ${status} with a body that cannot be read`);
  for (const name of ['error', 'errorCode']) {
    const said = body[name];
    if (said !== undefined && said !== null && said !== false && said !== '') {
      return verdict('unknown', 'HTTP_AMBIGUOUS', `the service answered ${status} with ${name} ${shown(said)}`);
    }
  }
  for (const name of ['status', 'state']) {
    const said = body[name];
    if (said === undefined || said === null) continue;
    if (typeof said !== 'string' || !means(said, rules.filledStatuses)) {
      return verdict('unknown', 'HTTP_AMBIGUOUS', `the service answered ${status} with ${name} ${shown(said)}`);
    }
  }
  return { outcome: 'accepted', reason: 'HTTP_OK', why: `the service answered ${status}`, figures: figuresIn(body) };
}

function overridden(outcome: 'accepted' | 'rejected' | 'unknown', status: number, body: Fields | null): Verdict {
  const why = `service.outcomes says that ${status} is ${outcome}`;
  if (outcome === 'accepted') return { outcome, reason: 'HTTP_OK', why, figures: body === null ? {} : figuresIn(body) };
  return verdict(outcome, outcome === 'rejected' ? 'HTTP_REFUSED' : 'HTTP_AMBIGUOUS', why);
}

function verdict(outcome: Verdict['outcome'], reason: Verdict['reason'], why: string): Verdict {
  return { outcome, reason, why, figures: {} };
}

function means(said: string, filled: readonly string[]): boolean {
  return filled.some((status) => status.toLowerCase() === said.toLowerCase());
}

/** The body as a JSON object; null for everything else, lists and bare values included. */
function fieldsIn(body: string): Fields | null {
  try {
    const parsed: unknown = JSON.parse(body);
    return isFields(parsed) ? parsed : null;
  } catch {
    // Not JSON: unreadable is one of the cases of the table.
    return null;
  }
}

const DECIMAL = /^[0-9]{1,30}(?:\.[0-9]{1,30})?$/;
/** Figures beyond these are no price, size or value of anything. */
const LEAST = decimalOf('1e-18');
const MOST = decimalOf('1e18');

/** Figures of the answer that replace the quote's: positive decimals, numbers or text; a fee may be nothing. */
function figuresIn(body: Fields): Partial<FiguresText> {
  const figures: { -readonly [Name in keyof FiguresText]?: string } = {};
  for (const name of ['price', 'size', 'value'] as const) {
    const text = decimalIn(body[name]);
    if (text !== null && decimalOf(text).gte(LEAST)) figures[name] = text;
  }
  const fee = decimalIn(body.fee);
  if (fee !== null) {
    figures.fee = fee;
    if (typeof body.feeCcy === 'string' && isCode(body.feeCcy)) figures.feeCcy = body.feeCcy;
  }
  return figures;
}

/** A number of at least 0 as decimal text, from a JSON number or a string of plain digits; else null. */
function decimalIn(value: unknown): string | null {
  const plain = typeof value === 'string' && DECIMAL.test(value);
  if (!plain && !(typeof value === 'number' && Number.isFinite(value) && value >= 0)) return null;
  const decimal = decimalOf(value).abs();
  return decimal.gt(MOST) ? null : decimal.toString();
}

function saying(answer: OrderAnswer): string {
  return answer.body === '' ? '' : `: ${printable(answer.body, 200).trim()}`;
}

function waiting(answer: OrderAnswer): string {
  return answer.retryAfter === null ? '' : ` and asks to wait: ${printable(answer.retryAfter, 40)}`;
}

function shown(value: unknown): string {
  return printable(JSON.stringify(value) ?? '', 80);
}
