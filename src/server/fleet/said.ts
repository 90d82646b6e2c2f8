import { z } from 'zod';
import { MODE_NAMES } from '#domain/mode.ts';
import { blockedText } from '#domain/no-order-line.ts';
import { shortLine } from '#domain/one-line.ts';
import { ROLES, type Role } from '#domain/ops-token.ts';
import { type StateTone, toneOfState } from '#domain/state-tone.ts';
import type { MadeView } from '#server/page/view.ts';
import type { DaemonReport } from './view.ts';

const figure = z.number().nullable();
const book = { product: z.string(), position: z.string(), unrealised: figure, quoteCcy: z.string().nullable() };
const names = z.array(z.string()).default([]);

/** What is read of `GET /api/state`; a daemon of another version may say more. */
const state = z.object({
  at: z.string(),
  run: z.string(),
  mode: z.enum(MODE_NAMES),
  version: z.string(),
  pid: z.number(),
  phase: z.string(),
  trading: z.enum(['ACTIVE', 'REDUCING', 'DISARMED', 'HALTED']),
  notReady: names,
  unknowns: z.number(),
  waitingExits: z.array(z.object({ strategy: z.string(), product: z.string() })).default([]),
  money: z.object({
    currency: z.string(),
    equity: figure,
    profitOfDay: figure,
    profit: figure,
    unrated: names,
    made: z.array(z.object({ currency: z.string(), profit: figure, profitOfDay: figure.default(null) })).default([]),
    missing: names,
  }),
  strategies: z.array(
    z.object({
      id: z.string(),
      enabled: z.boolean().default(true),
      ...book,
      legs: z.array(z.object(book)).default([]),
      state: z.object({
        name: z.string(),
        why: z.string(),
        mend: z.string().default(''),
        since: z.string().nullable().default(null),
        blockedSince: z.string().nullable(),
      }),
    }),
  ),
});

type State = z.infer<typeof state>;

/** What a daemon says of itself; undefined where it is none, or of a version that cannot be read. */
export function saidIn(answer: unknown): DaemonReport | undefined {
  const { data } = state.safeParse(answer);
  if (!data) return undefined;
  const { at, run, mode, version, pid, trading, money, strategies } = data;
  return {
    at,
    run,
    mode,
    version,
    pid,
    trading,
    ...moneySaid(money),
    strategies: strategies.map((one) => ({
      id: one.id,
      enabled: one.enabled,
      product: one.product,
      state: one.state.name,
      why: blockedText(one.state),
      position: one.position,
      unrealised: one.unrealised,
      quoteCcy: one.quoteCcy,
      legs: one.legs.filter(({ position }) => Number(position) !== 0),
    })),
    alarms: alarmsOf(data),
    waits: stopped(strategies, 'warn'),
  };
}

/** Profits in the account's currency, and beside each what could not be valued in it. */
function moneySaid({ currency, equity, profitOfDay, profit, unrated, made, missing }: State['money']) {
  const withLeftOut = (valued: number | null, amounts: readonly MadeView[]): readonly MadeView[] => [
    ...(valued === null ? [] : [{ currency, profit: valued }]),
    ...amounts.filter((one) => one.profit === null || (one.profit !== 0 && unrated.includes(one.currency))),
  ];
  const ofDay = made.map((one) => ({ currency: one.currency, profit: one.profitOfDay }));
  const inAll = made.map((one) => ({ currency: one.currency, profit: one.profit }));
  return {
    currency,
    equity,
    profitOfDay,
    profit,
    profitOfDayIn: withLeftOut(profitOfDay, ofDay),
    profitIn: withLeftOut(profit, inAll),
    leftOut: [...new Set([...unrated.map((of) => `no lane gives a rate from ${of} to ${currency}`), ...missing])],
  };
}

/** What a person has to know, the worst first. */
function alarmsOf({ trading, notReady, unknowns, waitingExits, strategies }: State): readonly string[] {
  return [
    ...(trading === 'ACTIVE' ? [] : [trading]),
    ...(unknowns > 0 ? [`${unknowns === 1 ? 'one order' : `${unknowns} orders`} of unknown outcome`] : []),
    ...notReady.filter((reason) => !reason.startsWith('trading is')),
    ...stopped(strategies, 'bad'),
    ...waitingExits.map(({ strategy, product }) => `an exit of ${strategy} in ${product} waits for a person`),
  ];
}

/**
 * Strategies that are disabled, or could not trade for long, of a tone, with why; what stops all of them is told once. The settings leave out
 * what is not enabled: on purpose.
 */
const stopped = (strategies: State['strategies'], tone: StateTone): readonly string[] =>
  strategies.flatMap(({ id, enabled, state }) =>
    enabled && toneOfState(state.name) === tone && (state.name === 'DISABLED' || state.blockedSince !== null)
      ? [`${id} ${state.name}${state.since === null ? ':' : ''} ${blockedText(state)}`]
      : [],
  );

const decisions = z.object({ decisions: z.array(z.object({ seq: z.number(), at: z.string(), kind: z.string(), words: z.string() })) });

/** Rows of a journal as a daemon tells them; none where it tells nothing of the kind. */
export const rowsIn = (answer: unknown): z.infer<typeof decisions>['decisions'] => decisions.safeParse(answer).data?.decisions ?? [];

const holder = z.object({ role: z.enum(ROLES) });
const refusal = z.object({ message: z.string() });

/** What a token is for, as a daemon tells whoever shows it; undefined where its version does not. */
export const roleIn = (answer: unknown): Role | undefined => holder.safeParse(answer).data?.role;

/** Why a daemon refuses an act, in one line; empty where it does not say. */
export const refusalIn = (answer: unknown): string => shortLine(refusal.safeParse(answer).data?.message ?? '');
