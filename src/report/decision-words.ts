import { reasonWords, refusalWords } from '#domain/check-words.ts';
import type { Decision, DecisionDetails, DecisionKind, DecisionRow, IntentDetail, WorkedDetail } from '#domain/decision.ts';
import { durationText } from '#domain/duration-text.ts';
import { amountText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import type { FillText } from '#domain/order.ts';
import type { Baseline } from '#domain/past-risk.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { WhoWhy } from '#domain/who-why.ts';

/** The main detail of a kind of decision, in words. */
type Words<Kind extends DecisionKind> = (detail: DecisionDetails[Kind], row: Pick<DecisionRow<Kind>, 'reason' | 'quoteId'>) => string;

const byWhom = ({ who, why }: WhoWhy): string => `${who}: ${why}`;

const WORDS: { readonly [Kind in DecisionKind]: Words<Kind> } = {
  intent: (detail, { quoteId }) => `${wanted(detail)} | quote ${quoteId} ${offered(detail)}`,
  approved: ({ order, timeLeftMs, checks }) => `${fillWords(order)}, ${checks.length} checks passed, ${timeLeftMs} ms left`,
  refused: ({ intent, checks, repeated }, { reason }) => `${wanted(intent)} | ${refusalWords(reason, checks)}${times(repeated)}`,
  hold: (detail) => `${detail.why}${signals(detail.signals)}${times(detail.repeated)}`,
  exit: ({ figure, limit, price, average, size }) =>
    `${figure}, set to ${limit} | ${size} held, average entry ${average}, closing at ${price}`,
  dust: ({ dust, held, least }) => `${dust} of ${held} held; the least order is ${least}`,
  state: ({ state, by }) => `${state} | by ${by}`,
  sent: ({ timeLeftMs, signatureAgeMs }) => `${timeLeftMs} ms left, signature ${signatureAgeMs} ms old`,
  expired: ({ timeLeftMs }) => `${timeLeftMs} ms left`,
  not_sent: ({ why }) => why,
  working: ({ work, legs, lasting }) =>
    `${work}${lasting ? ', until it is done' : ''}: ${legs.map(({ side, reason, lane }) => `${side ?? 'as needed'} on ${lane} (${reason})`).join(', then ')}`,
  worked: ({ work }) => work,
  peak: ({ price, openedAt }) => `best price ${price} of the position opened ${isoTime(openedAt)}`,
  lapsed: (detail) => worked(detail),
  withdrawn: (detail) => worked(detail),
  leg_failed: (detail) => `leg ${detail.leg} of ${detail.of}, ${detail.policy} the others | ${worked(detail)}`,
  accepted: (detail) => `${fillWords(detail.fill)} | ${answered(detail)}`,
  rejected: (detail) => `${detail.why} | ${answered(detail)}`,
  unknown: (detail) => `${detail.why} | ${answered(detail)}`,
  resolved: ({ as, fill, who, why }) => `as ${as} by ${who}: ${why}${fill ? ` | ${fillWords(fill)}` : ''}`,
  action: ({ name, action, status, httpStatus, who, why }) => {
    const by = who === undefined ? '' : ` | ${who}: ${why}`;
    return `${name}: ${action} ${status}${httpStatus === null ? '' : ` (${httpStatus})`}${by}`;
  },
  notification: ({ id, type, transferId, status, by }) => `${id} ${status}: ${type} ${transferId ?? ''}${by ? ` | ${byWhom(by)}` : ''}`,
  signal: ({ source, id, madeAt, value }) =>
    `${source} ${id}: ${Object.entries(value)
      .map(([name, one]) => `${name} ${one}`)
      .join(', ')}${madeAt === null ? '' : ` | made at ${madeAt}`}`,
  scheduled: ({ lines }) => lines.map(({ name, action, next }) => `${name}: ${action}, next ${next ?? 'never'}`).join('; '),
  booked: ({ who, why, entries }) =>
    `${who}: ${why} | ${entries.map(({ book, kind, amount, currency }) => `${book} ${kind} ${amount} ${currency}`).join(', ')}`,
  drill: ({ who, why, verdict, outcome, orderId, shutMs, stoppedMs }) => {
    const shut = shutMs === null ? '' : `gate shut after ${shutMs} ms`;
    const stopped = stoppedMs === null ? '' : `order stopped after ${stoppedMs} ms`;
    return [`${who}: ${why}`, `${verdict}: ${outcome}`, orderId ?? '', shut, stopped].filter((part) => part !== '').join(' | ');
  },
  by_hand: ({ who, why, act, wants }) => `${act} ${plain(wants)} | ${who}: ${why}`,
  by_hand_end: ({ act, refused, parts }) => {
    const came = parts.map(
      ({ book, product, wants, state, left, why }) =>
        `${book} ${product} ${wants}: ${state === 'open' ? 'not finished' : state}, ${left} held${why === null ? '' : ` (${why})`}`,
    );
    return `${act}: ${refused === null ? came.join('; ') || 'nothing to do' : refused.why}`;
  },
  threw: ({ error, inARow }) => `${error} (${inARow} in a row)`,
  paused: byWhom,
  resumed: byWhom,
  halted: byWhom,
  reducing: byWhom,
  disarmed: byWhom,
  armed: byWhom,
  disabled: byWhom,
  enabled: byWhom,
  stopped: byWhom,
  clock: ({ sure, offsetMs, halfWidthMs }) =>
    `${sure ? 'sure' : 'not sure'}: service's time less ours ${offsetMs ?? '?'} ms, to ${halfWidthMs ?? '?'} ms`,
  warmed: ({ lane, quotes, from, to, gapMs }) => `${lane}: ${quotes} recorded quotes from ${from} to ${to}, longest silence ${gapMs} ms`,
  learned: ({ size, currency, lane }) => `${size} ${currency} without a spread, on ${lane}`,
  quarantine: ({ on, lane, why }) => `${on ? 'set aside' : 'back'}: ${lane}, ${why}`,
  // What ends it is said where a person can act on it: by `status`, the page, alerts and `why-not`.
  blocked: (detail, { reason }) => {
    const { on, state, lastedMs } = detail;
    const lasted = durationText(lastedMs);
    return on ? `${state} for ${lasted}: ${stateWords({ ...detail, reason }).why}` : `${state} again after ${lasted}`;
  },
  lag: ({ on, p99Ms }) => `${on ? 'too late' : 'in time again'}: the event loop is ${p99Ms} ms late at p99`,
  measured: ({ byCurrency, day }) =>
    Object.entries(byCurrency)
      .map(([currency, baseline]) => measuredWords(currency, baseline, day))
      .join(', '),
  started: ({ strategies, config }) => `${strategies.join(', ')} | config ${config.slice(0, 12)}`,
};

/** The main detail of a decision, in words; rows of unknown kinds unchanged. */
export function describeDecision(decision: Decision): string {
  return Object.hasOwn(WORDS, decision.kind) ? wordsOf(decision) : plain({ ...decision });
}

function wordsOf<Kind extends DecisionKind>(row: DecisionRow<Kind>): string {
  return WORDS[row.kind](row.detail, row);
}

const wanted = (detail: IntentDetail): string => `${detail.side} ${detail.wants}: ${detail.why}${signals(detail.signals)}`;

function offered({ quote }: IntentDetail): string {
  return `buy ${quote.buy} sell ${quote.sell} size ${quote.size}, ${quote.timeLeftMs} ms left`;
}

function signals(values: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(values).map(([name, value]) => `${name}=${valueText(value)}`);
  return named.length > 0 ? ` | ${named.join(' ')}` : '';
}

/** A value that a strategy named; of a signal from outside its fields, its id and its age. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none yet';
  if (!isGroup(value) || typeof value.ageMs !== 'number') return short(value);
  const { id, ageMs, stale, ...fields } = value;
  const said = Object.entries(fields).map(([name, field]) => `${name} ${short(field)}`);
  return `${said.join(' ')} (${id}, ${durationText(ageMs)} old${stale === true ? ', stale' : ''})`;
}

function measuredWords(currency: string, { dayStart, dayBegan, peak }: Baseline, day: string): string {
  const began = dayBegan ?? dayStart;
  const most = `${short(peak)} at most`;
  if (began === null) return `profit in ${currency} awaits the first prices of ${day}, ${most}`;
  const since = began === dayStart ? '' : `; the day's loss counts from ${short(dayStart)}`;
  return `profit ${short(began)} ${currency} when ${day} began, ${most}${since}`;
}

/** Fields with their values, those that say nothing left out. */
const plain = (fields: object): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => (value === true ? name : `${name} ${short(value)}`))
    .join(', ');

