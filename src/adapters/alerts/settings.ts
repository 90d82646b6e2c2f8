import type { AlertEvent, Loudness } from './alert.ts';
import type { ChannelSettings } from './channels.ts';

/** What is told, to whom, and how much of it. Addresses and tokens of channels are secrets; null: not set up. */
export interface AlertSettings extends ChannelSettings {
  readonly name: string;
  readonly events: Readonly<Record<AlertEvent, Loudness>>;
  readonly perMinute: number;
  readonly repeatAfterMs: number;
  /** How long silence or an unknown time must last. */
  readonly afterMs: number;
  readonly diskFreeMb: number;
  /** Asked once a minute while all is well; null: not set up. A secret. */
  readonly heartbeat: string | null;
  /** `pauseAllAfterMs` null: never. */
  readonly watch: { readonly afterMs: number; readonly pauseAllAfterMs: number | null };
}

/** What commands of `alerts.command` inherit: how to find programs, and nothing of Kairos's. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(['PATH', 'HOME', 'LANG'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
