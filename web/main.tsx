import { render } from 'preact';
import { model } from './live/model.ts';
import { takeFromAddress } from './live/session.ts';
import { Stream } from './live/stream.ts';
import { startTheme } from './live/theme.ts';
import { Page } from './page.tsx';

const place = document.getElementById('page');
if (place) {
  takeFromAddress();
  startTheme();
  place.replaceChildren();
  render(<Page />, place);
  void new Stream(model).join();
}
