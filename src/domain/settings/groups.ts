import { currency, isProductCode, PRODUCT_CODE, productCode } from '../names.ts';
import type { Example } from './form.ts';
import { mapOf, positiveDecimal, type SettingKind, text } from './kind.ts';
import { shown } from './shown.ts';

const PRODUCT_NAME = { grammar: PRODUCT_CODE, must: 'be a product code such as btcusd' };
const CURRENCY = { grammar: /^[A-Za-z0-9]{2,16}$/, must: 'be a currency code such as usd' };

const codeText = text(CURRENCY.grammar, CURRENCY.must);

/** A currency's code, read in lower case. */
export const currencyCode: SettingKind<string> = {
  ...codeText,
  read(value, report) {
    const code = codeText.read(value, report);
    return code === undefined ? undefined : currency(code);
  },
};

/** A product code by form, read in lower case. */
export const productName: SettingKind<string> = {
  schema: { type: 'string', pattern: PRODUCT_CODE.source },
  read(value, report) {
    if (typeof value === 'string' && isProductCode(value)) return productCode(value);
    report([], `must be a product code such as btcusd, not ${shown(value)}`);
    return undefined;
  },
};

/** A group by product. The same product twice, as `BTCUSD` and `btcusd`, is refused. */
export function byProduct<T>(kind: SettingKind<T>, example: Example): SettingKind<Readonly<Record<string, T>>> {
  return named(mapOf(kind, PRODUCT_NAME, example), productCode, 'a product');
}

/** Figures by currency. The same currency twice, as `USD` and `usd`, is refused. */
export const byCurrency: SettingKind<Readonly<Record<string, string>>> = named(
  mapOf(positiveDecimal, CURRENCY, { usd: 1000 }),
  currency,
  'a currency',
);

function named<T>(
  group: SettingKind<Readonly<Record<string, T>>>,
  nameOf: (code: string) => string,
  what: string,
): SettingKind<Readonly<Record<string, T>>> {
  return {
    ...group,
    read(value, report) {
      const read = group.read(value, report);
      if (read === undefined) return undefined;
      const entries = Object.entries(read).map(([code, item]) => [nameOf(code), item] as const);
      const found = Object.fromEntries(entries);
      if (Object.keys(found).length === entries.length) return found;
      report([], `names ${what} twice, in upper and lower case`);
      return undefined;
    },
  };
}
