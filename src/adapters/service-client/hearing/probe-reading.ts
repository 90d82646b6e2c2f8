import { heard, type ObservedReading } from './heard.ts';

/** The reading of error bodies, by the refusal of an order that could not be executed (spec 7). */
export function errorBodyReading(said: string): ObservedReading {
  const shown = said === '' ? 'no body' : said.slice(0, 80);
  const told = said.trimStart();
  if (told === '') return heard('errorBodies', 'errors-empty', shown);
  if (told.startsWith('<')) return heard('errorBodies', 'errors-as-html', shown);
  if (!told.startsWith('{')) return heard('errorBodies', 'errors-as-text', shown);
  if (/"error"\s*:\s*\{/.test(told)) return heard('errorBodies', 'errors-nested', shown);
  if (/"(error|errorCode|path)"\s*:/.test(told)) return heard('errorBodies', 'errors-as-strategies', shown);
  return heard('errorBodies', /"message"\s*:/.test(told) ? 'errors-as-message' : null, shown);
}
