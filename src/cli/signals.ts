import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { printLine, printNote } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

/** Adds `signals` with its subcommands: what senders of signals from outside need. */
export function addSignals(signals: Command): void {
  addConfigOptions(signals.command('token'))
    .argument('<source>', 'a name of signals.sources')
    .description('the token with which a source sends, and where to; it opens this source alone')
    .addHelpText('after', '\nExample:\n  kairos signals token model')
    .action(token);

  addConfigOptions(signals.command('test'))
    .argument('<source>', 'a name of signals.sources')
    .argument('<fields>', 'a signal as JSON')
    .description('ask whether the daemon would take a signal; no strategy gets it')
    .addHelpText('after', `\nExample:\n  kairos signals test model '{"score": 0.7}'`)
    .action(test);

  addConfigOptions(signals.command('send'))
    .argument('<source>', 'a name of signals.sources')
    .description('send standard input to the running daemon, a signal of JSON a line')
    .addHelpText('after', '\nExample:\n  kairos signals send model')
    .action(send);
}

interface Address {
  readonly url: string;
  readonly token: string;
}

/** How often a signal is sent that got no answer, or that could not be written, and how long the pause is, in milliseconds. */
const TRIES = 20;
const PAUSE_MS = 500;
const UNAVAILABLE = 503;

async function token(source: string, options: ConfigOptions): Promise<void> {
  const { url, token } = await addressed(source, options);
  printLine(token);
  printNote(`POST it with the header X-Signal-Token to ${url}`);
}

async function test(source: string, fields: string, options: ConfigOptions): Promise<void> {
  const answer = await post(await addressed(source, options), fields, { 'x-signal-test': 'yes' });
  printLine(`${answer.status}: ${answer.text}`);
  if (!answer.ok) process.exitCode = 1;
}

async function send(source: string, options: ConfigOptions): Promise<void> {
  const to = await addressed(source, options);
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const answer = await sent(to, named(line));
    if (answer.ok) continue;
    process.exitCode = 1;
    printNote(`${answer.status}: ${answer.text} ${line}`);
  }
}

/** With an id and the time, so that it can be sent again. A line that is no signal goes as it is, and is refused. */
function named(line: string): string {
  try {
    const fields: unknown = JSON.parse(line);
    return isGroup(fields) ? JSON.stringify({ id: crypto.randomUUID(), made: new Date().toISOString(), ...fields }) : line;
  } catch {
    // The daemon says what is wrong with it.
    return line;
  }
}

async function sent(to: Address, body: string): Promise<Answer> {
  const { setTimeout: pause } = await import('node:timers/promises');
  for (let tries = 1; ; tries += 1) {
    const answer = await post(to, body).catch((error: unknown) => {
      if (tries === TRIES) throw error;
      return undefined;
    });
    if (answer && (answer.status !== UNAVAILABLE || tries === TRIES)) return answer;
    await pause(PAUSE_MS);
  }
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

async function post({ url, token }: Address, body: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-signal-token': token, ...more };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  } catch (error) {
    throw new KairosError('OPS_UNAVAILABLE', `no daemon takes signals at ${url}: start one with kairos run`, { cause: error });
  }
}

async function addressed(source: string, options: ConfigOptions): Promise<Address> {
  const { tokenOf } = await import('#adapters/outside-signals/tokens.ts');
  const { secret, sources, host, port } = configFrom(options).settings.signals;
  const names = sources.map(({ name }) => name);
  if (secret === null) throw new KairosError('CONFIG_INVALID', 'KAIROS_SIGNALS_SECRET is not set here: export the one that the daemon has');
  if (!names.includes(source)) {
    throw new KairosError(
      'NOT_FOUND',
      `signals.sources: there is no ${source}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}`,
    );
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/signals/${source}`, token: tokenOf(secret, source) };
}
