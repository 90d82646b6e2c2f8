import type { AlertEvent, Loudness } from './alert.ts';

/** What is told, to whom, and how much of it. Addresses and tokens are secrets; null: not set up. */
export interface AlertSettings {
  readonly name: string;
  readonly events: Readonly<Record<AlertEvent, Loudness>>;
  readonly perMinute: number;
  readonly repeatAfterMs: number;
  /** How long silence or an unknown time must last. */
  readonly afterMs: number;
  readonly diskFreeMb: number;
  readonly command: readonly string[];
  readonly telegram: { readonly token: string | null; readonly chatId: string | null; readonly baseUrl: string };
  readonly slack: { readonly url: string | null };
  readonly discord: { readonly url: string | null };
  readonly ntfy: { readonly url: string | null; readonly token: string | null };
  readonly http: { readonly url: string | null; readonly authorization: string | null };
  /** `pauseAllAfterMs` null: never. */
  readonly watch: { readonly afterMs: number; readonly pauseAllAfterMs: number | null };
}
