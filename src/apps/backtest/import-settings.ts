import { DEFAULT_BUDGET } from '#apps/assembly/assemble.ts';
import { type FittingSettings, fittingSettings, flowYaml } from '#apps/assembly/fitting-settings.ts';
import { loadConfig } from '#config/load.ts';
import type { Decimal } from '#domain/decimal.ts';

/** What was imported, as far as settings depend on it. */
interface ImportedLane {
  readonly product: string;
  /** Size of the lane, in base currency. */
  readonly size: Decimal;
  readonly quote: string;
  /** The highest ask, in quote currency. */
  readonly highest: number;
}

/** The settings of a strategy that trades an imported lane, as kairos.yaml has them. */
interface ImportSettings {
  readonly strategies: readonly [Readonly<Record<string, unknown>>];
  readonly risk?: FittingSettings['risk'];
}

/** A shipped strategy on the imported amount, with the limits and the budget that let it open where the usual ones do not. */
export function importSettings({ product, size, quote, highest }: ImportedLane): ImportSettings {
  const { risk, budget } = fittingSettings({
    worth: size.toNumber() * highest,
    currency: quote,
    // Limits in the currency itself, whatever rates there will be.
    rates: new Set([quote]),
    risk: loadConfig({ files: null, env: {}, cwd: '.' }).settings.risk,
    budget: { [quote]: String(DEFAULT_BUDGET) },
  });
  const entry = { id: 'mine', use: 'sma-cross', product, amount: { base: size.toString() }, ...(budget && { budget }) };
  return { strategies: [entry], ...(Object.keys(risk).length > 0 && { risk }) };
}

/** The same as lines of YAML. */
export const importSettingsLines = ({ strategies, risk }: ImportSettings): readonly string[] => [
  'strategies:',
  ...strategies.map((entry) => `  - ${flowYaml(entry)}`),
  ...(risk === undefined ? [] : ['risk:', ...Object.entries(risk).map(([name, group]) => `  ${name}: ${flowYaml(group)}`)]),
];
