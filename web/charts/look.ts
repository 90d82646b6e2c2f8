import { type ChartOptions, ColorType, CrosshairMode, type DeepPartial, LineStyle } from 'lightweight-charts';
import { durationText } from '#domain/duration-text.ts';

const INKS = ['first', 'second', 'third', 'fourth', 'up', 'down', 'muted', 'warn', 'ink', 'card', 'line'] as const;

/** Colours of the palette that a chart may draw with. */
export type Ink = (typeof INKS)[number];

/** The value of a colour of the palette. */
export type Inks = (ink: Ink) => string;

/** The palette of the present theme. */
export function inksNow(): Inks {
  // A canvas does not support light-dark(): an element resolves each colour.
  const probe = document.body.appendChild(document.createElement('i'));
  const colourOf = (ink: Ink): string => {
    probe.style.color = `var(--${ink})`;
    return getComputedStyle(probe).color;
  };
  const inks = new Map(INKS.map((ink) => [ink, colourOf(ink)]));
  probe.remove();
  return (ink) => inks.get(ink) ?? '';
}

/** A colour with transparency. */
export const faded = (colour: string, alpha: number): string => colour.replace(/^rgba?\(([^,)]+,[^,)]+,[^,)]+).*\)$/, `rgba($1, ${alpha})`);

const timeText = (time: unknown): string =>
  typeof time === 'number' ? new Date(time * 1000).toISOString().slice(5, 19).replace('T', ' ') : '';

const lengthText = (time: unknown): string => (typeof time === 'number' ? durationText(time * 1000) : '');

/** The colours of every chart. */
export function coloursOf(inkOf: Inks): DeepPartial<ChartOptions> {
  const line = inkOf('line');
  const label = { color: inkOf('muted'), style: LineStyle.Dashed, labelBackgroundColor: inkOf('ink') };
  return {
    layout: {
      background: { type: ColorType.Solid, color: inkOf('card') },
      textColor: inkOf('muted'),
      panes: { separatorColor: line },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
    crosshair: { vertLine: label, horzLine: label },
  };
}

/** The options of every chart, in the present theme; `isElapsed`: its times count from a start. The logo is off, because the page's footer names the library. */
export function lookOf(inkOf: Inks, isElapsed = false): DeepPartial<ChartOptions> {
  const { layout, timeScale, rightPriceScale, crosshair, ...colours } = coloursOf(inkOf);
  return {
    ...colours,
    autoSize: true,
    layout: { ...layout, fontSize: 11, attributionLogo: false, panes: { ...layout?.panes, enableResize: false } },
    rightPriceScale: { ...rightPriceScale, minimumWidth: 64, entireTextOnly: true },
    // With fixed edges the first and the last label of the axis are shown in whole. A price is written whole or not at all.
    timeScale: {
      ...timeScale,
      ...{ timeVisible: true, secondsVisible: true, fixLeftEdge: true, fixRightEdge: true },
      ...(isElapsed && { tickMarkFormatter: lengthText }),
    },
    crosshair: { ...crosshair, mode: CrosshairMode.Magnet },
    localization: { locale: 'en', timeFormatter: isElapsed ? lengthText : timeText },
    // The wheel and a finger scroll the page. A drag moves a chart sideways, and a pinch zooms it.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}
