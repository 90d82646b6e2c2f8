import { type Command, InvalidArgumentError } from 'commander';
import { printNote, printResult } from './output.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options extends ConfigOptions {
  readonly otlp: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** Adds `trace`: orders as spans for a tracing tool. */
export function addTrace(command: Command): void {
  addJournalOptions(command)
    .requiredOption('--otlp <url>', 'address of an OTLP receiver (HTTP, JSON)', address)
    .option('-f, --follow', 'go on with new orders')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nGoes on where it stopped.\n\nExample:\n  kairos trace --otlp http://127.0.0.1:4318 -f')
    .action(trace);
}

async function trace({ otlp, follow = false, json = false, ...options }: Options): Promise<void> {
  const { settings } = configFrom(options);
  const { sendTraces } = await import('#daemon/operations/traces.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const stop = new AbortController();
  const off = onStopSignal(() => stop.abort());
  const { path: journal } = settings.journal;
  const headers = process.env.OTEL_EXPORTER_OTLP_HEADERS ?? '';
  const notice = (_level: unknown, text: string): void => printNote(text);
  const orders = await sendTraces({
    ...{ journal, otlp, headers, name: settings.alerts.name, follow, timers: systemTimers, notice },
    signal: stop.signal,
  }).finally(off);
  printResult({ orders }, `${orders} orders sent to ${otlp}`, { json });
}

function address(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new InvalidArgumentError('It must be an http or https address.');
  return text;
}
