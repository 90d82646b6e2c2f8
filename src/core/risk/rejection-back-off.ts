import type { Millis } from '#domain/names.ts';

const BACK_OFF_MS = [1000, 2000, 4000, 8000, 16_000, 30_000];

/** Milliseconds until the next try after this many rejections in a row before the last one. */
export const backOffMs = (rejections: number): Millis => BACK_OFF_MS[Math.min(rejections, BACK_OFF_MS.length - 1)] ?? 0;
