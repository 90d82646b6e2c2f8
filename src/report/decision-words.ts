import { reasonWords, refusalWords } from '#domain/check-words.ts';
import type { Decision, IntentDetail, WorkedDetail } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { FiguresText, FillText } from '#domain/order-text.ts';
import type { Baseline } from '#domain/past-risk.ts';

/** What tells most about a decision, in words. */
export function describeDecision(decision: Decision): string {
  switch (decision.kind) {
    case 'intent':
      return `${wanted(decision.detail)} | quote ${decision.quoteId} ${offered(decision.detail)}`;
    case 'approved': {
      const { order, timeLeftMs, checks } = decision.detail;
      return `${order.side} ${figures(order)}, ${checks.length} checks passed, ${timeLeftMs} ms left`;
    }
    case 'refused': {
      const { intent, checks, repeated } = decision.detail;
      return `${wanted(intent)} | ${refusalWords(decision.reason, checks)}${times(repeated)}`;
    }
    case 'hold':
      return `${decision.detail.why}${signals(decision.detail.signals)}${times(decision.detail.repeated)}`;
    case 'exit': {
      const { figure, limit, price, average, size } = decision.detail;
      return `${figure}, set to ${limit} | ${size} held at ${average}, closing at ${price}`;
    }
    case 'dust':
      return `${decision.detail.dust} of ${decision.detail.held} held; the least order is ${decision.detail.least}`;
    case 'state':
      return `${decision.detail.state} | by ${decision.detail.by}`;
    case 'sent':
      return `${decision.detail.timeLeftMs} ms left, signature ${decision.detail.signatureAgeMs} ms old`;
    case 'expired':
      return `${decision.detail.timeLeftMs} ms left`;
    case 'not_sent':
      return decision.detail.why;
    case 'working': {
      const { work, legs, lasting } = decision.detail;
      return `${work}${lasting ? ', until it is done' : ''}: ${legs.map(({ side, reason, lane }) => `${side ?? 'as needed'} on ${lane} (${reason})`).join(', then ')}`;
    }
    case 'worked':
      return decision.detail.work;
    case 'peak':
      return `best price ${decision.detail.price} of the position opened ${isoTime(decision.detail.openedAt)}`;
    case 'lapsed':
    case 'withdrawn':
      return worked(decision.detail);
    case 'leg_failed':
      return `leg ${decision.detail.leg} of ${decision.detail.of}, ${decision.detail.policy} the others | ${worked(decision.detail)}`;
    case 'accepted':
      return `${bought(decision.detail.fill)} | ${answered(decision.detail)}`;
    case 'rejected':
    case 'unknown':
      return `${decision.detail.why} | ${answered(decision.detail)}`;
    case 'resolved': {
      const { as, fill, who, why } = decision.detail;
      return `as ${as} by ${who}: ${why}${fill ? ` | ${bought(fill)}` : ''}`;
    }
    case 'action': {
      const { name, action, status, httpStatus, who, why } = decision.detail;
      const by = who === undefined ? '' : ` | ${who}: ${why}`;
      return `${name}: ${action} ${status}${httpStatus === null ? '' : ` (${httpStatus})`}${by}`;
    }
    case 'notification': {
      const { id, type, transferId, status, by } = decision.detail;
      return `${id} ${status}: ${type} ${transferId ?? ''}${by ? ` | ${by.who}: ${by.why}` : ''}`;
    }
    case 'scheduled':
      return decision.detail.lines.map(({ name, action, next }) => `${name}: ${action}, next ${next ?? 'never'}`).join('; ');
    case 'booked': {
      const { who, why, entries } = decision.detail;
      return `${who}: ${why} | ${entries.map(({ book, kind, amount, currency }) => `${book} ${kind} ${amount} ${currency}`).join(', ')}`;
    }
    case 'drill': {
      const { who, why, verdict, outcome, orderId, shutMs, stoppedMs } = decision.detail;
      const times = [
        shutMs === null ? '' : `gate shut after ${shutMs} ms`,
        stoppedMs === null ? '' : `order stopped after ${stoppedMs} ms`,
      ];
      return [`${who}: ${why}`, `${verdict}: ${outcome}`, orderId ?? '', ...times].filter((part) => part !== '').join(' | ');
    }
    case 'by_hand': {
      const { who, why, act, wants } = decision.detail;
      return `${act} ${JSON.stringify(wants)} | ${who}: ${why}`;
    }
    case 'by_hand_end': {
      const { act, refused, parts } = decision.detail;
      const came = parts.map(
        ({ book, product, wants, state, left, why }) =>
          `${book} ${product} ${wants}: ${state}, ${left} held${why === null ? '' : ` (${why})`}`,
      );
      return `${act}: ${refused === null ? came.join('; ') || 'nothing to do' : refused.why}`;
    }
    case 'threw':
      return `${decision.detail.error} (${decision.detail.inARow} in a row)`;
    case 'paused':
    case 'resumed':
    case 'halted':
    case 'reducing':
    case 'disarmed':
    case 'armed':
    case 'disabled':
    case 'enabled':
    case 'stopped':
      return `${decision.detail.who}: ${decision.detail.why}`;
    case 'clock': {
      const { sure, offsetMs, halfWidthMs } = decision.detail;
      return `${sure ? 'sure' : 'not sure'}: service's time less ours ${offsetMs ?? '?'} ms, to ${halfWidthMs ?? '?'} ms`;
    }
    case 'warmed': {
      const { lane, quotes, from, to, gapMs } = decision.detail;
      return `${lane}: ${quotes} recorded quotes from ${from} to ${to}, longest silence ${gapMs} ms`;
    }
    case 'learned':
      return `${decision.detail.size} ${decision.detail.currency} without a spread, on ${decision.detail.lane}`;
    case 'quarantine':
      return `${decision.detail.on ? 'set aside' : 'back'}: ${decision.detail.lane}, ${decision.detail.why}`;
    case 'blocked': {
      const { on, state, why, mend, lastedMs } = decision.detail;
      if (!on) return `${state} again after ${Math.round(lastedMs / 1000)} s`;
      return [`${state} for ${Math.round(lastedMs / 1000)} s`, why, mend].filter((part) => part !== '').join('; ');
    }
    case 'lag':
      return `${decision.detail.on ? 'too late' : 'in time again'}: the event loop is ${decision.detail.p99Ms} ms late at p99`;
    case 'measured':
      return Object.entries(decision.detail.byCurrency)
        .map(([currency, baseline]) => measuredWords(currency, baseline, decision.detail.day))
        .join(', ');
    case 'started':
      return `${decision.detail.strategies.join(', ')} | config ${decision.detail.config.slice(0, 12)}`;
    default:
      // A row of a kind that this version does not know is shown as it is.
      decision satisfies never;
      return JSON.stringify(decision);
  }
}