function short(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(10)));
  if (Array.isArray(value)) return value.map(short).join(' ');
  const text = typeof value === 'object' && value !== null ? plain(value) : String(value ?? '');
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function worked({ side, wants, why, attempts, last }: WorkedDetail): string {
  return `${side ?? ''} ${wants}: ${why} | tried ${attempts} ${attempts === 1 ? 'time' : 'times'}${last === null ? '' : `, at last: ${reasonWords(last)}`}`.trimStart();
}

/** What an order or a fill comes to: `buy 0.01 at 61800.1 = 618.00 usd, fee 0.62 usd`. */
export const fillWords = ({ side, price, size, value, quoteCcy, fee, feeCcy }: FillText): string =>
  `${side} ${size} at ${price} = ${amountText(Number(value), quoteCcy)}, fee ${amountText(Number(fee), feeCcy)}`;

/** How the service answered, and after how long. */
export function answered({ httpStatus, roundTripMs }: { readonly httpStatus: number | null; readonly roundTripMs: number | null }): string {
  const status = httpStatus === null ? 'no answer' : `answered ${httpStatus}`;
  return roundTripMs === null ? status : `${status} in ${Math.round(roundTripMs * 10) / 10} ms`;
}

const times = (repeated: number | undefined): string => (repeated === undefined ? '' : ` | ${repeated} times`);
