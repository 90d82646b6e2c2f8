import { z } from 'zod';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import { currency as currencyOf, productCode } from '#domain/names.ts';

/** Text by a grammar, which `must` describes in words. Later steps get only text that fits the grammar. */
export const textLike = (grammar: RegExp, must: string) => z.string(`must ${must}`).regex(grammar, { error: `must ${must}`, abort: true });

/** One line of text, such as a name or a reason. */
export const line = textLike(/^[^\p{Cc}]{1,200}$/u, 'be one line of 1 to 200 characters');

/** An id or a code, such as that of a strategy, an order or a notification. */
export const id = textLike(/^[\x21-\x7e]{1,64}$/, 'be an id: 1 to 64 printable characters without blanks');

/** A product code, read in lower case. */
export const product = id.transform(productCode);

/** A decimal above zero as text, which loses no digit (B05). */
export const decimal = textLike(/^\d{1,16}(\.\d{1,18})?$/, 'be a decimal in quotes, above 0')
  .refine((text) => decimalOf(text).gt(0), 'must be a decimal in quotes, above 0')
  .transform((text) => decimalOf(text).toString());

/** A strategy; null or absent for all. */
export const strategyOrAll = line.nullable().default(null);

/** The body of an act: its fields with who and why, which are journaled. Other fields are refused. */
export function body<const Shape extends z.ZodRawShape>(fields: Shape) {
  return z.strictObject({ who: line.default('api'), why: line.default('by the control API'), ...fields });
}

/** Reads a body. Throws USAGE, one line that names the field at fault. */
export function readBody<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject && place === '' ? `; there are ${Object.keys(schema.shape).join(', ')}` : '';
    throw usage(`unknown field ${JSON.stringify((issue.keys[0] ?? '').slice(0, 50))}${known}`);
  }
  throw usage(place === '' ? (issue?.code === 'custom' ? issue.message : 'the body must be a JSON object') : `${place} ${issue?.message}`);
}

/** The error of a wrong body; `text` is one line. */
export const usage = (text: string): KairosError => new KairosError('USAGE', text);

const figure = z.string('must be text: decimals in quotes').max(64, 'must be text: decimals in quotes').optional();

/** A person's settlement of an order of unknown outcome; figures left out are as quoted. */
export const resolution = body({
  order: id,
  as: z.enum(['accepted', 'rejected'], 'must be accepted or rejected'),
  price: figure,
  size: figure,
  value: figure,
  fee: figure,
  feeCcy: figure,
})
  .refine(
    ({ who, why, order, as, ...figures }) => as === 'accepted' || Object.keys(figures).length === 0,
    'a rejected order has no figures',
  )
  .transform(({ who, why, order, as, ...figures }) => ({ order, as, figures: given(figures), who, why }));

/** The given fields. */
function given<Fields extends object>(fields: Fields): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const kept: unknown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return kept as { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

const MOVEMENT =
  'a movement has kind, book, currency and amount: book is "treasury", or for a correction of a position its strategy, with its product';
const name = textLike(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/, 'be a name of letters, digits, dots, dashes and underscores');

const movement = z
  .strictObject({
    kind: z.enum(['deposit', 'withdrawal', 'correction'], 'must be one of deposit, withdrawal, correction'),
    book: name,
    currency: textLike(/^[A-Za-z0-9]{2,16}$/, 'be a code such as usd'),
    amount: textLike(/^-?\d{1,16}(\.\d{1,18})?$/, 'be a decimal in quotes, not 0').refine(
      (text) => !decimalOf(text).isZero(),
      'must be a decimal in quotes, not 0',
    ),
    product: name.optional(),
  })
  .refine(
    ({ kind, book, product: ofPosition }) =>
      (book === 'treasury') === (ofPosition === undefined) && (ofPosition === undefined || kind === 'correction'),
    MOVEMENT,
  )
  .refine(
    ({ kind, amount }) => kind === 'correction' || (kind === 'deposit') !== amount.startsWith('-'),
    'must be above 0 for a deposit and below 0 for a withdrawal',
  )
  .transform(({ currency, amount, product: ofPosition, ...entry }) => ({
    ...entry,
    currency: currencyOf(currency),
    amount: decimalOf(amount).toString(),
    ...(ofPosition !== undefined && { product: ofPosition.toLowerCase() }),
  }));

/** Movements that a person books: of the treasury, or corrections of positions. Amounts are decimals as text. */
export const booking = body({
  entries: z
    .array(movement, 'must be a list of 1 to 100 movements')
    .min(1, 'must be a list of 1 to 100 movements')
    .max(100, 'must be a list of 1 to 100 movements'),
});

/** A notification that a person accepts. */
export const acceptance = body({ id });

/** A line of the schedule to run now. */
export const lineWanted = body({ name: textLike(/^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/, 'be the name of a schedule line') });

const MAX_VARIED = 16;

/** A backtest of a strategy on the daemon's recordings; a sweep where parameters are varied. */
export const backtestWanted = body({
  strategy: id,
  use: id.optional(),
  hours: z.number('must be a number of hours above 0').gt(0, 'must be a number of hours above 0').nullable().default(null),
  vary: z
    .array(textLike(/^[\w.]{1,64}(=[\w.,:-]{1,128})?$/, 'be PARAMETER=VALUES, such as fast=5..25:5'), 'must be a list of PARAMETER=VALUES')
    .max(MAX_VARIED, `must be a list of at most ${MAX_VARIED}`)
    .default([]),
  by: id.optional(),
});

/** The read bodies of `accept`, `backtest`, `book`, `schedule` and `resolve`. Amounts are decimals as text. */
export type AcceptRequest = z.output<typeof acceptance>;
export type BacktestRequest = z.output<typeof backtestWanted>;
export type BookRequest = z.output<typeof booking>;
export type LineRequest = z.output<typeof lineWanted>;
export type ResolveRequest = z.output<typeof resolution>;
