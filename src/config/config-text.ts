import { canonicalJson, hashOf } from './canonical.ts';
import type { DecidingConfig } from './load.ts';
import { recordedSettings } from './recorded.ts';

/** A configuration as text that another thread or process can read. Secrets, which no backtest needs, are not in it. */
export function configText({ settings, mode, json }: DecidingConfig): string {
  return JSON.stringify({ mode, json, settings: canonicalJson(settings) });
}

/** Reads what `configText` has written. */
export function configOfText(text: string): DecidingConfig {
  const { mode, json, settings } = JSON.parse(text) as Record<'json' | 'settings', string> & Pick<DecidingConfig, 'mode'>;
  return { mode, json, hash: hashOf(json), settings: recordedSettings('sweep', settings) };
}
