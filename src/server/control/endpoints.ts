import { z } from 'zod';
import { isDestructive, remoteAskOf } from '#domain/remote.ts';
import { body, decimal, figure, id, ifNamed, line, movement, product, readBody, strategyOrAll, textLike, usage } from './bodies.ts';
import { haltBody } from './halt-route.ts';

/** An act of the running daemon, `POST /api/NAME`. The daemon has a method of that name (`Control`), which gets what the body reads. */
interface Endpoint {
  /** Its line of the reference, in Markdown: what it takes besides `who` and `why`, and its purpose. */
  readonly says: string;
  readonly body: z.ZodType;
}

const yes = z.literal(true, 'must be true').exactOptional();
const end = z.literal(true, 'must be true: ends closings instead').exactOptional();
const pct = 'must be a number above 0 and at most 100';
const movements = 'must be a list of 1 to 100 movements';
const hours = 'must be a number of hours above 0';
const MAX_VARIED = 16;

/** Every act of the control server. The compiler checks the names in the page and the command line against these, and the daemon's methods. */
export const ENDPOINTS = {
  halt: {
    says: 'no order goes out; a body of any form will do; until the halt is `journaled` a file keeps it',
    body: haltBody({}),
  },
  resume: {
    says: 'ends the pause of `strategy`; without it, a halt and the pause of all; `still` of the answer: what still stops all',
    body: body({ strategy: ifNamed }),
  },
  pause: {
    says: 'pauses `strategy`, which then opens nothing; without it, all strategies',
    body: body({ strategy: strategyOrAll }),
  },
  enable: {
    says: 'enables a disabled `strategy`',
    body: body({ strategy: line }),
  },
  arm: {
    says: 'arms the `configHash` and `build` of `GET /api/arm`; `unrehearsed: true`: strategies may be the first who order at this service; `still` as above; `since`: armed already, nothing changed',
    body: body({ configHash: line, build: textLike(/^[0-9a-f]{0,64}$/, 'be a hash').default(''), unrehearsed: yes }),
  },
  close: {
    says: '`strategy`, `product`, `pct`, `upTo`, `end`: closes the position; `upTo` allows an exit over `risk.maxExitValue`; `end: true` ends closings instead; answers with an `id`',
    body: body({
      strategy: id,
      product: product.nullable().default(null),
      pct: z.number(pct).gt(0, pct).max(100, pct).default(100),
      upTo: decimal.exactOptional(),
      end,
      rehearsal: yes,
    }),
  },
  flatten: {
    says: '`resume` (whether it may end a halt), `end`: closes every book; `end: true` ends all closings instead; answers with an `id`',
    body: body({ resume: z.boolean('must be true or false: whether it may end a halt').default(false), end }),
  },
  order: {
    says: '`product`, `side`, and one of `size`, `value` and `least: true`: an order into the book `manual`; answers with an `id`',
    body: body({
      product,
      side: z.enum(['buy', 'sell'], 'must be buy or sell'),
      size: decimal.exactOptional(),
      value: decimal.exactOptional(),
      least: yes,
      rehearsal: yes,
    })
      .refine(
        ({ size, value, least }) => [size, value, least].filter((one) => one !== undefined).length === 1,
        'an order has one of size (base units), value (quote currency) and least',
      )
      .refine(
        ({ rehearsal, side, least }) => !rehearsal || side === 'sell' || least,
        'a rehearsal buys the least order: least must be true',
      )
      .transform(({ size, value, least: _least, ...asked }) => {
        const amount = size !== undefined ? { base: size } : value !== undefined ? { quote: value } : ({ least: true } as const);
        return { ...asked, amount };
      }),
  },
  resolve: {
    says: '`order`, `as` (`accepted` or `rejected`), `price`, `size`, `value`, `fee`, `feeCcy`, `far` (true: far from the quote is meant): settles an unknown outcome',
    body: body({
      order: id,
      as: z.enum(['accepted', 'rejected'], 'must be accepted or rejected'),
      price: figure,
      size: figure,
      value: figure,
      fee: figure,
      feeCcy: figure,
      far: z.boolean('must be true or false').default(false),
    })
      // Figures that are left out are as quoted.
      .transform(({ who, why, order, as, far, ...figures }) => ({ order, as, figures, far, who, why }))
      .refine(({ as, figures }) => as === 'accepted' || Object.keys(figures).length === 0, 'a rejected order has no figures'),
  },
  drill: {
    says: 'rehearses a halt; answers with its verdict and times',
    body: body({}),
  },
  book: {
    says: "`entries: [{kind, book, currency, amount}]`: movements of the treasury; a correction with a strategy's `book` and `product` corrects its position too",
    body: body({ entries: z.array(movement, movements).min(1, movements).max(100, movements) }),
  },
  accept: {
    says: '`id`: books a notification that came late',
    body: body({ id }),
  },
  schedule: {
    says: '`name`: runs a line of the schedule now; answers with an `id`',
    body: body({ name: textLike(/^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/, 'be the name of a schedule line') }),
  },
  remote: {
    says: 'asks the service about its strategies, as `kairos remote` does; answers with an `id`',
    body: body({
      action: z.string('must be one of create, modify, start, stop, pause and so on'),
      arguments: z.record(z.string(), z.unknown(), 'must be a JSON object').default({}),
      confirm: z.boolean('must be true or false').default(false),
    }).transform(({ action, arguments: said, confirm, ...by }) => {
      const asked = remoteAskOf(action, said);
      // Destructive requests need a confirmation (B41).
      if (isDestructive(asked) && !confirm) throw usage(`${action} cannot be undone: send confirm: true with it`);
      return { ...by, asked };
    }),
  },
  backtest: {
    says: '`strategy`, `use` (a module in its place), `hours` (of the recordings; without it all), `vary` (a sweep of `PARAMETER=VALUES`), `by`: plays it in a process beside; the state says how far',
    body: body({
      strategy: id,
      use: id.optional(),
      hours: z.number(hours).gt(0, hours).nullable().default(null),
      vary: z
        .array(
          textLike(/^[\w.]{1,64}(=[\w.,:-]{1,128})?$/, 'be PARAMETER=VALUES, such as fast=5..25:5'),
          'must be a list of PARAMETER=VALUES',
        )
        .max(MAX_VARIED, `must be a list of at most ${MAX_VARIED}`)
        .default([]),
      by: id.optional(),
    }),
  },
  'stop-backtest': {
    says: 'stops what `backtest` has begun',
    body: body({}),
  },
  token: {
    says: "answers the token's role and nothing else",
    body: body({}),
  },
  'settle-create': {
    says: 'settles a create whose answer was lost',
    body: body({ actionId: z.string('must be the id of a create'), strategyId: z.unknown() }).transform(({ strategyId, ...asked }) => {
      const found = strategyId === null ? null : remoteAskOf('start', { strategyId });
      return { ...asked, strategyId: found && 'strategyId' in found ? found.strategyId : null };
    }),
  },
} satisfies Readonly<Record<string, Endpoint>>;

/** The acts by name. */
export type EndpointName = keyof typeof ENDPOINTS;

/** The body of an act, as JSON. */
export type BodyOf<Name extends EndpointName> = z.input<(typeof ENDPOINTS)[Name]['body']>;

/** What the daemon gets of an act: its body as it is read, with who and why. */
export type FieldsOf<Name extends EndpointName> = z.output<(typeof ENDPOINTS)[Name]['body']>;

const READ: { readonly [Name in EndpointName]: { readonly body: z.ZodType<FieldsOf<Name>> } } = ENDPOINTS;

/** Reads the body of an act. Throws USAGE or REMOTE_INVALID. */
export const fieldsOf = <Name extends EndpointName>(name: Name, given: unknown): FieldsOf<Name> => readBody(READ[name].body, given);
