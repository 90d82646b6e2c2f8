import { PRODUCTS } from '#lab/simulator/service/products.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import { CALM_MS, type PlannedAct, type PlannedLine, type PlannedStrategy, type Trouble } from './plan.ts';
import { localTime, UTC, ZONES, type Zone } from './zones.ts';

const STOPS = ['halt', 'halt-in-resume', 'halt-away', 'resume-away', 'pause', 'stop-file'] as const;
const ACTS = [...STOPS, 'close', 'flatten', 'book', 'correct', 'order'] as const;
const REMOTE_ACTS = ['create', 'remote-pause', 'remote-start'] as const;
const MINUTE = 60_000;
/** An order by hand may be in a product for which no strategy has a lane. Limits on value are in dollars at least. */
const IN_DOLLARS = PRODUCTS.filter(({ quoteCcy }) => quoteCcy === 'usd').map(({ code }) => code);
/** Lines that fall due while the machine is suspended, of which the second may do or undo the work of the first. */
const PAIRS = [
  ['bot.pause', 'bot.resume'],
  ['bot.resume', 'bot.pause'],
  ['bot.backup', 'bot.backup'],
] as const;
const REMOTE_PAIRS = [
  ['remote.start', 'remote.pause'],
  ['remote.pause', 'remote.start'],
  ['remote.pause', 'remote.pauseAll'],
  ['remote.start', 'remote.pauseAll'],
] as const;

interface ActScope {
  readonly startsAt: number;
  readonly lengthMs: number;
  readonly strategies: readonly PlannedStrategy[];
  readonly products: readonly string[];
  /** True if the service has strategies of its own for the user. */
  readonly remote: boolean;
  readonly troubles: readonly Trouble[];
}

/** Draws a person's acts. If a fault of the service's own strategies is drawn, they include requests to these. */
export function drawActs(draws: Draws, { lengthMs, products, remote, troubles }: ActScope): readonly PlannedAct[] {
  const acts: readonly PlannedAct['act'][] = remote ? [...ACTS, ...REMOTE_ACTS] : ACTS;
  const free = Array.from({ length: draws.chance(0.6) ? draws.whole(1, 4) : 0 }, () => ({
    at: Math.round(draws.between(60_000, lengthMs - 3 * CALM_MS)),
    act: draws.pick(acts),
  }));
  const asked = troubles.flatMap(({ fault, from, to }) => {
    if (fault !== 'F16' && fault !== 'F17') return [];
    const act = fault === 'F16' ? ('create' as const) : ('remote-pause' as const);
    const at = (share: number): number => Math.round(from + (to - from) * share);
    // The next process knows of a create without an answer.
    const restart = fault === 'F16' ? [{ at: at(0.3), act: 'resume-away' as const }] : [];
    return [...[0.1, 0.5, 0.9].map((share) => ({ at: at(share), act })), ...restart];
  });
  return [...free, ...asked].map((one) => {
    const product = draws.pick(one.act === 'order' && draws.chance(0.4) ? IN_DOLLARS : products);
    const { anchor = 1, sizePlaces = 2 } = PRODUCTS.find(({ code }) => code === product) ?? {};
    const base = (draws.pick([40, 300]) / anchor).toFixed(sizePlaces);
    const amount = one.act === 'book' ? draws.pick(['500', '-40']) : one.act === 'correct' ? draws.pick(['3', '-0.7', '-6']) : base;
    return { ...one, figure: draws.pick([100, 50, 33]), product, side: draws.pick(['buy', 'buy', 'sell'] as const), amount };
  });
}

/** Draws the lines of the schedule. */
export function drawSchedule(draws: Draws, { startsAt, lengthMs, strategies, remote, troubles }: ActScope): readonly PlannedLine[] {
  const lineAt = linesFrom(startsAt);
  const actions = [
    'bot.pause',
    'bot.resume',
    'bot.halt',
    'bot.flatten',
    'bot.backup',
    ...(remote ? ['remote.pauseAll', 'remote.pause', 'remote.start'] : []),
  ];
  const most = Math.floor((lengthMs - 3 * CALM_MS) / MINUTE);
  if (most < 3) return [];
  const copies = troubles
    .filter(({ fault }) => fault === 'F52')
    .map(({ from }, index) => ({
      ...lineAt(Math.ceil(from / MINUTE) * MINUTE),
      name: `copy ${index}`,
      action: 'bot.backup',
      missed: 'skip' as const,
    }));
  const stepped = troubles
    .filter(({ fault, from }) => fault === 'F55' && Math.abs(from - nearestMinute(from)) <= 8_000 && nearestMinute(from) <= most * MINUTE)
    .map(({ from }, index) => ({
      ...lineAt(nearestMinute(from)),
      name: `stepped ${index}`,
      action: draws.pick(['bot.pause', 'bot.backup', 'bot.resume']),
      missed: draws.pick(['alert', 'skip', 'run'] as const),
    }));
  const slept = troubles
    .filter(({ fault, from, figure }) => fault === 'F57' && figure > 2.2 * MINUTE && from < (most - 2) * MINUTE)
    .flatMap(({ from }, index) => {
      const first = Math.ceil((from + 1_000) / MINUTE) * MINUTE;
      return (remote ? draws.pick(REMOTE_PAIRS) : draws.pick(PAIRS)).map((action, place) => ({
        name: `slept ${index} ${place}`,
        ...lineAt(first + place * MINUTE),
        action,
        ...(/^remote\.(pause|start)$/.test(action) && { strategyId: 'resident' }),
        missed: draws.pick(place === 0 ? (['alert', 'run', 'run'] as const) : (['run'] as const)),
      }));
    });
  const others = Array.from({ length: draws.chance(0.4) ? draws.whole(1, 3) : 0 }, (_, index) => {
    const action = draws.pick(actions);
    const at = draws.whole(2, most) * MINUTE;
    const strategy = /^bot\.(pause|resume)$/.test(action) && draws.chance(0.6) ? draws.pick(strategies).id : undefined;
    return {
      name: `line ${index}`,
      ...lineAt(at, draws.pick(ZONES)),
      action,
      ...(strategy !== undefined && { strategy }),
      ...((action === 'remote.pause' || action === 'remote.start') && { strategyId: 'resident' }),
      missed: draws.pick(action === 'bot.flatten' ? (['alert', 'skip'] as const) : (['alert', 'skip', 'run'] as const)),
    };
  });
  return [...copies, ...stepped, ...slept, ...others, ...drawRepeated(draws.fork('repeated'), { strategies, remote })];
}

