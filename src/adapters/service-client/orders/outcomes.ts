import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import type { Fields } from '#adapters/service-client/quotes/decode-quote.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import type { OrderCore } from '#domain/order.ts';
import { answerBody } from './answer-body.ts';
import { type AnswerField, type Evidence, type EvidenceRules, evidenceIn, refusalIn, signOfWord } from './answer-evidence.ts';
import { type AnswerFigures, figuresTold, isMisfit, type Misfit } from './answer-figures.ts';
import { heldAgainst } from './figures-check.ts';
import { namesUser, saysUsed } from './refusal-words.ts';

/** An answer to an order POST, as far as it came. */
export interface OrderAnswer {
  readonly status: number;
  readonly body: string;
  /** False when the body was cut off, too long, or unfinished at the deadline. */
  readonly complete: boolean;
  /** Value of `Retry-After`, null when there is none. */
  readonly retryAfter: string | null;
  /** True where another order was executed by the very same answer. */
  readonly isRepeated?: boolean;
}

/** What the specification leaves open, from the settings. */
export interface OutcomeRules extends EvidenceRules {
  /** Outcome by HTTP status, over the table below. */
  readonly outcomes: Readonly<Record<string, 'accepted' | 'rejected' | 'unknown'>>;
  /** What 200, 201 or 204 without a body means. */
  readonly emptyAnswer: 'accepted' | 'unknown';
  /** How far price and value of an answer may be from the quote's, in percent. */
  readonly figureTolerancePct: number;
}

/** The order that an answer is to. */
export type AnsweredOrder = Pick<OrderCore, 'quoteId' | 'product' | 'side' | 'figures' | 'baseCcy' | 'quoteCcy'>;

/** What the answer means for the order. */
export type ClassifiedAnswer = Pick<AnswerReport, 'outcome' | 'reason' | 'why' | 'figures'>;

/** Statuses of a success that may have no body. */
const BODILESS: ReadonlySet<number> = new Set([200, 201, 204]);

/** Statuses that do not say whether the order was executed. */
const AMBIGUOUS: ReadonlySet<number> = new Set([408, 409, 425]);

/**
 * Reads an answer by the table of outcomes. The specification shows no response (spec 4.4), so an order counts as executed on
 * positive evidence alone, at figures that were held against its quote; whatever leaves doubt is `unknown` and names the setting
 * that ends the doubt: never re-sent, never guessed.
 */
export function classifyAnswer(answer: OrderAnswer, rules: OutcomeRules, order: AnsweredOrder): ClassifiedAnswer {
  const { status } = answer;
  const own = Object.hasOwn(rules.outcomes, String(status)) ? rules.outcomes[String(status)] : undefined;
  if (own === 'rejected' || own === 'unknown') {
    return verdict(own, own === 'rejected' ? 'HTTP_REFUSED' : 'HTTP_AMBIGUOUS', `service.outcomes says that ${status} is ${own}`);
  }
  if (own === 'accepted' || (status >= 200 && status <= 299)) return successful(answer, { rules, order, own: own === 'accepted' });
  return refused(answer, { rules, order, own: false });
}

function refused(answer: OrderAnswer, reading: Reading): ClassifiedAnswer {
  const { status, body } = answer;
  const done = executedBy(answer, reading);
  if (done !== undefined && status >= 400 && status <= 499) {
    return unknown(`the service answered ${status} with ${shown(done)}, as if the order was executed; ${ifRefused(status)}`);
  }
  const said = `the service answered ${status}${saying(answer)}`;
  if (status === 401) return verdict('rejected', 'HTTP_UNAUTHORIZED', said);
  if (status === 403) return verdict('rejected', 'HTTP_FORBIDDEN', said);
  if (status === 429) return verdict('rejected', 'HTTP_REFUSED', `the service answered 429${waiting(answer)}`);
  if (status < 400 || status > 499 || AMBIGUOUS.has(status)) {
    return unknown(`the service answered ${status}, which does not say whether the order was executed`);
  }
  if (saysUsed(body)) {
    return unknown(`the service answered ${status} and calls a quote that was sent once used${saying(answer)}; ${ifRefused(status)}`);
  }
  if (status === 400 && namesUser(body)) {
    return verdict('rejected', 'HTTP_FORBIDDEN', `the service answered 400 and names the user id${saying(answer)}`);
  }
  return verdict('rejected', 'HTTP_REFUSED', `${said}${mendOf(answer)}`);
}

