import { checkWords } from '#domain/check-words.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import { typeset } from '#domain/money-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';
import { meaningOf } from '#domain/reasons.ts';
import { answered, fillWords, valueText } from './decision-words.ts';

interface OrderMovement {
  readonly kind: string;
  readonly currency: string;
  readonly amount: string;
}

/** One line of an order's history: a subject, the same for lines that belong together, and a text. */
export type HistoryLine = readonly [about: string, text: string];

/** What is journaled of an order. */
interface OrderStory {
  readonly decisions: readonly Decision[];
  readonly ledger: readonly OrderMovement[];
  /** When the plan that it serves was decided, ISO 8601; null where it serves none. */
  readonly decidedAt: string | null;
  /** True where no order is sent, and Kairos answers itself. */
  readonly isDry: boolean;
}

/** How an order is answered in dry mode. */
const IN_PROCESS = 'in this process, by the quote that it named';

/** The history of an order for a trader, in order of time. */
export function orderWords({ decisions, ledger, decidedAt, isDry }: OrderStory): readonly HistoryLine[] {
  const lines: HistoryLine[] = [];
  const answer = (row: DecisionOf<'accepted' | 'rejected' | 'unknown'>): string =>
    isDry && row.detail.httpStatus !== null ? IN_PROCESS : `${answered(row.detail)}: ${coded(row)}`;
  const [first] = decisions;
  const waitedMs = first === undefined || decidedAt === null ? 0 : first.at - Date.parse(decidedAt);
  const since = waitedMs > 0 ? 'it was tried' : 'the decision';
  let order: OrderText | undefined;
  let intentAt: number | undefined;
  for (const decision of decisions) {
    const after = intentAt === undefined ? '' : ` (${decision.at - intentAt} ms after ${since})`;
    switch (decision.kind) {
      case 'intent':
        intentAt = decision.at;
        lines.push(...intentLines(decision, waitedMs));
        break;
      case 'approved':
        order = decision.detail.order;
        lines.push(...approvedLines(decision));
        break;
      case 'sent': {
        const { sentAt, timeLeftMs, signatureAgeMs } = decision.detail;
        lines.push(
          isDry
            ? ['dry mode', `nothing was sent: it would have left ${sentAt} with ${timeLeftMs} ms to live; the answer is Kairos's own`]
            : ['sent', `${sentAt}: its first byte left with ${timeLeftMs} ms to live, the signature ${signatureAgeMs} ms old`],
        );
        break;
      }
      case 'expired':
        lines.push(['expired', `nothing was sent: ${coded(decision)}; ${decision.detail.timeLeftMs} ms were left${after}`]);
        break;
      case 'not_sent':
        lines.push(['not sent', `${coded(decision)}: ${decision.detail.why}${after}`]);
        break;
      case 'accepted':
        lines.push(['accepted', `${answer(decision)}${after}`]);
        lines.push(...bodyLine(decision.detail.body));
        lines.push(...fillLines(order, decision.detail.fill));
        break;
      case 'rejected':
      case 'unknown':
        lines.push([decision.kind, `${answer(decision)}; ${decision.detail.why}${after}`]);
        lines.push(...bodyLine(decision.detail.body));
        if (decision.kind === 'unknown')
          lines.push([
            '',
            'nothing is opened in the product, and only what is certain is closed, until a late answer or `kairos journal resolve` settles it',
          ]);
        break;
      case 'resolved': {
        const { as, who, why, fill } = decision.detail;
        lines.push(['resolved', `as ${as} by ${who}: ${why}`], ...(fill ? fillLines(order, fill) : []));
        break;
      }
      default:
        break;
    }
  }
  if (ledger.length > 0)
    lines.push(['booked', ledger.map(({ kind, currency, amount }) => `${kind} ${signed(amount)} ${currency}`).join(', ')]);
  return lines;
}

function intentLines({ at, detail }: DecisionOf<'intent'>, waitedMs: Millis): HistoryLine[] {
  const { side, wants, why, tag, signals, quote } = detail;
  const values = signalTexts(signals);
  return [
    ['wanted', `${side} ${wants}: ${why}${tag === null ? '' : ` (tag ${tag})`}`],
    ['saw', values.length === 0 ? 'no named values' : values.join(', ')],
    ...(waitedMs > 0 ? [['waited', `${durationText(waitedMs)} since the decision, and was tried at ${isoTime(at)}`] as const] : []),
    [
      'on quote',
      `buys at ${quote.buy}, sells at ${quote.sell}, size ${quote.size}, spread ${decimalOf(quote.spreadPercentage).toDecimalPlaces(4)} %, lane ${quote.lane}`,
    ],
    ['', `valid until ${quote.validUntil}: ${quote.timeLeftMs} ms left${waitedMs > 0 ? '' : ' at the decision'}`],
  ];
}

/** Values that a strategy named: `fast = 1.5`. */
export function signalTexts(signals: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(signals).map(([name, value]) => `${name} = ${valueText(value)}`);
}

function approvedLines({ detail: { order, checks, timeLeftMs } }: DecisionOf<'approved'>): HistoryLine[] {
  return [
    ['approved', `${fillWords(order)}, on quote ${order.quoteId} with ${timeLeftMs} ms left`],
    ...checks.map((check): HistoryLine => ['checks', `${check.passed ? 'passed' : 'failed'}: ${checkWords(check)}`]),
  ];
}

/** What the reason of a decision means, with its code. */
export function coded({ reason }: Pick<Decision, 'reason'>): string {
  return reason === null ? '' : `${meaningOf(reason) ?? 'a code that this version does not know'} (${reason})`;
}

const bodyLine = (body: string): HistoryLine[] =>
  body === '' ? [] : [['its text', body.length > 300 ? `${body.slice(0, 300)}...` : body]];

/** The execution compared with the quote that the order named. */
function fillLines(order: OrderText | undefined, fill: FillText): HistoryLine[] {
  const text = fillWords(fill);
  if (!order) return [['filled', text]];
  const names = ['price', 'size', 'value', 'fee'] as const;
  const differing = names.filter((name) => !decimalOf(fill[name]).eq(order[name]));
  const currency = fill.feeCcy === order.feeCcy ? [] : [`fee in ${fill.feeCcy}, quoted in ${order.feeCcy}`];
  const parts = [...differing.map((name) => `${name} ${fill[name]}, quoted ${order[name]}`), ...currency];
  return [
    ['filled', text],
    ['', parts.length === 0 ? 'exactly as quoted' : `not as quoted: ${parts.join('; ')}`],
  ];
}

const signed = (amount: string): string => (amount.startsWith('-') ? typeset(amount) : `+${amount}`);
