import type { LoadedConfig } from '#config/load.ts';
import { LOOK_MS } from '#core/engine/silences.ts';
import type { RunResources } from './opening.ts';
import { watchProducts } from './product-watch.ts';
import { keepToken, type TokenWatchOptions } from './token-watch.ts';

/**
 * What is looked at again and again, beside trading: the token, the products, and the states of strategies, which an event makes the
 * engine look at where nothing else happens. Returns how to end it.
 */
export function watchService(
  config: Pick<LoadedConfig, 'mode' | 'settings'>,
  opened: Pick<RunResources, 'service' | 'products'>,
  parts: Omit<TokenWatchOptions, 'session'>,
): () => void {
  const stops = [
    keepToken(config, opened.service.client, parts),
    watchProducts(opened, parts),
    parts.timers.every(LOOK_MS, () => parts.post({ kind: 'wake' })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
