import { z } from 'zod';
import type { OperatorCommand } from '#domain/event.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import { isDestructive, remoteAskOf } from '#domain/remote.ts';
import {
  acceptance,
  backtestWanted,
  body,
  booking,
  decimal,
  id,
  line,
  lineWanted,
  product,
  readBody,
  resolution,
  strategyOrAll,
  textLike,
  usage,
} from './bodies.ts';
import { haltBody } from './halt-route.ts';
import type { OpsTarget } from './target.ts';

/** An act of the running daemon, `POST /api/NAME`, as declared for the control server, its client and the reference. */
interface Endpoint<Schema extends z.ZodType, Answer> {
  /** Its line of the reference, in Markdown: what it takes besides `who` and `why`, and its purpose. */
  readonly says: string;
  /** Its body. */
  readonly body: Schema;
  /** Performs it and returns the answer. Throws what the target throws, and USAGE. */
  readonly does: (asked: z.output<Schema>, target: OpsTarget) => Answer;
}

const end = z.literal(true, 'must be true: ends closings instead').optional();

const endpoint = <Schema extends z.ZodType, Answer>(one: Endpoint<Schema, Answer>): Endpoint<Schema, Answer> => one;

function perform<Act extends OperatorCommand>(target: OpsTarget, act: Act): Act & { readonly journaled: true } {
  target.perform(act);
  return { ...act, journaled: true };
}

/** Performs what lets orders go out, and answers with what keeps them back all the same. */
function release<Act extends OperatorCommand>(target: OpsTarget, act: Act) {
  const still = target.perform(act);
  return { ...act, journaled: true, still };
}

