import type { ManualTask } from '#domain/manual-request.ts';
import type { ArmView } from '#server/page/history-view.ts';
import type { NotificationView, ScheduleLineView } from '#server/page/past-view.ts';
import type { OpenOrderView, StateView } from '#server/page/view.ts';
import { armSays } from '../words/arm-says.ts';
import { exact, fixed } from '../words/numbers.ts';
import type { ActOutcome, ActRequest } from './act-request.ts';
import { closingEnd } from './closing-end.ts';
import { effectOf } from './way-out.ts';

const plain = { tone: 'plain', facts: [], fields: [] } as const;

export const halt = (): ActRequest => ({
  ...plain,
  tone: 'stop',
  title: 'Halt trading',
  says: [
    'No order goes out from now on: no opening and no exit. Positions stay as they are.',
    'An order that is on its way already is still answered and booked. The halt stands over restarts, until somebody resumes.',
  ],
  button: 'Halt now',
  act: 'halt',
  body: () => ({}),
  done: 'Halted: no order goes out until trading is resumed.',
});

export const resume = (state: StateView): ActRequest => ({
  ...plain,
  title: 'Resume trading',
  ...(state.unknowns > 0 && { before: unsettled(state) }),
  says: [
    state.trading === 'DISARMED'
      ? `Ends a halt, REDUCING and the pause of all. ${effectOf('disarmed')}`
      : `Ends a halt, REDUCING and the pause of all: strategies that are enabled trade again, in mode ${state.mode.toUpperCase()}, if their configuration is armed.`,
    'Do it when the cause is known and fixed.',
  ],
  button: 'Resume',
  act: 'resume',
  body: () => ({}),
  done: 'Resumed.',
  told: (answer) => released(answer, 'Resumed', 'trading goes on'),
});

/** What an act that lets orders go out has come to: something else may keep them back. */
function released({ still }: Readonly<Record<string, unknown>>, done: string, free: string): ActOutcome {
  const stops = KINDS.filter((kind) => Array.isArray(still) && still.includes(kind));
  if (stops.length === 0) return { isGood: true, says: [`${done}: ${free}.`] };
  return { isGood: false, says: stops.map((kind) => `${done}, but still ${kind.toUpperCase()}. ${effectOf(kind)}`) };
}

const KINDS = ['halted', 'disarmed', 'paused', 'reducing'] as const;

/** Which orders of unknown outcome remain, and where they are settled. */
function unsettled({ orders }: StateView): NonNullable<ActRequest['before']> {
  const left = orders.filter(({ state }) => state === 'unknown');
  const named = left.map(({ order, product }) => `${order} in ${product}`).join(', ');
  const says =
    left.length === 1
      ? `One order of unknown outcome remains: ${named}. Nothing is opened in its product until it is settled.`
      : `${left.length} orders of unknown outcome remain: ${named}. Nothing is opened in their products until they are settled.`;
  return { says, href: '#orders', link: left.length === 1 ? 'Settle it first' : 'Settle them first' };
}

export const arm = ({ configHash, build, scope, limits, differences, ...view }: ArmView): ActRequest => ({
  ...plain,
  title: 'Arm this configuration',
  says: armSays({ ...view, differences }),
  facts: [
    ...scope,
    ...differences.map(({ key, before: old, after }) => ({
      key: `${key} changed`,
      value: `${old ?? 'not there'} \u2192 ${after ?? 'not there'}`,
    })),
    ...limits,
  ],
  button: 'Arm',
  act: 'arm',
  body: () => ({ configHash, build }),
  done: 'Armed: this configuration trades.',
  told: (answer) => released(answer, answer.since ? `Armed already since ${answer.since}` : 'Armed', 'this configuration trades'),
});

/** Proves on paper that a halt stops orders. */
const drill = (): ActRequest => ({
  ...plain,
  title: 'Halt drill',
  says: [
    'Proves that a halt stops orders: halts by file, has one order tried of the least size, sees the gate stop it, and takes the halt back. It takes about a second.',
    'Nothing is bought or sold. Should the gate let the order out, trading halts for good.',
  ],
  button: 'Start the drill',
  act: 'drill',
  body: () => ({}),
  done: 'The drill is over.',
  told: drillOutcome,
});

