import { canonicalJson, hashOf } from '#config/canonical.ts';
import type { DecidingConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { knownHint } from '#domain/nearest.ts';

/** A configuration without the strategies of other ids; itself if it has no others. */
export function onlyStrategies<Config extends DecidingConfig>(config: Config, ids: readonly string[]): Config {
  if (config.settings.strategies.every(({ id }) => ids.includes(id))) return config;
  return withStrategies(config, (strategies) => strategies.filter(({ id }) => ids.includes(id)));
}

/** A configuration with another module in place of a strategy's own, its parameters as they are by default. */
export const withModule = <Config extends DecidingConfig>(config: Config, strategy: string, use: string): Config =>
  withStrategies(config, (strategies) => strategies.map((one) => (one.id === strategy ? { ...one, use, params: {}, inputs: {} } : one)));

function withStrategies<Config extends DecidingConfig>(
  config: Config,
  change: (strategies: Settings['strategies']) => Settings['strategies'],
): Config {
  const changed = (settings: Settings): Settings => ({ ...settings, strategies: change(settings.strategies) });
  const json = canonicalJson(changed(recordedSettings('sweep', config.json)));
  return { ...config, settings: changed(config.settings), json, hash: hashOf(json) };
}

/** A configuration with the strategies that `--strategy` names alone; itself if it names none. Throws USAGE for one that is not there or not enabled. */
export function namedStrategies<Config extends DecidingConfig>(config: Config, ids: readonly string[] | undefined): Config {
  if (ids === undefined) return config;
  const { strategies } = config.settings;
  for (const id of ids) {
    const entry = strategies.find((one) => one.id === id);
    if (!entry)
      throw new KairosError(
        'USAGE',
        `--strategy ${id}: there is no strategy ${id}${knownHint(
          id,
          strategies.map((one) => one.id),
        )}`,
      );
    if (!entry.enabled) throw new KairosError('USAGE', `--strategy ${id}: ${entry.origin} has enabled: false; take that out to play it`);
  }
  return onlyStrategies(config, ids);
}
