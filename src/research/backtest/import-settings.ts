import { DEFAULT_BUDGET } from '#assembly/assemble.ts';
import { type FittingSettings, fittingSettings, flowYaml } from '#assembly/fitting-settings.ts';
import { loadConfig } from '#config/load.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';

/** What an opening of an imported lane is worth at most. */
interface Worth {
  /** Size of the lane, in base currency. */
  readonly size: Decimal;
  readonly quote: string;
  /** The highest ask, in quote currency. */
  readonly highest: number;
}

/** What was imported, as far as settings depend on it. */
interface ImportedLane extends Worth {
  readonly product: string;
  /** Lanes of other imports that the limits shall let open as well. */
  readonly others?: readonly Worth[];
}

/** The settings of a strategy that trades an imported lane, as kairos.yaml has them. */
interface ImportSettings {
  readonly strategies: readonly [Readonly<Record<string, unknown>>];
  readonly risk?: FittingSettings['risk'];
}

/** A shipped strategy on the imported amount, with the limits and the budget that let it open where the usual ones do not. */
export function importSettings({ product, others = [], ...own }: ImportedLane): ImportSettings {
  const usual = loadConfig({ files: null, env: {}, cwd: '.' }).settings.risk;
  const fitting = ({ size, quote, highest }: Worth): FittingSettings =>
    fittingSettings({
      worth: size.toNumber() * highest,
      currency: quote,
      // Limits in the currency itself, whatever rates there will be.
      rates: new Map([[quote, 1]]),
      risk: usual,
      budget: { [quote]: String(DEFAULT_BUDGET) },
    });
  const { size } = own;
  const { risk: first, budget } = fitting(own);
  const risk = others.map((one) => fitting(one).risk).reduce(largest, first);
  const entry = { id: 'mine', use: 'sma-cross', product, amount: { base: size.toString() }, ...(budget && { budget }) };
  return { strategies: [entry], ...(Object.keys(risk).length > 0 && { risk }) };
}

/** Limits that have room for what each of two has room for: of every limit and currency the larger figure. */
function largest(a: FittingSettings['risk'], b: FittingSettings['risk']): FittingSettings['risk'] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, largestOf(a[name] ?? {}, b[name] ?? {})]));
}

function largestOf(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const larger = Object.entries(b).filter(([currency, figure]) => decimalOf(figure).gt(a[currency] ?? 0));
  return { ...a, ...Object.fromEntries(larger) };
}

/** The same as lines of YAML. */
export const importSettingsLines = ({ strategies, risk }: ImportSettings): readonly string[] => [
  'strategies:',
  ...strategies.map((entry) => `  - ${flowYaml(entry)}`),
  ...(risk === undefined
    ? []
    : [
        `risk:${risk.maxPositionValue ? '  # maxPositionValue counts all strategies of a product together' : ''}`,
        ...Object.entries(risk).map(([name, group]) => `  ${name}: ${flowYaml(group)}`),
      ]),
];
