import { KairosError } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import { isDestructive, remoteAskOf } from '#domain/remote.ts';
import { actOf } from './act-body.ts';

export type RemoteCommand = Extract<Command, { act: 'remote' | 'settle-create' }>;

/**
 * Reads what a person asks of the service's strategies: `{who, why, action, arguments, confirm}`. What destroys needs `confirm: true`
 * (B41). Throws USAGE or REMOTE_INVALID.
 */
export function remoteOf(body: unknown): RemoteCommand {
  const { by, fields } = parted(body, ['action', 'arguments', 'confirm']);
  const { action, arguments: said = {}, confirm = false } = fields;
  if (typeof action !== 'string') throw usage('action must be one of create, modify, start, stop, pause and so on');
  if (typeof said !== 'object' || said === null || Array.isArray(said)) throw usage('arguments must be a JSON object');
  const asked = remoteAskOf(action, { ...said });
  if (isDestructive(asked) && confirm !== true) throw usage(`${action} cannot be undone: send confirm: true with it`);
  return { act: 'remote', ...by, asked };
}

/** Reads `{who, why, actionId, strategyId}`: what a create of unknown outcome has created, or null. Throws USAGE. */
export function settlingOf(body: unknown): RemoteCommand {
  const { by, fields } = parted(body, ['actionId', 'strategyId']);
  const { actionId, strategyId } = fields;
  if (typeof actionId !== 'string') throw usage('actionId must be that of a create');
  if (strategyId === null) return { act: 'settle-create', ...by, actionId, strategyId };
  const asked = remoteAskOf('start', { strategyId });
  return { act: 'settle-create', ...by, actionId, strategyId: 'strategyId' in asked ? asked.strategyId : null };
}

function parted(body: unknown, known: readonly string[]): { by: { who: string; why: string }; fields: Readonly<Record<string, unknown>> } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usage('the body must be a JSON object');
  const { who: saidWho, why: saidWhy, ...fields }: Readonly<Record<string, unknown>> = { ...body };
  const foreign = Object.keys(fields).find((name) => !known.includes(name));
  if (foreign !== undefined) throw usage(`unknown field ${JSON.stringify(foreign.slice(0, 50))}; there are who, why, ${known.join(', ')}`);
  const { who, why } = actOf('halt', { ...(saidWho !== undefined && { who: saidWho }), ...(saidWhy !== undefined && { why: saidWhy }) });
  return { by: { who, why }, fields };
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
