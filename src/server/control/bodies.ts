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

/** A strategy; absent for all, and no null, which may be a name that is missing by mistake: for what lets orders go out. */
export const ifNamed = line.optional().transform((name) => name ?? null);

/** The body of an act: its fields with who and why, which are journaled. Other fields are refused. */
export function body<const Shape extends z.ZodRawShape>(fields: Shape) {
  return z.strictObject({ who: line.default('api'), why: line.default('by the control API'), ...fields });
}

/** Reads a body. Throws USAGE, one line that names the field at fault. */
export function readBody<Read>(schema: z.ZodType<Read>, given: unknown): Read {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const fields = schema instanceof z.ZodPipe ? schema.in : schema;
    const known = fields instanceof z.ZodObject && place === '' ? `; there are ${Object.keys(fields.shape).join(', ')}` : '';
    throw usage(`unknown field ${JSON.stringify((issue.keys[0] ?? '').slice(0, 50))}${known}`);
  }
  throw usage(place === '' ? (issue?.code === 'custom' ? issue.message : 'the body must be a JSON object') : `${place} ${issue?.message}`);
}

/** The error of a wrong body; `text` is one line. */
export const usage = (text: string): KairosError => new KairosError('USAGE', text);

/** A figure of an order as text, which the journal reads. */
export const figure = z.string('must be text: decimals in quotes').max(64, 'must be text: decimals in quotes').exactOptional();

const MOVEMENT =
  'a movement has kind, book, currency and amount: book is "treasury", or for a correction of a position its strategy, with its product';
const name = textLike(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/, 'be a name of letters, digits, dots, dashes and underscores');

/** A movement of the treasury, or the correction of a position. Its amount is a decimal as text. */
export const movement = z
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
