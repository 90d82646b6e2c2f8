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
  /** `pauseAllAfterMs` null: never. */
  readonly watch: { readonly afterMs: number; readonly pauseAllAfterMs: number | null };
}
