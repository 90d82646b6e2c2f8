import { KairosError } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';

/** The acts that may be asked for. */
export const ACTS = ['halt', 'resume', 'pause', 'enable', 'arm'] as const;

type ActName = (typeof ACTS)[number];

const LINE = /^[^\p{Cc}]{1,200}$/u;

/** Reads an act from its name and a JSON body: `{who, why, strategy, configHash, build}`, all optional but for `enable` and `arm`. Throws USAGE. */
export function actOf(act: ActName, body: unknown): OperatorCommand {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usage('the body must be a JSON object');
  const {
    who = 'api',
    why = 'by the control API',
    strategy = null,
    configHash = null,
    build = '',
    ...foreign
  }: Readonly<Record<string, unknown>> = { ...body };
  const [unknown] = Object.keys(foreign);
  if (unknown !== undefined)
    throw usage(`unknown field ${JSON.stringify(unknown.slice(0, 50))}; there are who, why, strategy, configHash and build`);
  if (typeof who !== 'string' || !LINE.test(who)) throw usage('who must be one line of 1 to 200 characters');
  if (typeof why !== 'string' || !LINE.test(why)) throw usage('why must be one line of 1 to 200 characters');
  if (strategy !== null && (typeof strategy !== 'string' || !LINE.test(strategy))) throw usage('strategy must be the id of one');
  if (act === 'halt') {
    if (strategy !== null) throw usage('a halt is for all strategies; pause is for one');
    return { act, who, why };
  }
  if (act === 'arm') {
    if (typeof configHash !== 'string' || !LINE.test(configHash)) throw usage('arm needs the configHash of what is to be armed');
    if (typeof build !== 'string' || !/^[0-9a-f]{0,64}$/.test(build)) throw usage('build must be a hash');
    return { act, strategy: null, who, why, configHash, config: '', build };
  }
  if (act === 'enable' && strategy === null) throw usage('enable needs a strategy');
  return { act, strategy, who, why };
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
