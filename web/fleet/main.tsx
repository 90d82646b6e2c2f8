import { render } from 'preact';
import { takeFromAddress } from '../live/session.ts';
import { startTheme } from '../live/theme.ts';
import { followFleet } from './following.ts';
import { Page } from './page.tsx';

const place = document.getElementById('page');
if (place) {
  takeFromAddress();
  startTheme();
  place.replaceChildren();
  render(<Page />, place);
  void followFleet();
}
