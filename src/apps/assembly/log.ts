import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import type { Settings } from '#config/settings.ts';
import { BROKER_KEY, BROKER_SECRET, LOGIN } from '#venue/defaults.ts';

const REDACTED = '[set]';
const SECRET_NAMES = ['apiKey', 'apiSecret', 'token', 'password', 'secret', 'authorization', 'x-api-key', 'x-api-signature'];
/** Facts of the paper venue that anybody may read; scrubbing them would only spoil the lines that say `paper`. */
const PUBLIC: ReadonlySet<string> = new Set([BROKER_KEY, BROKER_SECRET, LOGIN.password]);

/**
 * The daemon's log, on standard output: readable lines on a terminal, JSON otherwise, or as `log.pretty` says. Lines are written before the
 * call returns, so that the last one of a crash is there. No secret of the settings gets through, by name or by value
 * (I15). `out` replaces standard output.
 * pino's own destination would swallow a broken pipe; through `process.stdout` the command hears of it.
 */
export function createLog(settings: Pick<Settings, 'log' | 'service'>, out: DestinationStream = process.stdout): Logger {
  const { level, pretty } = settings.log;
  const isPretty = pretty === 'auto' ? process.stdout.isTTY === true : pretty;
  const scrub = scrubber(settings.service);
  const format = isPretty
    ? pinoPretty().prettyFactory({ colorize: process.stdout.isTTY === true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
    : undefined;
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: REDACTED },
    },
    {
      write(line) {
        const clean = scrub(line);
        out.write(format ? format(clean) : clean);
      },
    },
  );
}

/** Loaded for a person who reads along; a daemon under a service manager writes JSON. */
const pinoPretty = (): typeof PinoPretty => createRequire(import.meta.url)('pino-pretty');

/** Takes the secret values themselves out of a text, plain or as JSON writes them. */
export function scrubber(service: Pick<Settings['service'], 'apiKey' | 'apiSecret' | 'token' | 'password'>): (text: string) => string {
  const secrets = [service.apiKey, service.apiSecret, service.token, service.password]
    .flatMap((secret) => (secret === null || PUBLIC.has(secret) ? [] : [secret, JSON.stringify(secret).slice(1, -1)]))
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
}