function drillOutcome({ verdict, outcome, orderId, shutMs, stoppedMs }: Readonly<Record<string, unknown>>): ActOutcome {
  const shut = typeof shutMs === 'number' ? [`The gate was shut ${fixed(shutMs, 1)} ms after the halt was asked for.`] : [];
  switch (verdict) {
    case 'passed':
      return {
        isGood: true,
        says: [
          'Passed: a halt stops orders on this machine.',
          ...shut,
          `Order ${orderId} was tried and stopped by the gate, ${fixed(Number(stoppedMs), 1)} ms after the halt was asked for; no byte of it went out. Trading goes on as before.`,
        ],
      };
    case 'failed':
      return { isGood: false, says: [`Failed, and trading is halted: ${outcome}. Do not trade with this installation.`, ...shut] };
    default:
      return { isGood: false, says: [`No result: ${outcome}. Trading goes on; try again when there are prices.`, ...shut] };
  }
}

export const flatten = (isHalted: boolean): ActRequest => ({
  ...plain,
  tone: 'stop',
  title: 'Flatten everything',
  says: [
    'Trading becomes REDUCING, then every book is closed by its own orders at the market. Nothing is opened again until somebody arms or resumes.',
    ...(isHalted ? ['It ends the halt, since orders must go out for it.'] : []),
    'Dust and orders of unknown outcome cannot be closed; they are listed.',
  ],
  button: 'Close all positions',
  act: 'flatten',
  body: () => (isHalted ? { resume: true } : {}),
  done: 'All positions are being closed.',
  follow: 'by-hand',
});

export const pause = (strategy: string | null): ActRequest => ({
  ...plain,
  title: `Pause ${strategy ?? 'all strategies'}`,
  says: [
    `${strategy ?? 'No strategy'} opens ${strategy ? 'nothing' : 'anything'} any more. Positions are still closed by their exits and signals.`,
  ],
  button: 'Pause',
  act: 'pause',
  body: () => (strategy === null ? {} : { strategy }),
  done: `Paused: ${strategy ?? 'all strategies'}.`,
});

export const unpause = (strategy: string): ActRequest => ({
  ...plain,
  title: `Resume ${strategy}`,
  says: [`Ends the pause of ${strategy}: it may open positions again.`],
  button: 'Resume',
  act: 'resume',
  body: () => ({ strategy }),
  done: `${strategy} may open again.`,
});

export const enable = (strategy: string): ActRequest => ({
  ...plain,
  title: `Enable ${strategy}`,
  says: [`Lets ${strategy} run again. Do it when the cause is fixed.`],
  button: 'Enable',
  act: 'enable',
  body: () => ({ strategy }),
  done: `${strategy} runs again.`,
});

export const close = (strategy: string, product: string, position: string): ActRequest => ({
  ...plain,
  tone: 'stop',
  title: `Close ${strategy}`,
  says: [
    `Closes what ${strategy} holds of ${product}, now ${exact(position)}, at the market: all of it, or a share floored to the product's step.`,
    'It works while the strategy is paused, and is tried again until it is done. The strategy may open again at its next signal: pause it first where you do not want that.',
  ],
  button: 'Close position',
  act: 'close',
  fields: [{ kind: 'decimal', name: 'pct', label: 'How much of it', initial: '100', unit: '%' }],
  body: ({ pct }) => ({ strategy, product, pct: Number(pct) }),
  done: 'It is being closed.',
  follow: 'by-hand',
});

/** Ends a closing that is under way; undefined for any other request. */
export function endOf(task: ManualTask): ActRequest | undefined {
  const end = closingEnd(task);
  return (
    end && {
      ...plain,
      title: end.title,
      says: ['Nothing more of it is ordered, and what is held stays. An order that is on its way may still be executed.'],
      button: 'End closing',
      act: end.act,
      body: () => end.body,
      done: 'Ended.',
    }
  );
}

