import type { Decision, DecisionRow } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { latchesText, namedEnds, stillText } from '#domain/latch-ends.ts';
import { isoTime } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import { settleText } from '#domain/settle-text.ts';
import type { Alert } from './alert.ts';

const LOSSES: ReadonlySet<Reason | null> = new Set<Reason>(['MAX_DRAWDOWN', 'MAX_DAY_LOSS', 'LOSS_STREAK']);

/**
 * What a committed row of the journal is to a person who is not watching; undefined for most of them. `standing`: what is latched of all
 * strategies after it.
 */
export function alertOf(row: Decision, standing: readonly Latch[] = []): Alert | undefined {
  const { at } = row;
  switch (row.kind) {
    case 'halted':
      return besides(
        trading(row, `HALTED by ${row.detail.who}: ${row.detail.why}`, 'No order goes out until a person resumes: kairos resume'),
        row.kind,
        standing,
      );
    case 'disarmed':
      return besides(trading(row, `DISARMED: ${row.detail.why}`, 'No order goes out until a person arms: kairos arm'), row.kind, standing);
    case 'reducing': {
      const event = LOSSES.has(row.reason) ? 'drawdown' : 'halt';
      const until = standing.find(({ kind }) => kind === 'reducing')?.until;
      const itself = until === undefined ? '' : `it ends by itself at ${isoTime(until)}, or `;
      const text = `Only exits pass until ${itself}a person ends it: kairos arm, or kairos resume`;
      const subject = event === 'halt' ? 'trading' : 'losses';
      // Each such row is a stop of its own: the one before was ended by a person, or by time.
      const told: Alert = { event, at, subject, title: `REDUCING: ${row.detail.why}`, text, over: false, changed: true };
      return besides(told, row.kind, standing);
    }
    case 'resumed':
      return row.strategy === null ? ended(row, `resumed by ${row.detail.who}: ${row.detail.why}`, standing) : undefined;
    case 'armed':
      return ended(row, `trading is armed by ${row.detail.who}: ${row.detail.why}`, standing);
    case 'unknown':
      return {
        event: 'unknown',
        at,
        subject: `order ${row.orderId}`,
        title: `outcome of order ${row.orderId} unknown: ${row.strategy ?? 'by hand'}, ${row.product}`,
        text: [row.detail.why || reasonText(row.reason), row.detail.position, settleText(row.orderId ?? '')].filter(Boolean).join('\n'),
        over: false,
      };
    case 'refused':
      return row.detail.repeated === undefined ? waits(row) : undefined;
    case 'accepted':
      return executed(row.orderId, row);
    case 'resolved':
      return settled(row, `order ${row.orderId} is settled as ${row.detail.as} by ${row.detail.who}`);
    case 'threw':
      return {
        event: 'strategy',
        at,
        subject: `strategy ${row.strategy} failed`,
        title: `strategy ${row.strategy} failed: ${row.detail.error}`,
        text: 'Three failures in a row disable it; until then it goes on and skips the decision that failed: kairos status counts them',
        over: false,
      };
    case 'disabled':
      return {
        event: 'strategy',
        at,
        subject: `strategy ${row.strategy}`,
        title: `strategy ${row.strategy} is disabled: ${row.detail.why}`,
        text: `Until a person enables it: kairos enable ${row.strategy}`,
        over: false,
      };
    case 'enabled':
      return {
        event: 'strategy',
        at,
        subject: `strategy ${row.strategy}`,
        title: `strategy ${row.strategy} is enabled`,
        text: '',
        over: true,
      };
    case 'blocked': {
      const { on, state } = row.detail;
      const { why, mend } = stateWords({ ...row.detail, reason: row.reason });
      // A start that waits to be armed is told as that.
      if (row.reason === 'DISARMED') return undefined;
      const title = on
        ? `strategy ${row.strategy} cannot trade: ${why}`
        : `strategy ${row.strategy} ${state === 'RUNNING' ? 'can trade again' : `is ${state} now: ${why}`}`;
      return { event: 'blocked', at, subject: `blocked ${row.strategy}`, title, text: on ? mend : '', over: !on };
    }
    case 'action': {
      const { name, action, status, response, dueAt, missed } = row.detail;
      // `missed: skip` says that nobody needs to hear of it.
      if (status === 'asked' || status === 'confirmed' || (status === 'skipped' && missed === 'skip')) return undefined;
      const told: Alert = {
        event: 'missed',
        at,
        subject: `action ${name} ${dueAt}`,
        title: `${name}: ${action} ${status}`,
        text: response,
        over: false,
      };
      // What can never be read back is no news, and no error of the log either.
      return status === 'unverified' ? { ...told, onlyWithError: true } : told;
    }
    default:
      return undefined;
  }
}

/** An exit waits for a person: it is worth more than goes without a word, or nothing more of the position is certain. */
function waits({ at, strategy, product, detail: { checks } }: DecisionRow<'refused'>): Alert | undefined {
  const told = { event: 'halt', at, subject: `exit ${strategy} ${product}`, over: false } as const;
  const unsure = checks.find(({ check }) => check === 'POSITION_UNSURE');
  if (unsure && unsure.limit !== null)
    return {
      ...told,
      title: `${strategy}: an exit in ${product} waits, and nothing is sent: ${unsure.figure}`,
      text: settleText(String(unsure.limit)),
    };
  const worth = checks.find(({ check, passed }) => check === 'MAX_EXIT_VALUE' && !passed);
  if (!worth) return undefined;
  const unit = worth.currency === undefined ? '' : ` ${worth.currency}`;
  return {
    ...told,
    title: `${strategy}: an exit in ${product} is worth ${worth.figure}${unit}, over risk.maxExitValue (${worth.limit}${unit}), and waits for the consent of a person`,
    text: `To allow it: kairos close ${strategy} --product ${product} --up-to-value N`,
  };
}

function trading({ at }: Decision, title: string, text = ''): Alert {
  return { event: 'halt', at, subject: 'trading', title, text, over: false };
}

/** Something that stopped trading has ended: what was told ends with it only where nothing else stops it. */
function ended(row: Decision, said: string, standing: readonly Latch[]): Alert {
  const isStopped = standing.some(({ kind }) => kind !== 'paused');
  const told = trading(row, standing.length === 0 ? said : `${said}; ${stillText(standing)}`);
  return isStopped ? { ...told, changed: true } : { ...told, over: true };
}

/** An alert of a latch that names what else stops trading: it is another one than theirs, which are told already. */
function besides(told: Alert, own: Latch['kind'], standing: readonly Latch[]): Alert {
  const others = standing.filter(({ kind }) => kind !== own && kind !== 'paused' && kind !== 'reducing');
  if (others.length === 0) return told;
  const text = namedEnds(standing.filter(({ kind }) => kind !== 'paused'));
  return { ...told, title: `${told.title}; also ${latchesText(others)}`, text, changed: true };
}

/** An order was executed: worth a word where it was taken for unknown before. */
function executed(order: string | null, row: Decision): Alert | undefined {
  if (row.reason === 'LATE_ANSWER' || row.reason === 'SERVICE_ASKED') return settled(row, `order ${order} was executed after all`);
  return undefined;
}

function settled({ at, orderId }: Decision, title: string): Alert {
  return { event: 'unknown', at, subject: `order ${orderId}`, title, text: '', over: true };
}

const reasonText = (reason: Reason | null): string => (reason === null ? '' : REASONS[reason]);
