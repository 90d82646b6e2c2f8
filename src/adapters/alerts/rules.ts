import { consentCommand } from '#domain/closing-wait.ts';
import type { Decision, DecisionKind, DecisionRow } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { endText, latchesText, stillText } from '#domain/latch-ends.ts';
import type { Millis } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import { isSkippedQuietly } from '#domain/schedule.ts';
import { settleText } from '#domain/settle-text.ts';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';
import type { Alert } from './alert.ts';

const LOSSES: ReadonlySet<Reason | null> = new Set<Reason>(['MAX_DRAWDOWN', 'MAX_DAY_LOSS', 'LOSS_STREAK']);

/** What a committed row of a kind is to a person who is not watching. `standing`: what is latched of all strategies after it. */
type Rule<Kind extends DecisionKind> = (row: DecisionRow<Kind>, standing: readonly Latch[]) => Alert | undefined;

const RULES: { readonly [Kind in DecisionKind]?: Rule<Kind> } = {
  halted: (row, standing) => stopped(row, standing, `HALTED by ${row.detail.who}: ${row.detail.why}`),
  disarmed: (row, standing) => stopped(row, standing, `DISARMED: ${row.detail.why}`),
  reducing: (row, standing) => ({ ...stopped(row, standing, `REDUCING: ${row.detail.why}`), ...ofLosses(row) }),
  resumed: (row, standing) => (row.strategy === null ? ended(row, `resumed by ${row.detail.who}: ${row.detail.why}`, standing) : undefined),
  armed: (row, standing) => ended(row, `trading is armed by ${row.detail.who}: ${row.detail.why}`, standing),
  unknown: ({ at, orderId, strategy, product, reason, detail }) => ({
    event: 'unknown',
    at,
    subject: `order ${orderId}`,
    title: `outcome of order ${orderId} unknown: ${strategy ?? 'manual order'}, ${product}`,
    text: [detail.why || (reason === null ? '' : REASONS[reason]), detail.position, settleText(orderId ?? '')].filter(Boolean).join('\n'),
    over: false,
  }),
  refused: (row) => (row.detail.repeated === undefined ? waits(row) : undefined),
  // Worth a word where it was taken for unknown before.
  accepted: (row) => (row.reason === 'LATE_ANSWER' ? settled(row, `order ${row.orderId} was executed after all`) : undefined),
  rejected: (row) => (row.reason === 'LATE_ANSWER' ? settled(row, `order ${row.orderId} was rejected after all`) : undefined),
  resolved: (row) => settled(row, `order ${row.orderId} is settled as ${row.detail.as} by ${row.detail.who}`),
  threw: ({ at, strategy, detail }) => ({
    ...{ event: 'strategy', at, subject: `strategy ${strategy} failed`, over: false },
    title: `strategy ${strategy} failed: ${detail.error}`,
    text: 'Three failures in a row disable it; until then it goes on and skips the decision that failed: kairos status counts them',
  }),
  disabled: ({ at, strategy, detail: { why } }) => ({
    ...{ event: 'strategy', at, subject: `strategy ${strategy}`, over: false },
    title: `strategy ${strategy} is disabled: ${why}`,
    text: endText([{ kind: 'disabled', strategy, why }]),
  }),
  enabled: ({ at, strategy }) => ({
    ...{ event: 'strategy', at, subject: `strategy ${strategy}`, over: true },
    title: `strategy ${strategy} is enabled`,
    text: '',
  }),
  // A start that waits to be armed is told as that.
  blocked: (row) => (row.reason === 'DISARMED' ? undefined : blocked(row)),
  action: ({ at, detail }) => {
    const { name, action, status, response, dueAt } = detail;
    if (status === 'asked' || status === 'confirmed' || isSkippedQuietly(detail)) return undefined;
    const told = {
      event: 'missed',
      at,
      subject: `action ${name} ${dueAt}`,
      title: `${name}: ${action} ${status}`,
      text: response,
      over: false,
    } as const;
    // What can never be read back is no news, and no error of the log either.
    return status === 'unverified' ? { ...told, onlyWithError: true } : told;
  },
};

