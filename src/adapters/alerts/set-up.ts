import type { AlertSettings } from './settings.ts';

/** True where alerts go anywhere but to the log. */
export function hasChannels({ telegram, slack, discord, ntfy, http, command }: AlertSettings): boolean {
  const isTelegram = telegram.token !== null && telegram.chatId !== null;
  return isTelegram || slack.url !== null || discord.url !== null || ntfy.url !== null || http.url !== null || command.length > 0;
}

/** What commands of `alerts.command` inherit: how to find programs, and nothing of Kairos's. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(['PATH', 'HOME', 'LANG'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