/** Lines that fall due again and again: while nobody looks, more than once. */
function drawRepeated(draws: Draws, { strategies, remote }: Pick<ActScope, 'strategies' | 'remote'>): readonly PlannedLine[] {
  const actions = ['bot.pause', 'bot.resume', 'bot.backup', ...(remote ? ['remote.start', 'remote.pause'] : [])];
  return Array.from({ length: draws.chance(0.25) ? draws.whole(1, 2) : 0 }, (_, index) => {
    const action = draws.pick(actions);
    const every = action === 'bot.backup' ? 10 : draws.pick([1, 2, 5]);
    return {
      name: `again ${index}`,
      cron: `*/${every} * * * *`,
      at: every * MINUTE,
      everyMs: every * MINUTE,
      action,
      ...(/^bot\.(pause|resume)$/.test(action) && { strategy: draws.pick(strategies).id }),
      ...(action.startsWith('remote.') && { strategyId: 'resident' }),
      missed: draws.pick(['alert', 'skip', 'run'] as const),
    };
  });
}

interface Meeting {
  readonly acts: readonly PlannedAct[];
  readonly lines: readonly PlannedLine[];
}

/**
 * Draws what seldom meets by itself: a line that resumes, and an order by hand, a flatten or another process, while trading is halted or
 * REDUCING; a halt or the end of it while a person's position is being closed; lines that a person does as well.
 */
export function drawMeetings(
  draws: Draws,
  {
    startsAt,
    lengthMs,
    products,
    schedule,
  }: Pick<ActScope, 'startsAt' | 'lengthMs' | 'products'> & { readonly schedule: readonly PlannedLine[] },
): Meeting {
  const most = Math.floor((lengthMs - 3 * CALM_MS) / MINUTE);
  const resumed = draws.chance(0.3) && most >= 3 ? draws.whole(2, most) * MINUTE : null;
  const halted = (resumed ?? 0) - draws.whole(2_000, 9_000);
  const by = { product: draws.pick(draws.chance(0.4) ? IN_DOLLARS : products), side: 'buy' } as const;
  const { anchor = 1, sizePlaces = 2 } = PRODUCTS.find(({ code }) => code === by.product) ?? {};
  const amount = (draws.pick([40, 300]) / anchor).toFixed(sizePlaces);
  // Just before it falls due, a line may be on its way still.
  const twice = schedule
    .filter(() => draws.chance(0.4))
    .map(({ name, at }) => ({
      at: draws.chance(0.5) ? at - draws.whole(1, 600) : draws.whole(60_000, most * MINUTE),
      act: 'line' as const,
      name,
    }));
  if (resumed === null) return { acts: twice, lines: [] };
  const next = { at: halted + draws.whole(300, 2_000) };
  const order = { act: 'order', amount, ...by } as const;
  const halt = { at: halted, act: 'halt' } as const;
  const acts: readonly PlannedAct[] = draws.pick([
    [halt, { ...next, ...order }],
    [halt, { ...next, act: 'flatten', resume: true }],
    [halt, { ...next, act: 'resume-away' }],
    [
      { at: halted, act: 'flatten' },
      { ...next, ...order },
    ],
    [
      { ...order, at: Math.max(0, halted - MINUTE) },
      { at: halted, act: 'flatten' },
      { ...next, act: draws.pick(['halt', 'end']) },
    ],
  ]);
  const line = {
    name: 'resume in a halt',
    ...linesFrom(startsAt)(resumed),
    action: 'bot.resume',
    missed: draws.pick(['alert', 'skip', 'run'] as const),
  };
  return { acts: [...acts, ...twice], lines: [line] };
}

const nearestMinute = (ms: number): number => Math.round(ms / MINUTE) * MINUTE;

/** The cron texts of lines that fall due once. */
const linesFrom =
  (startsAt: number) =>
  (at: number, zone: Zone = UTC): Pick<PlannedLine, 'cron' | 'at' | 'timezone'> => {
    const { timezone } = zone;
    const time = localTime(at, zone, startsAt);
    return { cron: `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`, at, ...(timezone !== undefined && { timezone }) };
  };
