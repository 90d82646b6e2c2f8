import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspectConfig, type LoadedConfig, type LoadOptions } from '#config/load.ts';
import { newFolder } from '../support/folder.ts';

export { newFolder as folder };

/** Reads `yaml` as the `kairos.yaml` of a folder of its own. */
export function inspect(yaml: string | Uint8Array, options: Partial<LoadOptions> = {}) {
  const cwd = options.cwd ?? newFolder();
  writeFileSync(path.join(cwd, 'kairos.yaml'), yaml);
  return inspectConfig({ env: {}, ...options, cwd });
}

/** All that is wrong with `yaml`, as lines. */
export function faultsOf(yaml: string | Uint8Array, options: Partial<LoadOptions> = {}): string[] {
  const result = inspect(yaml, options);
  return 'faults' in result ? result.faults.map(({ line }) => line) : [];
}

/** The codes of all that is wrong with `yaml`. */
export function codesOf(yaml: string, options: Partial<LoadOptions> = {}): string[] {
  const result = inspect(yaml, options);
  return 'faults' in result ? result.faults.map(({ code }) => code) : [];
}

/** The configuration that `yaml` makes. Fails the test where it makes none. */
export function configOf(yaml: string, options: Partial<LoadOptions> = {}): LoadedConfig {
  const result = inspect(yaml, options);
  if ('faults' in result) throw new Error(result.faults.map(({ line }) => line).join('\n'));
  return result.config;
}

/** One strategy entry; `lines` replace or add to it. */
export function strategyYaml(lines: Readonly<Record<string, string>> = {}): string {
  const entry = { id: 'one', use: 'sma-cross', product: 'btcusd', amount: '{ base: 0.01 }', ...lines };
  const text = Object.entries(entry).map(([name, value]) => `${name}: ${value}`);
  return `strategies:\n  - ${text.join('\n    ')}\n`;
}

export const LIVE_URL = 'service: { baseUrl: "https://service.example" }\n';
