import { keepTheme, type Theme, themeKept } from './session.ts';
import { Store } from './store.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

const bySystem = (): Theme => (dark.matches ? 'dark' : 'light');

/** Light or dark: as the system is set, until a person chooses. */
export const themeStore = new Store<Theme>(themeKept() ?? bySystem());

/** Takes the theme that was chosen before. If none was, it follows the system. */
export function startTheme(): void {
  const kept = themeKept();
  if (kept) document.documentElement.dataset.theme = kept;
  dark.addEventListener('change', () => {
    if (document.documentElement.dataset.theme === undefined) themeStore.set(bySystem());
  });
}

export function switchTheme(): void {
  const next: Theme = themeStore.get() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  keepTheme(next);
  themeStore.set(next);
}
