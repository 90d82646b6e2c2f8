import { isoTime } from '#domain/names.ts';
import type { Channel, Message } from './alert.ts';
import { commandChannel } from './command.ts';
import { cut } from './message.ts';
import { postChannel } from './post.ts';
import type { AlertSettings } from './settings.ts';

/** Characters that the services take, with room for what JSON and their own limits add. */
const MOST = { telegram: 4_000, slack: 3_000, discord: 1_900, ntfy: 3_000, http: 10_000 } as const;
/** Discord's flag of a message that makes no sound. */
const SUPPRESS_NOTIFICATIONS = 4_096;

/** The channels that are set up, in the order of the settings. `env`: what a command inherits. */
export function channelsOf(settings: AlertSettings, env: Readonly<Record<string, string>>): readonly Channel[] {
  const { telegram, slack, discord, ntfy, http, command } = settings;
  return [
    ...(telegram.token !== null && telegram.chatId !== null
      ? [telegramChannel({ token: telegram.token, chatId: telegram.chatId, baseUrl: telegram.baseUrl })]
      : []),
    ...(slack.url !== null ? [slackChannel(slack.url)] : []),
    ...(discord.url !== null ? [discordChannel(discord.url)] : []),
    ...(ntfy.url !== null ? [ntfyChannel(ntfy.url, ntfy.token)] : []),
    ...(http.url !== null ? [httpChannel(http.url, http.authorization)] : []),
    ...(command.length > 0 ? [commandChannel(command, env)] : []),
  ];
}

const whole = ({ title, text }: Message): string => (text === '' ? title : `${title}\n${text}`);

function telegramChannel({ token, chatId, baseUrl }: { token: string; chatId: string; baseUrl: string }): Channel {
  return postChannel('telegram', { secrets: [token] }, (message) => ({
    url: `${baseUrl}/bot${token}/sendMessage`,
    body: {
      chat_id: chatId,
      text: cut(whole(message), MOST.telegram),
      disable_notification: message.silent,
      link_preview_options: { is_disabled: true },
    },
  }));
}

/** Slack has no silent messages: those come as the others do. */
function slackChannel(url: string): Channel {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return postChannel('slack', { secrets: [url] }, (message) => ({ url, body: { text: escaped(cut(whole(message), MOST.slack)) } }));
}

function discordChannel(url: string): Channel {
  return postChannel('discord', { secrets: [url] }, (message) => ({
    url,
    body: {
      content: cut(whole(message), MOST.discord),
      flags: message.silent ? SUPPRESS_NOTIFICATIONS : 0,
      allowed_mentions: { parse: [] },
    },
  }));
}

/** Published as JSON to the server's root, which takes any letters in a title; a header would not. */
function ntfyChannel(url: string, token: string | null): Channel {
  const { origin, pathname } = new URL(url);
  const at = pathname.lastIndexOf('/');
  const topic = decodeURIComponent(pathname.slice(at + 1));
  return postChannel('ntfy', { secrets: [url, topic, ...(token === null ? [] : [token])] }, ({ title, text, silent, urgent }) => ({
    url: `${origin}${pathname.slice(0, at)}/`,
    body: { topic, title: cut(title, 250), message: cut(text === '' ? title : text, MOST.ntfy), priority: silent ? 2 : urgent ? 5 : 4 },
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  }));
}

function httpChannel(url: string, authorization: string | null): Channel {
  return postChannel('http', { secrets: [url, ...(authorization === null ? [] : [authorization])] }, (message) => ({
    url,
    body: { ...message, at: isoTime(message.at), text: cut(message.text, MOST.http) },
    headers: authorization === null ? {} : { authorization },
  }));
}
