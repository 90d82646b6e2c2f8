import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import { type Decimal, decimalOf, isMultipleOf } from '#domain/decimal.ts';
import { ACCOUNTS } from '#paper-venue/defaults.ts';
import { productOf } from '#paper-venue/dialect/codes.ts';
import { bodyBy, fieldFault, type JsonObject, type ReadResult } from '#paper-venue/http/json.ts';
import { type ErrorResponse, type FieldFault, fieldRefusal } from '#paper-venue/http/refusal.ts';
import type { AccountStore } from '#paper-venue/store/account-store.ts';
import { AI_BODY, AI_CHANGES, type CreateBody, OPEN_BODY, OPEN_CHANGES } from './bodies.ts';
import type { StrategyRecord, UserFields } from './record.ts';
import type { NewStrategy, Strategies } from './strategies.ts';
import { TRADABLES, type Tradable } from './tradables.ts';

interface RequestParts {
  readonly strategies: Strategies;
  readonly accounts: AccountStore;
}

/** Fields that identify a strategy and never change. */
const IDENTITY = ['strategyType', 'accountId', 'productCode', 'autoRun'];
/** Maximum nesting and name length of unknown fields. */
const MAX_LEVELS = 5;

/** Reads a create request: 400 if it is malformed, 422 if it is understood and refused (notes, "Errors"). */
export function newStrategyOf(
  body: JsonObject,
  owner: string,
  parts: RequestParts & { readonly dialect: Dialect },
): ReadResult<NewStrategy> {
  const isAi = body.strategyType === 'AI';
  const read: ReadResult<CreateBody> = isAi ? bodyBy(AI_BODY, body) : bodyBy(OPEN_BODY, body);
  if ('fault' in read) return read;
  const odd = oddFields(body, isAi ? AI_BODY.shape : OPEN_BODY.shape);
  if (odd.malformed.length > 0) return { fault: fieldRefusal(400, 'INVALID_BODY', odd.malformed) };
  const { strategyType, accountId, productCode, autoRun, ...fields } = read.value;
  const place = placeOf(accountId, productCode, parts.dialect);
  if ('fault' in place) return place;
  const needed =
    isAi && !isSet(fields, 'initialBaseCurrencySize') && !isSet(fields, 'initialQuoteCurrencyAmount')
      ? [
          {
            fields: ['initialBaseCurrencySize', 'initialQuoteCurrencyAmount'],
            description: 'at least one of the two initial amounts is needed',
          },
        ]
      : [];
  const fault = judged(fields, { tradable: place.tradable, accountId, needed, unknown: isAi ? odd.unknown : [] }, parts);
  if (fault) return { fault };
  return { value: { owner, strategyType, accountId, productCode: place.tradable.code, fields, autoRun: autoRun === true } };
}

/** Reads a modify request: only its fields change, null erases, and each type has its own fields (spec 4.1). */
export function changesOf(body: JsonObject, record: StrategyRecord, parts: RequestParts): ReadResult<UserFields> {
  const isAi = record.strategyType === 'AI';
  const schema = isAi ? AI_CHANGES : OPEN_CHANGES;
  const read: ReadResult<UserFields> = bodyBy(schema, body);
  if ('fault' in read) return read;
  const odd = oddFields(body, schema.shape);
  if (odd.malformed.length > 0) return { fault: fieldRefusal(400, 'INVALID_BODY', odd.malformed) };
  const fixed = Object.keys(body).filter((field) => IDENTITY.includes(field) || (isAi && !Object.hasOwn(schema.shape, field)));
  if (fixed.length > 0) {
    const what = `is not a field that can be changed in a strategy of type ${record.strategyType}`;
    return {
      fault: fieldRefusal(
        422,
        'NOT_MODIFIABLE',
        fixed.map((field) => fieldFault([field], what, body)),
      ),
    };
  }
  const judgement = { tradable: TRADABLES.get(record.productCode), accountId: record.accountId, needed: [], unknown: [] };
  const fault = judged({ ignoreWarnings: record.fields.ignoreWarnings, ...read.value }, judgement, parts);
  return fault ? { fault } : { value: read.value };
}

interface Judgement {
  readonly tradable: Tradable | undefined;
  readonly accountId: string;
  readonly needed: readonly FieldFault[];
  readonly unknown: readonly FieldFault[];
}

/** The 422 refusal of a well-formed request: limits first, then warnings unless ignored. */
function judged(
  fields: UserFields,
  { tradable, accountId, needed, unknown }: Judgement,
  { strategies, accounts }: RequestParts,
): ErrorResponse | undefined {
  const mid = tradable && strategies.midOf(tradable);
  if (!tradable || !mid)
    return fieldRefusal(422, 'NOT_PRICED', [{ fields: ['productCode'], description: 'the product has no current price' }]);
  const market: MarketFacts = { tradable, mid, balanceOf: (currency) => accounts.balance(accountId, currency) };
  const faults = [...needed, ...limitFaults(fields, market)];
  if (faults.length > 0) return fieldRefusal(422, 'LIMITS', faults);
  const warnings = [...unknown, ...warningsOf(fields, market)];
  return warnings.length > 0 && fields.ignoreWarnings !== true ? fieldRefusal(422, 'WARNINGS', warnings) : undefined;
}