const wanted = (detail: IntentDetail): string => `${detail.side} ${detail.wants}: ${detail.why}${signals(detail.signals)}`;

function offered({ quote }: IntentDetail): string {
  return `buy ${quote.buy} sell ${quote.sell} size ${quote.size}, ${quote.timeLeftMs} ms left`;
}

function signals(values: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(values).map(([name, value]) => `${name}=${short(value)}`);
  return named.length > 0 ? ` | ${named.join(' ')}` : '';
}

function measuredWords(currency: string, { dayStart, dayBegan, peak }: Baseline, day: string): string {
  const began = dayBegan ?? dayStart;
  const most = `${short(peak)} at most`;
  if (began === null) return `profit in ${currency} awaits the first prices of ${day}, ${most}`;
  const since = began === dayStart ? '' : `; the day's loss counts from ${short(dayStart)}`;
  return `profit ${short(began)} ${currency} when ${day} began, ${most}${since}`;
}

function short(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(10)));
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function worked({ side, wants, why, attempts, last }: WorkedDetail): string {
  return `${side ?? ''} ${wants}: ${why} | tried ${attempts} ${attempts === 1 ? 'time' : 'times'}${last === null ? '' : `, at last: ${reasonWords(last)}`}`.trimStart();
}

const figures = ({ price, size, value, fee, feeCcy }: FiguresText): string => `${size} at ${price} = ${value}, fee ${fee} ${feeCcy}`;

const bought = (fill: FillText): string => `${fill.side} ${figures(fill)}`;

function answered({ httpStatus, roundTripMs }: { readonly httpStatus: number | null; readonly roundTripMs: number | null }): string {
  const status = httpStatus === null ? 'no answer' : `answered ${httpStatus}`;
  return roundTripMs === null ? status : `${status} in ${Math.round(roundTripMs * 10) / 10} ms`;
}

const times = (repeated: number | undefined): string => (repeated === undefined ? '' : ` | ${repeated} times`);

/** Nothing from outside may break a line or move the cursor. */
