/** What the page keeps between visits: the token until the tab closes, the user's name and the theme permanently. */
const TOKEN = 'kairos-token';
const WHO = 'kairos-who';
const THEME = 'kairos-theme';
const KEYS = 'kairos-keys';

/** The form of a name that comes with an address. */
const NAME = /^[\w.@-]{1,64}$/;

/** Moves token and name from the printed address into storage, as if they were typed. */
export function takeFromAddress(): void {
  const said = new URLSearchParams(location.hash.slice(1));
  const token = said.get('token');
  if (token === null) return;
  keepToken(token);
  const who = said.get('who') ?? '';
  if (whoKept() === '' && NAME.test(who)) keepWho(who);
  history.replaceState(null, '', location.pathname + location.search);
}

export type Theme = 'light' | 'dark';

export const tokenKept = (): string => read(() => sessionStorage, TOKEN);
export const keepToken = (token: string): void => write(() => sessionStorage, TOKEN, token);
export const forgetToken = (): void => write(() => sessionStorage, TOKEN, '');

export const whoKept = (): string => read(() => localStorage, WHO);
export const keepWho = (who: string): void => write(() => localStorage, WHO, who);

export function themeKept(): Theme | null {
  const kept = read(() => localStorage, THEME);
  return kept === 'light' || kept === 'dark' ? kept : null;
}
export const keepTheme = (theme: Theme): void => write(() => localStorage, THEME, theme);

/** True if single keys are switched on. */
export const keysKept = (): boolean => read(() => localStorage, KEYS) !== 'off';
export const keepKeys = (on: boolean): void => write(() => localStorage, KEYS, on ? '' : 'off');

function read(storage: () => Storage, name: string): string {
  try {
    return storage().getItem(name) ?? '';
  } catch {
    // The browser stores nothing for pages, so the person is asked again.
    return '';
  }
}

function write(storage: () => Storage, name: string, value: string): void {
  try {
    if (value === '') storage().removeItem(name);
    else storage().setItem(name, value);
  } catch {
    // As above.
  }
}
