import { isoTime } from '#domain/names.ts';
import { type Branch, type Key, key, type ValuesOf } from '#domain/settings/key.ts';
import { listOf, optional, type SettingKind, text } from '#domain/settings/kind.ts';
import type { Channel, Message } from './alert.ts';
import { commandChannel } from './command.ts';
import { cut } from './message.ts';
import { postChannel } from './post.ts';

/** Where something is posted: https, or http to this machine. It may be a secret, so that it is never repeated. */
export const webAddress: SettingKind<string> = {
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

/** The same as the base of other addresses: without a slash at its end. */
const baseAddress: SettingKind<string> = {
  ...webAddress,
  read: (value, report) => webAddress.read(value, report)?.replace(/\/+$/, ''),
};

interface ChannelKind<Keys extends Branch | Key<unknown>> {
  /** Its settings, `alerts.NAME.*`, or its only one, `alerts.NAME`. */
  readonly keys: Keys;
  /** How it is opened; null where it is not set up. `env`: what a program inherits. */
  channel(settings: ValuesOf<Keys>): ((env: Readonly<Record<string, string>>) => Channel) | null;
  /** A setting that is wrong beside the others of the channel, and why; undefined where it is whole. */
  fault?(settings: ValuesOf<Keys>): { readonly key: string & keyof Keys; readonly says: string } | undefined;
}

const kind = <const Keys extends Branch | Key<unknown>>(one: ChannelKind<Keys>): ChannelKind<Keys> => one;

const secretAddress = (doc: string): Key<string | null> => key(optional(webAddress), null, doc, { secret: true });
const secretText = (doc: string): Key<string | null> =>
  key(optional(text(/^[\x20-\x7e]{1,1000}$/, 'be 1 to 1000 printable characters')), null, doc, { secret: true });

const whole = ({ title, text: rest }: Message): string => (rest === '' ? title : `${title}\n${rest}`);
const escaped = (given: string): string => given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Discord's flag of a message that makes no sound. */
const SUPPRESS_NOTIFICATIONS = 4_096;

/**
 * The channels, in the order of the settings. Settings, their reference, schema and checks follow from it.
 * Each that posts cuts texts to what its service takes, with room for what JSON and the service's own limits add.
 */
const CHANNELS = {
  telegram: kind({
    keys: {
      token: secretText("Telegram: the bot's token"),
      chatId: key(optional(text(/^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/, 'be a number or @channel')), null, 'Telegram: the chat'),
      operators: key(
        listOf(text(/^-?\d{1,20}$/, 'be the number of a chat'), 20),
        [],
        'Telegram: chats that may write status, halt and pause to the bot',
      ),
      baseUrl: key(baseAddress, 'https://api.telegram.org', 'Telegram: address of the bot API'),
    },
    channel: ({ token, chatId, baseUrl }) =>
      token === null || chatId === null
        ? null
        : () =>
            postChannel('telegram', { secrets: [token] }, (message) => ({
              url: `${baseUrl}/bot${token}/sendMessage`,
              body: {
                chat_id: chatId,
                text: cut(whole(message), 4_000),
                disable_notification: message.silent,
                link_preview_options: { is_disabled: true },
              },
            })),
    fault: ({ token, chatId, operators }) => {
      if (token === null && chatId === null && operators.length > 0)
        return { key: 'operators', says: "need the bot's token; set KAIROS_ALERTS_TELEGRAM_TOKEN" };
      if (token !== null && chatId === null)
        return { key: 'chatId', says: 'is needed beside the token: set KAIROS_ALERTS_TELEGRAM_CHAT_ID to the chat that the bot writes to' };
      if (token !== null || chatId === null) return undefined;
      return { key: 'chatId', says: "needs the bot's token; set KAIROS_ALERTS_TELEGRAM_TOKEN or KAIROS_ALERTS_TELEGRAM_TOKEN_FILE" };
    },
  }),
  // Slack has no silent messages: those come as the others do.
  slack: kind({
    keys: { url: secretAddress('Slack: address of the incoming webhook') },
    channel: ({ url }) =>
      url === null
        ? null
        : () => postChannel('slack', { secrets: [url] }, (message) => ({ url, body: { text: escaped(cut(whole(message), 3_000)) } })),
  }),
  discord: kind({
    keys: { url: secretAddress('Discord: address of the webhook') },
    channel: ({ url }) =>
      url === null
        ? null
        : () =>
            postChannel('discord', { secrets: [url] }, (message) => ({
              url,
              body: {
                content: cut(whole(message), 1_900),
                flags: message.silent ? SUPPRESS_NOTIFICATIONS : 0,
                allowed_mentions: { parse: [] },
              },
            })),
  }),
  ntfy: kind({
    keys: {
      url: secretAddress('ntfy: server and topic, as https://ntfy.sh/TOPIC'),
      token: secretText('ntfy: access token, where the topic needs one'),
    },
    channel: ({ url, token }) => (url === null ? null : () => ntfyChannel(url, token)),
    fault: ({ url, token }) =>
      token !== null && url === null ? { key: 'token', says: 'needs alerts.ntfy.url; set KAIROS_ALERTS_NTFY_URL' } : undefined,
  }),
  http: kind({
    keys: {
      url: secretAddress('any address that takes a POST of JSON'),
      authorization: secretText('value of the Authorization header of that POST'),
    },
    channel: ({ url, authorization }) =>
      url === null
        ? null
        : () =>
            postChannel('http', { secrets: [url, ...(authorization === null ? [] : [authorization])] }, (message) => ({
              url,
              body: { ...message, at: isoTime(message.at) },
              headers: authorization === null ? {} : { authorization },
            })),
    fault: ({ url, authorization }) =>
      authorization !== null && url === null
        ? { key: 'authorization', says: 'needs alerts.http.url; set KAIROS_ALERTS_HTTP_URL' }
        : undefined,
  }),
  command: kind({
    keys: key(
      listOf(text(/^[^\0]{1,1000}$/, 'be a word of a command line'), 50),
      [],
      'program and arguments, run for each message, with JSON on standard input',
    ),
    channel: (words) => (words.length === 0 ? null : (env) => commandChannel(words, env)),
  }),
};

type Kinds = typeof CHANNELS;

/** The settings of all of them, by name. */
export const CHANNEL_KEYS = Object.fromEntries(Object.entries(CHANNELS).map(([name, { keys }]) => [name, keys])) as {
  readonly [Name in keyof Kinds]: Kinds[Name]['keys'];
};

/** What says which channels there are. */
export type ChannelSettings = ValuesOf<typeof CHANNEL_KEYS>;

/** The names of the channels that are set up, in the order of the settings. None: alerts are lines of the log alone. */
export const channelNames = (settings: ChannelSettings): readonly string[] => setUp(settings).map(([name]) => name);

/** The channels that are set up, in the order of the settings. `env`: what a program inherits. */
export const channelsOf = (settings: ChannelSettings, env: Readonly<Record<string, string>>): readonly Channel[] =>
  setUp(settings).map(([, open]) => open(env));

/** Channels that are set up by half: the setting at fault, and why. */
export function channelFaults(settings: ChannelSettings): readonly { readonly name: string; readonly says: string }[] {
  return all().flatMap(([name, one]) => {
    const fault = one.fault?.(settings[name]);
    return fault ? [{ name: `alerts.${name}.${fault.key}`, says: fault.says }] : [];
  });
}

const setUp = (settings: ChannelSettings) =>
  all().flatMap(([name, one]) => {
    const open = one.channel(settings[name]);
    return open === null ? [] : [[name, open] as const];
  });

/** Each is called with the settings of its own keys alone. */
const all = () => Object.entries(CHANNELS) as [keyof Kinds, ChannelKind<Branch | Key<unknown>>][];

/** Published as JSON to the server's root, which takes any letters in a title; a header would not. */
function ntfyChannel(url: string, token: string | null): Channel {
  const { origin, pathname } = new URL(url);
  const at = pathname.lastIndexOf('/');
  const topic = decodeURIComponent(pathname.slice(at + 1));
  return postChannel('ntfy', { secrets: [url, topic, ...(token === null ? [] : [token])] }, ({ title, text: rest, silent, urgent }) => ({
    url: `${origin}${pathname.slice(0, at)}/`,
    body: { topic, title: cut(title, 250), message: cut(rest === '' ? title : rest, 3_000), priority: silent ? 2 : urgent ? 5 : 4 },
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  }));
}
