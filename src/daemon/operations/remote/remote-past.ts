import { answerOf } from '#adapters/journal/acts.ts';
import type { ActionRow } from '#adapters/journal/tables.ts';
import { createdId } from '#adapters/service-client/rest/orchestrator.ts';

/** The newest `limit` requests for the service's strategies, oldest first; empty without a journal. */
export const remoteActions = (path: string, limit: number): readonly ActionRow[] =>
  answerOf(path, (journal) => journal.remoteActions(limit)) ?? [];

const MAX_LOOKED_AT = 10_000;

/** The product of a strategy that was created here; undefined for others. */
export function productOfStrategy(path: string, strategyId: string): string | undefined {
  const created = remoteActions(path, MAX_LOOKED_AT).filter(({ action }) => action === 'remote.create');
  const row = created.find(({ response }) => response !== null && createdId(response) === strategyId);
  return row && productIn(row.arguments);
}

function productIn(text: string): string | undefined {
  const said: unknown = JSON.parse(text);
  if (typeof said !== 'object' || said === null || !('fields' in said)) return undefined;
  const { fields } = said;
  if (typeof fields !== 'object' || fields === null || !('productCode' in fields)) return undefined;
  return typeof fields.productCode === 'string' ? fields.productCode : undefined;
}