/** `asAccepted`: the account shows that the order was executed. */
export function settle({ order, side, size, price, fee, feeCcy, product, strategy }: OpenOrderView, asAccepted: boolean): ActRequest {
  const what = `Order ${order} of ${strategy}: ${side} ${exact(size)} ${product} at ${exact(price)}.`;
  if (!asAccepted) {
    return {
      ...plain,
      tone: 'stop',
      isForGood: true,
      title: `Order ${order} was not executed`,
      says: [what, 'Books it as rejected, for good: nothing was bought or sold. Look into the account first.'],
      button: 'Book as rejected',
      act: 'resolve',
      body: () => ({ order, as: 'rejected' }),
      done: `Order ${order} is rejected.`,
    };
  }
  return {
    title: `Order ${order} was executed`,
    tone: 'stop',
    isForGood: true,
    facts: [],
    says: [what, 'Books it as accepted, for good, with the figures that the account shows. They are filled in from the quote.'],
    button: 'Book as accepted',
    act: 'resolve',
    fields: [
      { kind: 'decimal', name: 'price', label: 'Price', initial: price, unit: '' },
      { kind: 'decimal', name: 'size', label: 'Size', initial: size, unit: '' },
      { kind: 'decimal', name: 'fee', label: 'Fee', initial: fee, unit: feeCcy },
      { kind: 'choice', name: 'far', label: 'Figures far from the quote', initial: 'refused', choices: ['refused', 'meant'] },
    ],
    body: ({ far, ...figures }) => ({ order, as: 'accepted', ...figures, far: far === 'meant' }),
    done: `Order ${order} is accepted, and booked.`,
  };
}

export const acceptNotification = ({ id, type, words }: NotificationView): ActRequest => ({
  ...plain,
  title: `Accept notification ${id}`,
  says: [`${type}: ${words}`, 'It came late and was not booked. If you accept it, it is booked for good.'],
  button: 'Accept and book',
  act: 'accept',
  body: () => ({ id }),
  done: 'Accepted.',
});

export const runLine = ({ name, action }: ScheduleLineView): ActRequest => ({
  ...plain,
  title: `Run ${name} now`,
  says: [`Runs ${action} now, as the schedule would. Its next time does not change.`],
  button: 'Run now',
  act: 'schedule',
  body: () => ({ name }),
  done: `${name} was asked for.`,
});

/** The products come from the lanes. */
const order = (products: readonly string[], mode: string): ActRequest => ({
  ...plain,
  title: 'Manual order',
  says: [`One order at the market into the book manual, in mode ${mode.toUpperCase()}. Every check for openings holds.`],
  button: 'Send order',
  act: 'order',
  fields: [
    { kind: 'decimal', name: 'size', label: 'Size', initial: '', unit: 'in base currency' },
    { kind: 'choice', name: 'side', label: 'Side', initial: 'buy', choices: ['buy', 'sell'] },
    { kind: 'choice', name: 'product', label: 'Product', initial: products[0] ?? '', choices: products },
  ],
  preview: ({ product = '', side = '', size = '' }) =>
    Number(size) > 0 && /^\d{1,16}(\.\d{1,18})?$/.test(size) ? `/api/order-check?${new URLSearchParams({ product, side, size })}` : null,
  body: ({ product, side, size }) => ({ product, side, size }),
  done: 'The order is on its way.',
  follow: 'by-hand',
});

/** The acts for the whole account, as buttons beside its heading. */
export function accountActs(state: StateView): readonly { readonly label: string; readonly asked: () => ActRequest }[] {
  const { lanes, mode, halted, isForTrials } = state;
  const products = [...new Set(lanes.map(({ product }) => product))];
  return [
    ...(products.length > 0 ? [{ label: 'Order…', asked: () => order(products, mode) }] : []),
    ...(isForTrials ? [{ label: 'Halt drill…', asked: drill }] : []),
    { label: 'Pause all…', asked: () => pause(null) },
    { label: 'Flatten…', asked: () => flatten(halted) },
  ];
}
