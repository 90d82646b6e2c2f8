import type { IChartApi } from 'lightweight-charts';
import { type Inks, inksNow } from './look.ts';

/**
 * A chart is printed as a picture in light colours, which is as wide as the paper: its canvas would keep the width and the colours of the screen.
 * Returns what ends it.
 */
export function printed(place: HTMLElement, chart: IChartApi, paint: (inkOf: Inks) => void): () => void {
  const remove = (): void => {
    if (place.nextElementSibling?.classList.contains('printed')) place.nextElementSibling.remove();
  };
  const show = (): void => {
    remove();
    if (place.clientWidth === 0) return;
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.theme = 'light';
    paint(inksNow());
    const picture = chart.takeScreenshot();
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
    paint(inksNow());
    picture.className = 'printed';
    place.after(picture);
  };
  addEventListener('beforeprint', show);
  addEventListener('afterprint', remove);
  return () => {
    removeEventListener('beforeprint', show);
    removeEventListener('afterprint', remove);
    remove();
  };
}
