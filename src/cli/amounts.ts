import { InvalidArgumentError } from 'commander';
import { messageOf } from '#domain/errors.ts';
import { signedNumber } from './numbers.ts';

/** Amounts by currency, such as btc=0.5,usd=9200, as decimal text. Throws commander's error for anything else. */
export function amounts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, name, amount] = /^([A-Za-z0-9]{2,16})=(\S+)$/.exec(part.trim()) ?? [];
    const currency = name?.toLowerCase();
    if (currency === undefined || amount === undefined || found.has(currency)) {
      throw new InvalidArgumentError('It must be currencies with amounts, each once, such as btc=0.5,usd=9200.');
    }
    found.set(currency, amount === '0' ? amount : signedNumber(amount));
  }
  return found;
}

/** Asks until the answer is amounts; null for an empty one. A slip of the fingers is no reason to end in the middle of an act. */
export async function askAmounts(ask: () => Promise<string>, tell: (why: string) => void): Promise<ReadonlyMap<string, string> | null> {
  for (;;) {
    const line = await ask();
    if (line.trim() === '') return null;
    try {
      return amounts(line);
    } catch (error) {
      tell(messageOf(error));
    }
  }
}
