import { type ChartOptions, ColorType, CrosshairMode, type DeepPartial, LineStyle } from 'lightweight-charts';

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

/** The options of every chart of the page, in the present theme. The logo is off, because the page's footer names the library. */
export function lookOf(inkOf: Inks): DeepPartial<ChartOptions> {
  const line = inkOf('line');
  const label = { color: inkOf('muted'), style: LineStyle.Dashed, labelBackgroundColor: inkOf('ink') };
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: inkOf('card') },
      textColor: inkOf('muted'),
      fontSize: 11,
      attributionLogo: false,
      panes: { separatorColor: line, enableResize: false },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line, minimumWidth: 64, entireTextOnly: true },
    // With fixed edges the first and the last label of the axis are shown in whole. A price is written whole or not at all.
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: true, fixLeftEdge: true, fixRightEdge: true },
    crosshair: { mode: CrosshairMode.Magnet, vertLine: label, horzLine: label },
    localization: { locale: 'en', timeFormatter: timeText },
    // The wheel and a finger scroll the page. A drag moves a chart sideways, and a pinch zooms it.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}