/**
 * What a committed row of the journal is to a person who is not watching; undefined for most of them. `standing`: what is latched of all
 * strategies after it.
 */
export const alertOf = (row: Decision, standing: readonly Latch[] = []): Alert | undefined => toldOf(row, standing);

const toldOf = <Kind extends DecisionKind>(row: DecisionRow<Kind>, standing: readonly Latch[]): Alert | undefined =>
  RULES[row.kind]?.(row, standing);

/** A stop of trading, and what ends it. Each such row says something new, so it repeats no alert of another. */
function stopped(
  { kind, at, detail: { who, why } }: DecisionRow<'halted' | 'disarmed' | 'reducing'>,
  standing: readonly Latch[],
  said: string,
): Alert {
  const own = standing.find((latch) => latch.kind === kind) ?? { kind, strategy: null, since: at, who, why };
  const besides = standing.filter((latch) => latch.kind !== kind && latch.kind !== 'paused');
  const others = besides.filter((latch) => latch.kind !== 'reducing');
  const means = STRATEGY_STATES[kind === 'reducing' && others.length > 0 ? 'HALTED' : STATES[kind]];
  const title = others.length === 0 ? said : `${said}; also ${latchesText(others)}`;
  return { ...trading(at, title, `${means}; ${endText([own, ...(others.length === 0 ? [] : besides)])}`), changed: true };
}

const STATES = { halted: 'HALTED', disarmed: 'DISARMED', reducing: 'REDUCING' } as const;

const ofLosses = ({ reason }: DecisionRow<'reducing'>) => (LOSSES.has(reason) ? ({ event: 'drawdown', subject: 'losses' } as const) : {});

function blocked({ at, strategy, reason, detail }: DecisionRow<'blocked'>): Alert {
  const { on, state } = detail;
  const { why, mend } = stateWords({ ...detail, reason });
  const freed = state === 'RUNNING' ? 'can trade again' : `is ${state} now: ${why}`;
  const title = `strategy ${strategy} ${on ? `cannot trade: ${why}` : freed}`;
  return { event: 'blocked', at, subject: `blocked ${strategy}`, cause: state, title, text: on ? mend : '', over: !on };
}

/** An exit waits for a person: it is worth more than goes without a word, or nothing more of the position is certain. */
function waits({ at, strategy, product, detail: { checks } }: DecisionRow<'refused'>): Alert | undefined {
  const told = { event: 'halt', at, subject: `exit ${strategy} ${product}`, over: false } as const;
  const unsure = checks.find(({ check }) => check === 'POSITION_UNSURE');
  if (unsure && unsure.limit !== null)
    return {
      ...told,
      event: 'unknown',
      urgent: true,
      title: `${strategy}: an exit in ${product} waits, and nothing is sent: ${unsure.figure}`,
      text: settleText(String(unsure.limit)),
    };
  const worth = checks.find(({ check, passed }) => check === 'MAX_EXIT_VALUE' && !passed);
  if (!worth) return undefined;
  const unit = worth.currency === undefined ? '' : ` ${worth.currency}`;
  return {
    ...told,
    title: `${strategy}: an exit in ${product} is worth ${worth.figure}${unit}, over risk.maxExitValue (${worth.limit}${unit}), and waits for the consent of a person`,
    text: `To allow it: ${consentCommand({ strategy: strategy ?? '', product: product ?? '', worth: String(worth.figure) })}`,
  };
}

const trading = (at: Millis, title: string, text = ''): Alert => ({ event: 'halt', at, subject: 'trading', title, text, over: false });

/** Something that stopped trading has ended: what was told ends with it only where nothing else stops it. */
function ended({ at }: Decision, said: string, standing: readonly Latch[]): Alert {
  const isStopped = standing.some(({ kind }) => kind !== 'paused');
  const told = trading(at, standing.length === 0 ? said : `${said}; ${stillText(standing)}`);
  return isStopped ? { ...told, changed: true } : { ...told, over: true };
}

const settled = ({ at, orderId }: Decision, title: string): Alert => ({
  ...{ event: 'unknown', at, subject: `order ${orderId}`, over: true },
  ...{ title, text: '' },
});
