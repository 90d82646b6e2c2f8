import { ALERT_EVENTS } from '#adapters/alerts/alert.ts';
import { type Key, key } from '#domain/settings/key.ts';
import { choice, type Kind, listOf, optional, or, text, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';

const loudness = choice(['on', 'silent', 'off']);

/** Where something is posted: https, or http to this machine. It may be a secret, so that it is never repeated. */
const webAddress: Kind<string> = {
  schema: { type: 'string', pattern: '^https?://' },
  read(value, report) {
    if (typeof value === 'string' && isWebAddress(value)) return value;
    report([], 'must be an https address (http on this machine alone) without user and password');
    return undefined;
  },
  fromText: (given) => given,
};

function isWebAddress(value: string): boolean {
  if (value.length > 2_000 || !/^[\x21-\x7e]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && loopback)) && username === '' && password === '';
}

const secretAddress = (doc: string): Key<string | null> => key(optional(webAddress), null, doc, { secret: true });
const secretText = (doc: string): Key<string | null> =>
  key(optional(text(/^[\x20-\x7e]{1,1000}$/, 'be 1 to 1000 printable characters')), null, doc, { secret: true });

const { halt, unknown, drawdown, silence, clock, missed, disk, strategy, blocked, trouble, dead, stopped } = ALERT_EVENTS;
const event = ({ usual, meaning }: { readonly usual: string; readonly meaning: string }) =>
  key(loudness, usual, `${meaning}: on, silent (told without a sound) or off`);

/** What a person who is not watching is told, and how. */
export const ALERT_KEYS = {
  name: key(text(/^[\x20-\x7e]{1,60}$/, 'be 1 to 60 plain characters'), 'kairos', 'stands before every alert: which bot it is'),
  events: {
    halt: event(halt),
    unknown: event(unknown),
    drawdown: event(drawdown),
    silence: event(silence),
    clock: event(clock),
    missed: event(missed),
    disk: event(disk),
    strategy: event(strategy),
    blocked: event(blocked),
    trouble: event(trouble),
    dead: event(dead),
    stopped: event(stopped),
  },
  after: key(duration, '5s', 'how long silence or an unknown time lasts before it is told'),
  diskFreeMb: key(whole({ min: 0, max: 100_000_000 }), 500, 'free megabytes below which the disk is told of; 0: never'),
  perMinute: key(whole({ min: 1, max: 60 }), 6, 'messages a minute to each channel; what is more goes as one digest'),
  repeatAfter: key(duration, '10m', 'the same trouble is told once in so long, with how often it came'),
  telegram: {
    token: secretText("Telegram: the bot's token"),
    chatId: key(optional(text(/^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/, 'be a number or @channel')), null, 'Telegram: the chat'),
    baseUrl: key(webAddress, 'https://api.telegram.org', 'Telegram: address of the bot API'),
  },
  slack: { url: secretAddress('Slack: address of the incoming webhook') },
  discord: { url: secretAddress('Discord: address of the webhook') },
  ntfy: {
    url: secretAddress('ntfy: server and topic, as https://ntfy.sh/TOPIC'),
    token: secretText('ntfy: access token, where the topic needs one'),
  },
  http: {
    url: secretAddress('any address that takes a POST of JSON'),
    authorization: secretText('value of the header Authorization of that POST'),
  },
  command: key(
    listOf(text(/^[^\0]{1,1000}$/, 'be a word of a command line'), 50),
    [],
    'program and arguments, run without a shell for each message; it gets JSON on standard input',
  ),
  watch: {
    after: key(duration, '5s', '`kairos watch`: how long the daemon may be gone or mute'),
    pauseAllAfter: key(
      or('never', duration),
      'never',
      "`kairos watch`: how long until the service is asked once to pause its own strategies, those that are not Kairos's included; or never",
    ),
  },
};
