import { key } from '#domain/settings/key.ts';
import { listOf, optional, type SettingKind, text, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';
import { record, required, withDefault } from './record.ts';

/** A source of signals from outside, as written. */
interface SourceEntry {
  readonly name: string;
  readonly maxBytes: number;
  readonly perSecond: number;
  readonly maxAgeMs: number;
  readonly staleAfterMs: number | null;
}

const SOURCE = {
  name: required(text(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'be a name of letters, digits and underscores'), 'name of the input in strategies'),
  maxBytes: withDefault(whole({ min: 64, max: 1_048_576 }), 16_384, 'most bytes of one signal'),
  perSecond: withDefault(whole({ min: 1, max: 1_000 }), 10, 'most signals a second'),
  maxAge: withDefault(duration, '1m', "how old a signal may be as it arrives, by its sender's clock"),
  staleAfter: withDefault(optional(duration), null, 'an alert tells that no signal came for so long; null: never'),
};

const sources: SettingKind<readonly SourceEntry[]> = listOf(
  record(SOURCE, { name: 'model' }, (take) => ({
    name: take(SOURCE.name),
    maxBytes: take(SOURCE.maxBytes),
    perSecond: take(SOURCE.perSecond),
    maxAgeMs: take(SOURCE.maxAge),
    staleAfterMs: take(SOURCE.staleAfter),
  })),
  100,
);

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** Whether signals are received from other machines, so that a reverse proxy must end TLS. */
export const needsProxy = ({ sources, host }: { readonly sources: readonly unknown[]; readonly host: string }): boolean =>
  sources.length > 0 && !LOOPBACK.test(host);

/** Signals from outside: who may send them, and where. */
export const SIGNAL_KEYS = {
  sources: key(sources, [], 'who sends signals, to POST /signals/NAME'),
  host: key(
    text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'),
    '127.0.0.1',
    'address for signals; from elsewhere use a reverse proxy with TLS',
  ),
  port: key(whole({ min: 0, max: 65_535 }), 8082, 'port on which signals are received; 0: a free one'),
  secret: key(
    optional(text(/^[\x21-\x7e]{16,512}$/, 'be 16 to 512 printable characters')),
    null,
    'what tokens are made from; kairos signals token NAME prints one',
    { env: 'KAIROS_SIGNALS_SECRET', secret: true },
  ),
};
