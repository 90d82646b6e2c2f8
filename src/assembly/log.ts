import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import type { Settings } from '#config/settings.ts';
import type { Mode } from '#domain/mode.ts';
import { shown, shownIn } from '#domain/one-line.ts';
import { BROKER_KEY, BROKER_SECRET, LOGIN } from '#paper-venue/defaults.ts';
import { typed } from './typed.ts';

const REDACTED = '[set]';
const SECRET_NAMES = ['apiKey', 'apiSecret', 'token', 'password', 'secret', 'authorization', 'x-api-key', 'x-api-signature'];
/** Public values of the paper venue. Scrubbing them would spoil lines that contain `paper`. */
const PUBLIC: ReadonlySet<string> = new Set([BROKER_KEY, BROKER_SECRET, LOGIN.password]);

/** Characters that may wait for a terminal that takes none, as after Ctrl-S; beyond, lines are left out. */
const MAX_WAITING = 1_000_000;

/**
 * The daemon's log, on standard output: readable lines on a terminal, JSON otherwise, or as `log.pretty` says. Lines are
 * written synchronously, as far as a terminal takes them: the last one before a crash is kept. Secrets of the settings are
 * removed by name and by value (I15). Each begins with the mode: no line of a dry run may be taken for real trading. `out`
 * replaces standard output. It writes through `process.stdout`, since pino's own destination hides a broken pipe.
 */
export function createLog(
  { mode, settings }: { readonly mode: Mode; readonly settings: Pick<Settings, 'log' | 'service'> },
  out: DestinationStream & { readonly writableLength?: number } = process.stdout,
): Logger {
  const { level, pretty } = settings.log;
  const isPretty = pretty === 'auto' ? process.stdout.isTTY === true : pretty;
  const scrub = scrubber(settings.service);
  const format = isPretty
    ? pinoPretty().prettyFactory({ colorize: process.stdout.isTTY === true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
    : undefined;
  let leftOut = 0;
  const log = pino(
    {
      level,
      base: null,
      msgPrefix: `${mode.toUpperCase()}: `,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: REDACTED },
    },
    {
      write(line) {
        if ((out.writableLength ?? 0) > (leftOut > 0 ? 0 : MAX_WAITING)) {
          leftOut += 1;
          return;
        }
        if (leftOut > 0) {
          const count = leftOut;
          leftOut = 0;
          log.warn(`lines left out here, since the terminal took none: ${count}`);
        }
        const clean = typed(scrub(line));
        out.write(format ? format(shownIn(clean)) : shown(clean));
      },
    },
  );
  return log;
}

/** Loaded only for readable lines; a daemon under a service manager writes JSON. */
const pinoPretty = (): typeof PinoPretty => createRequire(import.meta.url)('pino-pretty');

/** Removes the values of secrets from a text, plain or escaped as in JSON. */
export function scrubber(service: Pick<Settings['service'], 'apiKey' | 'apiSecret' | 'token' | 'password'>): (text: string) => string {
  const secrets = [service.apiKey, service.apiSecret, service.token, service.password]
    .flatMap((secret) => (secret === null || PUBLIC.has(secret) ? [] : [secret, JSON.stringify(secret).slice(1, -1)]))
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
}
