import { render } from 'preact';
import { loadCharts } from './charts/late.tsx';
import { model } from './live/model.ts';
import { takeFromAddress } from './live/session.ts';
import { Stream } from './live/stream.ts';
import { startTheme } from './live/theme.ts';
import { Page } from './page.tsx';

const place = document.getElementById('page');
if (place) {
  takeFromAddress();
  startTheme();
  loadCharts();
  const asked = new URLSearchParams(location.search);
  const run = asked.get('replay');
  if (run === null) {
    place.replaceChildren();
    render(<Page />, place);
    new Stream(model).join();
  } else {
    void import('./replay/begin.tsx').then(({ begin }) => begin({ run, at: asked.get('at'), place }));
  }
}