/** What says in the body of a refusal that the order was executed, whole or in part. */
function executedBy(answer: OrderAnswer, { rules, order }: Reading): AnswerField | undefined {
  const body = answerBody(answer.body);
  if (body.form !== 'object') return undefined;
  const { done, partial } = evidenceIn(body.fields, rules, order);
  const told = figuresTold(body.fields, rules.ignoredFields);
  const size = isMisfit(told) || !told.size?.executed || told.size.figure.isZero() ? undefined : told.size;
  return done ?? partial ?? (size && { field: size.field, value: size.figure.toString() });
}

interface Reading {
  readonly rules: OutcomeRules;
  readonly order: AnsweredOrder;
  /** `service.outcomes` says that the status means executed: what says nothing else is. */
  readonly own: boolean;
}

function successful(answer: OrderAnswer, reading: Reading): ClassifiedAnswer {
  const { status } = answer;
  const { rules, own } = reading;
  // No setting makes it executed: what is missing may say that a part was.
  if (!answer.complete) {
    const why = `the answer ${status} broke off, and the rest may say that only a part was executed; settle the order by what the account shows`;
    return { ...unknown(why), reason: 'HTTP_UNREADABLE' };
  }
  const body = answerBody(answer.body);
  const executed = verdict(
    'accepted',
    'HTTP_OK',
    own ? `service.outcomes says that ${status} is accepted` : `the service answered ${status}`,
  );
  switch (body.form) {
    case 'empty': {
      if (own || (BODILESS.has(status) && rules.emptyAnswer === 'accepted')) return executed;
      return unknown(
        `the service answered ${status} and nothing else; ${ifExecuted(status)}${BODILESS.has(status) ? ', or service.emptyAnswer: accepted' : ''}`,
      );
    }
    case 'unreadable':
      if (own) {
        const word = refusalIn(answer.body);
        if (word === undefined) return executed;
        return unknown(
          `the service answered ${status} with ${body.what} that contains "${printable(word, 40).toLowerCase()}"${saying(answer)}; service.outcomes maps ${status} to executed, but a word of refusal overrules it: look into the account`,
        );
      }
      return {
        ...unknown(`the service answered ${status} with ${body.what} where an order was expected; ${ifExecuted(status)}`),
        reason: 'HTTP_UNREADABLE',
      };
    case 'word': {
      const sign = signOfWord(body.text, rules);
      // A word alone cannot say how much of an order a part is.
      const evidence: Evidence = sign === null ? {} : { [sign === 'partial' ? 'unclear' : sign]: { field: 'the body', value: body.text } };
      return judged(answer, evidence, {}, reading) ?? executed;
    }
    case 'object':
      return ordered(answer, body.fields, reading) ?? executed;
  }
}

/** An answer of fields: executed at its figures, or what stands against it. */
function ordered(answer: OrderAnswer, fields: Fields, reading: Reading): ClassifiedAnswer | undefined {
  const { rules, order, own } = reading;
  const { status } = answer;
  const isSuccess = status >= 200 && status <= 299;
  const evidence = isSuccess ? evidenceIn(fields, rules, order) : {};
  if (answer.isRepeated && evidence.id !== undefined)
    return unknown(`the service answered ${status} as it has answered another order, with ${shown(evidence.id)}; look into the account`);
  const told = figuresTold(fields, rules.ignoredFields);
  const against = judged(answer, evidence, told, reading);
  if (against !== undefined) return against;
  const held = isMisfit(told)
    ? told
    : heldAgainst(order, told, { figureTolerancePct: rules.figureTolerancePct, partial: evidence.partial !== undefined });
  if ('why' in held) return doubted(status, held);
  const said = own ? `service.outcomes says that ${status} is accepted` : `the service answered ${status}`;
  const why =
    held.reading === 'value-with-fee' ? `${said}; its value has the fee in it, and size times price is booked (${held.reading})` : said;
  return { outcome: 'accepted', reason: 'HTTP_OK', why, figures: held.figures };
}