function placeOf(
  accountId: string,
  productCode: string,
  dialect: Dialect,
): { readonly tradable: Tradable } | { readonly fault: ErrorResponse } {
  const account = ACCOUNTS.find(({ id }) => id === accountId);
  const code = productOf(dialect, productCode);
  const tradable = code === undefined ? undefined : TRADABLES.get(code);
  const faults: FieldFault[] = [];
  if (!account) faults.push({ fields: ['accountId'], description: 'there is no such account', rejectedValue: accountId });
  if (!tradable) faults.push({ fields: ['productCode'], description: 'there is no such product', rejectedValue: productCode });
  if (account && tradable && account.exchangeCode !== tradable.exchangeCode) {
    const description = `a product of ${tradable.exchangeCode} cannot be traded on an account of ${account.exchangeCode}`;
    faults.push({ fields: ['accountId', 'productCode'], description });
  }
  return tradable && faults.length === 0 ? { tradable } : { fault: fieldRefusal(422, 'NOT_TRADABLE', faults) };
}

/** Unknown fields, split into those that cannot be kept as sent (B01, B11, B12) and the others. */
function oddFields(
  body: JsonObject,
  known: object,
): { readonly malformed: readonly FieldFault[]; readonly unknown: readonly FieldFault[] } {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(known, name) && !IDENTITY.includes(name));
  const isOdd = (name: string) => !/^[A-Za-z_]\w{0,63}$/.test(name) || name in Object.prototype || !isPlain(body[name], MAX_LEVELS);
  return {
    malformed: names
      .filter(isOdd)
      .map((name) => ({ fields: [name.slice(0, 64)], description: `${name.slice(0, 64)} is not an accepted field` })),
    unknown: names
      .filter((name) => !isOdd(name))
      .map((name) => fieldFault([name], 'is not a field of this type of strategy and has no effect', body)),
  };
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 1 && Object.entries(value).every(([name, inner]) => !(name in Object.prototype) && isPlain(inner, levels - 1));
}

/** The market facts against which a strategy's sizes, amounts and prices are checked. */
interface MarketFacts {
  readonly tradable: Tradable;
  /** The present price. */
  readonly mid: Decimal;
  readonly balanceOf: (currency: string) => Decimal;
}

type Values = Readonly<Record<string, unknown>>;

const SIZES = ['initialBaseCurrencySize', 'size', 'orderMaxSize'];
const PRICES = ['priceLimit', 'triggerPrice'];

/** Values beyond the product's limits (spec 1, 2.6, 8), each refused with 422. Absent, null and zero sizes are not checked. */
function limitFaults(values: Values, { tradable }: MarketFacts): FieldFault[] {
  const { minSize, minNotionalValue, sizeIncrement, priceIncrement, code } = tradable;
  return [
    ...SIZES.flatMap((field) =>
      checked(values, field, (size) => stepFault(size, sizeIncrement, 'sizeIncrement') ?? least(size, minSize, 'minSize')),
    ),
    ...checked(values, 'initialQuoteCurrencyAmount', (value) => least(value, minNotionalValue, 'minNotionalValue')),
    ...PRICES.flatMap((field) =>
      checked(
        values,
        field,
        (price) => least(price, priceIncrement, 'smallest price') ?? stepFault(price, priceIncrement, 'priceIncrement'),
      ),
    ),
  ].map((fault) => ({ ...fault, description: `${fault.description} of ${code}` }));
}

/** Warnings about values that are allowed but probably unintended; `ignoreWarnings` accepts them. */
function warningsOf(values: Values, { tradable, mid, balanceOf }: MarketFacts): FieldFault[] {
  const { baseCcy, quoteCcy } = tradable;
  const held = (currency: string) => (amount: Decimal) =>
    amount.gt(balanceOf(currency)) ? `is more than the ${balanceOf(currency)} ${currency} of the account` : undefined;
  const far = (price: Decimal) => (price.lt(mid.div(2)) || price.gt(mid.times(2)) ? `is far from the current price ${mid}` : undefined);
  return [
    ...checked(values, 'initialBaseCurrencySize', held(baseCcy)),
    ...checked(values, 'initialQuoteCurrencyAmount', held(quoteCcy)),
    ...PRICES.flatMap((field) => checked(values, field, far)),
  ];
}

/** True for a size or amount that is given and not zero. */
function isSet(values: Values, field: string): boolean {
  const value = values[field];
  return typeof value === 'number' && value > 0;
}

function checked(values: Values, field: string, rule: (value: Decimal) => string | undefined): FieldFault[] {
  const value = values[field];
  if (typeof value !== 'number' || !isSet(values, field)) return [];
  const broken = rule(decimalOf(value));
  return broken === undefined ? [] : [{ fields: [field], description: `${field} ${value} ${broken}`, rejectedValue: value }];
}

function least(value: Decimal, limit: Decimal, name: string): string | undefined {
  return value.lt(limit) ? `is below the ${name} ${limit}` : undefined;
}

function stepFault(value: Decimal, step: Decimal, name: string): string | undefined {
  return isMultipleOf(value, step) ? undefined : `is not a multiple of the ${name} ${step}`;
}
