import type { LoadedConfig } from '../config/load.ts';
import type { Opened } from './opening.ts';
import { watchProducts } from './product-watch.ts';
import { keepToken, type TokenWatchOptions } from './token-watch.ts';

/** What is looked at again and again at the service, beside trading: the token, and the products. Returns how to end it. */
export function watchService(
  config: Pick<LoadedConfig, 'mode' | 'settings'>,
  opened: Pick<Opened, 'service' | 'products'>,
  parts: Omit<TokenWatchOptions, 'session'>,
): () => void {
  const stops = [keepToken(config, opened.service.client, parts), watchProducts(opened, parts)];
  return () => {
    for (const stop of stops) stop();
  };
}