/** The verdict of what an answer says, where that is not `executed`. The order of the lines is that of their weight. */
function judged({ status }: OrderAnswer, said: Evidence, told: AnswerFigures | Misfit, { own }: Reading): ClassifiedAnswer | undefined {
  const sized = !isMisfit(told) && told.size?.executed === true && !told.size.figure.isZero();
  const { done, rejected, against, unclear, partial, begun, id, none, empty } = said;
  if (rejected !== undefined && done === undefined && partial === undefined && !sized) {
    return verdict(
      'rejected',
      'HTTP_REFUSED',
      `the service answered ${status} with ${shown(rejected)}, which service.rejectedStatuses names`,
    );
  }
  const no = rejected ?? against;
  if (no !== undefined) return unknown(`the service answered ${status} with ${shown(no)}; ${meaning(no)}`);
  if (unclear !== undefined) return unknown(`the service answered ${status} with ${shown(unclear)}; ${meaning(unclear)}`);
  if (own || done !== undefined || partial !== undefined || sized) return undefined;
  const nothing = none ?? (id === undefined ? empty : undefined);
  if (nothing !== undefined)
    return unknown(`the service answered ${status} with ${shown(nothing)}, so that nothing of the order is executed; ${meaning(nothing)}`);
  if (status === 202) {
    return unknown(`the service answered 202, which says that the order was taken and not that it was executed; ${ifExecuted(status)}`);
  }
  if (begun !== undefined || id !== undefined || isMisfit(told)) return undefined;
  return unknown(`the service answered ${status} with a body that has neither a status nor an order's id; ${ifExecuted(status)}`);
}

function doubted(status: number, { field, why }: Misfit): ClassifiedAnswer {
  const name = nameOf(field);
  // Who ignores what was paid or had books another amount than the account has: it is asked first.
  const mend = `settle the order by what the account shows; only where that is what was quoted, set service.ignoredFields: [${name}], and the quote's figures are booked`;
  return unknown(`the service answered ${status}, and its figures do not fit the quote: ${field} ${why}; ${mend}`);
}

/** The last name of a path of fields, as it may be shown. */
const nameOf = (field: string): string => printable(field.split('.').at(-1) ?? field, 64);

function meaning({ field, value }: AnswerField): string {
  const name = nameOf(field);
  const isWord = typeof value === 'string' && /^[A-Za-z0-9_ -]{1,40}$/.test(value);
  const word = isWord
    ? `add ${JSON.stringify(value)} to service.filledStatuses if it means executed, to service.rejectedStatuses if not`
    : '';
  const ignored = field === 'the body' ? '' : `add ${name} to service.ignoredFields if it says nothing about the order`;
  return [word, ignored].filter((part) => part !== '').join('; ');
}

const ifExecuted = (status: number): string => `if this service means executed by it, set service.outcomes: {"${status}": accepted}`;
const ifRefused = (status: number): string => `if this service means not executed by it, set service.outcomes: {"${status}": rejected}`;

const unknown = (why: string): ClassifiedAnswer => verdict('unknown', 'HTTP_AMBIGUOUS', why);

function verdict(outcome: ClassifiedAnswer['outcome'], reason: ClassifiedAnswer['reason'], why: string): ClassifiedAnswer {
  return { outcome, reason, why, figures: {} };
}

function saying(answer: OrderAnswer): string {
  return answer.body === '' ? '' : `: ${printable(answer.body, 200).trim()}`;
}

function waiting(answer: OrderAnswer): string {
  return answer.retryAfter === null ? '' : ` and asks to wait: ${printable(answer.retryAfter, 40)}`;
}

const shown = ({ field, value }: AnswerField): string => `${printable(field, 80)} ${printable(JSON.stringify(value) ?? '', 80)}`;

/** The setting at fault where a refusal says as much: another word for a side, nothing at this path, or no reason at all. */
function mendOf({ status, body }: OrderAnswer): string {
  if (status === 404) return '; check service.brand and service.paths.orders';
  if (status !== 400) return '';
  if (/^[\s{}[\]]*$/.test(body)) return ' and not why: where each order is answered so, check service.sides';
  return /\bsides?\b/i.test(body) ? '; check service.sides' : '';
}
