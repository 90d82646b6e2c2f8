import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
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
    .description('ask the running daemon whether it would take a signal; no strategy hears of it')
    .addHelpText('after', `\nExample:\n  kairos signals test model '{"score": 0.7}'`)
    .action(test);
}

async function token(source: string, options: ConfigOptions): Promise<void> {
  const { url, token } = await addressed(source, options);
  printLine(token);
  printNote(`POST it with the header X-Signal-Token to ${url}`);
}

async function test(source: string, fields: string, options: ConfigOptions): Promise<void> {
  const { url, token } = await addressed(source, options);
  const headers = { 'content-type': 'application/json', 'x-signal-token': token, 'x-signal-test': 'yes' };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: fields });
    printLine(`${answer.status}: ${await answer.text()}`);
    if (!answer.ok) process.exitCode = 1;
  } catch (error) {
    throw new KairosError('OPS_UNAVAILABLE', `no daemon takes signals at ${url}: start one with kairos run`, { cause: error });
  }
}

async function addressed(source: string, options: ConfigOptions): Promise<{ readonly url: string; readonly token: string }> {
  const { tokenOf } = await import('#adapters/signals/tokens.ts');
  const { secret, sources, host, port } = configFrom(options).settings.signals;
  const names = sources.map(({ name }) => name);
  if (secret === null || !names.includes(source)) {
    throw new KairosError(
      'NOT_FOUND',
      `signals.sources: there is no ${source}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}`,
    );
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/signals/${source}`, token: tokenOf(secret, source) };
}
