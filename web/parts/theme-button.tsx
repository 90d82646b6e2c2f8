import { useStore } from '../live/store.ts';
import { switchTheme, themeStore } from '../live/theme.ts';

/** Light or dark, in place of the look of the moment. */
export function ThemeButton() {
  const theme = useStore(themeStore);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="plain theme" onClick={switchTheme} title={`${other} colours`} aria-label={`Switch to ${other} colours`}>
      {theme === 'dark' ? '\u2600' : '\u263e'}
    </button>
  );
}
