import { stripVTControlCharacters } from 'node:util';
import { waitingExitText } from '#domain/closing-wait.ts';
import { durationText } from '#domain/duration-text.ts';
import { amountText, moneyText } from '#domain/money-text.ts';
import { leftText } from '#domain/no-order-words.ts';
import { oneLine } from '#domain/one-line.ts';
import type { StateView, StrategyView } from '#server/page/view.ts';
import { painted, signPainted, statesPainted } from './meaning.ts';
import { figure } from './numbers.ts';
import { tableText } from './output.ts';
import { moneyOf, statesNotes } from './status-tables.ts';

/** What a screen shows, in how many columns and lines. */
interface ScreenInput {
  readonly journal: string;
  /** What the daemon says; undefined where none answers. */
  readonly state: StateView | undefined;
  /** The newest decisions as lines of no more than `width` characters, the newest last. */
  readonly decisions: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** So many of the limits that are nearest to being reached are shown. */
const LIMITS = 3;
const BAR = 10;
/** So much of a bar is near its end. */
const NEAR = 8;
const KEYS = 'q ends this screen and no daemon';

/** The lines of a screen: state, money, strategies, open orders, nearest limits, and below them as many decisions as have room. */
export function screenLines({ journal, state, decisions, width, height, now }: ScreenInput): readonly string[] {
  const above = state ? stateLines(state, { width, now }) : [painted('red', `no daemon answers on ${journal}`), '`kairos run` starts one'];
  const fitted = above.map((line) => cut(line, width)).slice(0, height - 1);
  const room = Math.max(0, height - fitted.length - 3);
  const newest = room === 0 ? [] : decisions.slice(-room);
  return [...fitted, ...(newest.length > 0 ? ['', 'last decisions', ...newest] : []), painted('dim', cut(KEYS, width))];
}

function stateLines(state: StateView, { width, now }: Pick<ScreenInput, 'width' | 'now'>): readonly string[] {
  const { mode, trading, run, startedAt, service, embedded, money, notReady, unknowns } = state;
  const up = durationText(now - Date.parse(startedAt));
  return [
    `${mode.toUpperCase()}  ${statesPainted(trading)}  ${run}, up ${up}  ${new Date(now).toISOString().slice(11, 19)} UTC`,
    `at ${embedded ? 'the paper venue in this daemon' : oneLine(service)}`,
    moneyLine(money),
    ...notReady.map((why) => painted('red', cut(oneLine(why), width))),
    ...(unknowns > 0
      ? [
          painted(
            'magenta',
            `${unknowns} ${unknowns === 1 ? 'order' : 'orders'} of unknown outcome: kairos orders, then kairos journal resolve`,
          ),
        ]
      : []),
    ...state.waitingExits.map((exit) => painted('yellow', cut(oneLine(waitingExitText(exit)), width))),
    ...table(
      ['strategy', 'product', 'state', 'position', 'unrealised', 'profit'],
      state.strategies.map((one) => strategyRow(one, now)),
      {
        terminal: { width, now },
        signed: ['unrealised', 'profit'],
        notes: statesNotes(state.strategies.map(({ id, state: is }) => [id, is])),
      },
    ),
    ...table(
      ['open order', 'state', 'strategy', 'side', 'size', 'price'],
      state.orders.map(({ order, state: is, strategy, side, size, price }) => [order, is, strategy, side, size, price]),
      { terminal: { width, now } },
    ),
    ...limitLines(state.limits, { width, now }),
  ];
}

function moneyLine({ equity, currency, profitOfDay, drawdownPct }: StateView['money']): string {
  const amount = (value: number | null): string => (value === null ? 'n/a' : amountText(value, currency));
  const fall = drawdownPct === null ? 'n/a' : `${drawdownPct.toFixed(2)} %`;
  return `budgets and profit ${amount(equity)}   today ${signPainted(amount(profitOfDay))}   drawdown ${fall}`;
}

function strategyRow(
  { id, product, state, position, low, high, unrealised, profit, quoteCcy }: StrategyView,
  now: number,
): readonly string[] {
  const left = state.until === null ? '' : `, ${leftText(Date.parse(state.until) - now)}`;
  const held = low === high ? figure(position) : `${figure(low)} to ${figure(high)}`;
  return [id, product, `${state.name}${left}`, held, moneyOf(unrealised, quoteCcy), moneyOf(profit, quoteCcy)];
}

function limitLines(limits: StateView['limits'], terminal: Pick<ScreenInput, 'width' | 'now'>): readonly string[] {
  const nearest = limits
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, LIMITS);
  return table(
    ['nearest risk limits', 'of', '', 'used'],
    nearest.map(({ name, scope, used, limit, forExits, unit, share }) => [
      name.replace(/^risk\./, ''),
      scope,
      '#'.repeat(Math.min(BAR, Math.round(share * BAR))).padEnd(BAR, '.'),
      unit === 'orders'
        ? `${used} of ${limit} orders${forExits > 0 ? `, ${forExits} kept for exits` : ''}`
        : `${moneyText(used, unit)} of ${amountText(limit, unit)}`,
    ]),
    { terminal },
  ).map(barPainted);
}

/** The bar of a limit: red where all of it is used, yellow where little is left. */
const barPainted = (line: string): string =>
  line.replace(/#+/, (bar) => (bar.length >= BAR ? painted('red', bar) : bar.length >= NEAR ? painted('yellow', bar) : bar));

/** A table under a blank line; nothing where it has no rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[], look?: Parameters<typeof tableText>[2]): readonly string[] {
  const cells = rows.map((row) => row.map(oneLine));
  return rows.length === 0 ? [] : ['', ...statesPainted(tableText(head, cells, look)).split('\n')];
}

/** A line of no more than `width` characters; one that is cut loses its colours. */
function cut(line: string, width: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= width ? line : `${plain.slice(0, width - 1)}\u2026`;
}