/** Every act of the control server. The compiler checks the names in the page and the command line against these. */
export const ENDPOINTS = {
  halt: endpoint({
    says: 'no order goes out; a body of any form will do',
    body: haltBody({}),
    does: (by, target) => perform(target, { act: 'halt', ...by }),
  }),
  resume: endpoint({
    says: 'ends the pause of `strategy`; without it, a halt and the pause of all; `still` of the answer: what still stops all',
    body: body({ strategy: strategyOrAll }),
    does: (asked, target) => release(target, { act: 'resume', ...asked }),
  }),
  pause: endpoint({
    says: 'pauses `strategy`, which then opens nothing; without it, all strategies',
    body: body({ strategy: strategyOrAll }),
    does: (asked, target) => perform(target, { act: 'pause', ...asked }),
  }),
  enable: endpoint({
    says: 'enables a disabled `strategy`',
    body: body({ strategy: line }),
    does: (asked, target) => perform(target, { act: 'enable', ...asked }),
  }),
  arm: endpoint({
    says: 'arms the `configHash` and `build` of `GET /api/arm`; `unrehearsed: true`: strategies may be the first who order at this service; `still` as above',
    body: body({
      configHash: line,
      build: textLike(/^[0-9a-f]{0,64}$/, 'be a hash').default(''),
      unrehearsed: z.literal(true, 'must be true').optional(),
    }),
    does: ({ unrehearsed, ...asked }, target) => release(target, { act: 'arm', ...asked, config: '', ...(unrehearsed && { unrehearsed }) }),
  }),
  close: endpoint({
    says: '`strategy`, `product`, `pct`, `upTo`, `end`: closes the position; `upTo` allows an exit over `risk.maxExitValue`; `end: true` ends closings instead; answers with an `id`',
    body: body({
      strategy: id,
      product: product.nullable().default(null),
      pct: z
        .number('must be a number above 0 and at most 100')
        .gt(0, 'must be a number above 0 and at most 100')
        .max(100, 'must be a number above 0 and at most 100')
        .default(100),
      upTo: decimal.optional(),
      end,
      rehearsal: z.literal(true, 'must be true').optional(),
    }),
    does: ({ upTo, end: isEnd, rehearsal, ...asked }, target): ManualTask =>
      target.byHand({
        act: 'close',
        ...asked,
        ...(upTo !== undefined && { upTo }),
        ...(isEnd && { end: isEnd }),
        ...(rehearsal && { rehearsal }),
      }),
  }),
  flatten: endpoint({
    says: '`resume` (whether it may end a halt), `end`: closes every book; `end: true` ends all closings instead; answers with an `id`',
    body: body({ resume: z.boolean('must be true or false: whether it may end a halt').default(false), end }),
    does: ({ end: isEnd, ...asked }, target): ManualTask => target.byHand({ act: 'flatten', ...asked, ...(isEnd && { end: isEnd }) }),
  }),
  order: endpoint({
    says: '`product`, `side`, and one of `size`, `value` and `least: true`: an order into the book `manual`; answers with an `id`',
    body: body({
      product,
      side: z.enum(['buy', 'sell'], 'must be buy or sell'),
      size: decimal.optional(),
      value: decimal.optional(),
      least: z.literal(true, 'must be true').optional(),
      rehearsal: z.literal(true, 'must be true').optional(),
    })
      .refine(
        ({ size, value, least }) => [size, value, least].filter((one) => one !== undefined).length === 1,
        'an order has one of size (base units), value (quote currency) and least',
      )
      .refine(
        ({ rehearsal, side, least }) => !rehearsal || side === 'sell' || least,
        'a rehearsal buys the least order: least must be true',
      ),
    does: ({ size, value, least: _least, rehearsal, ...asked }, target): ManualTask => {
      const amount = size !== undefined ? { base: size } : value !== undefined ? { quote: value } : ({ least: true } as const);
      return target.byHand({ act: 'order', ...asked, amount, ...(rehearsal && { rehearsal }) });
    },
  }),
  resolve: endpoint({
    says: '`order`, `as` (`accepted` or `rejected`), `price`, `size`, `value`, `fee`, `feeCcy`: settles an unknown outcome',
    body: resolution,
    does: (asked, target) => ({ ...target.resolve(asked), journaled: true }),
  }),
  drill: endpoint({
    says: 'rehearses a halt; answers with its verdict and times',
    body: body({}),
    does: (by, target) => target.drill(by),
  }),
  book: endpoint({
    says: "`entries: [{kind, book, currency, amount}]`: movements of the treasury; a correction with a strategy's `book` and `product` corrects its position too",
    body: booking,
    does: (asked, target) => {
      target.book(asked);
      return { ...asked, journaled: true };
    },
  }),
  accept: endpoint({
    says: '`id`: books a notification that came late',
    body: acceptance,
    does: (asked, target) => {
      target.accept(asked);
      return { ...asked, journaled: true };
    },
  }),
  schedule: endpoint({
    says: '`name`: runs a line of the schedule now',
    body: lineWanted,
    does: (asked, target) => {
      target.runLine(asked);
      return { ...asked, journaled: true };
    },
  }),
  remote: endpoint({
    says: 'asks the service about its strategies, as `kairos remote` does; answers with an `id`',
    body: body({
      action: z.string('must be one of create, modify, start, stop, pause and so on'),
      arguments: z.record(z.string(), z.unknown(), 'must be a JSON object').default({}),
      confirm: z.boolean('must be true or false').default(false),
    }),
    // Destructive requests need a confirmation (B41).
    does: ({ action, arguments: said, confirm, ...by }, target) => {
      const asked = remoteAskOf(action, said);
      if (isDestructive(asked) && !confirm) throw usage(`${action} cannot be undone: send confirm: true with it`);
      return target.remote({ act: 'remote', ...by, asked });
    },
  }),
  backtest: endpoint({
    says: '`strategy`, `use` (a module in its place), `hours` (of the recordings; without it all), `vary` (a sweep of `PARAMETER=VALUES`), `by`: plays it in a process beside; the state says how far',
    body: backtestWanted,
    does: (asked, target) => target.backtest(asked),
  }),
  'stop-backtest': endpoint({
    says: 'stops what `backtest` has begun',
    body: body({}),
    does: ({ who }, target) => target.stopBacktest(who),
  }),
  token: endpoint({
    says: 'checks the token and does nothing else',
    body: body({}),
    does: () => ({ right: true }),
  }),
  'settle-create': endpoint({
    says: 'settles a create whose answer was lost',
    body: body({ actionId: z.string('must be the id of a create'), strategyId: z.unknown() }),
    does: ({ strategyId, ...asked }, target) => {
      const found = strategyId === null ? null : remoteAskOf('start', { strategyId });
      return target.remote({ act: 'settle-create', ...asked, strategyId: found && 'strategyId' in found ? found.strategyId : null });
    },
  }),
};

/** The acts by name. */
export type EndpointName = keyof typeof ENDPOINTS;

/** The body of an act, as JSON. */
export type BodyOf<Name extends EndpointName> = z.input<(typeof ENDPOINTS)[Name]['body']>;

/** Performs an act with a JSON body. Throws USAGE, and what the target throws. */
export function does(name: EndpointName, given: unknown, target: OpsTarget): unknown {
  const one: Endpoint<z.ZodType, unknown> = ENDPOINTS[name];
  return one.does(readBody(one.body, given), target);
}
