import type { StateView } from '#server/page/view.ts';
import { accountActs } from '../acts/acts.ts';
import { ActButton } from './act-button.tsx';
import { showKeys } from './keys-dialog.tsx';
import { ThemeButton } from './theme-button.tsx';

const PARTS = [
  ['strategies', 'Strategies'],
  ['chart', 'Chart'],
  ['feed', 'Decisions'],
  ['account', 'Account'],
  ['trades', 'Trades'],
  ['orders', 'Open orders'],
  ['limits', 'Limits'],
  ['runs', 'Runs and reports'],
] as const;

const ID = 'menu';

/** Opens the menu where it is no strip. */
export const MenuButton = () => (
  <button type="button" class="plain menu-button" popovertarget={ID} aria-label="Parts and acts" title="parts and acts">
    {'\u2630'}
  </button>
);

/** The parts of the page and what can be done for the whole account: a strip, or on a narrow window a menu that the bar opens. */
export const Menu = ({ state }: { readonly state: StateView }) => (
  <div id={ID} class="strip" popover="auto">
    <nav aria-label="Parts of the page">
      {PARTS.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
      <a href="/docs">Docs</a>
    </nav>
    <div class="tools">
      {accountActs(state).map(({ label, asked }) => (
        <ActButton key={label} asked={asked} label={label} />
      ))}
      <ThemeButton />
      <button type="button" class="plain" aria-haspopup="dialog" onClick={showKeys} title="shortcuts" aria-label="Shortcuts">
        ?
      </button>
    </div>
  </div>
);
