import { useEffect } from 'preact/hooks';
import { askedStore, askFor } from '../acts/act-request.ts';
import { halt } from '../acts/acts.ts';
import { model } from '../live/model.ts';
import { goTo } from '../live/parts-open.ts';
import { keepKeys, keysKept } from '../live/session.ts';
import { Store, useStore } from '../live/store.ts';
import { switchTheme } from '../live/theme.ts';
import { Dialog } from './dialog.tsx';

const KEYS = [
  ['h', 'put the halt before you; Enter sends it'],
  ['s', 'go to the strategies'],
  ['d', 'go to the decisions'],
  ['l', 'go to the lanes'],
  ['t', 'light or dark'],
  ['?', 'this list'],
  ['Escape', 'shut a dialog'],
] as const;

const shownStore = new Store(false);
const keysStore = new Store(keysKept());

export const showKeys = (): void => shownStore.set(true);

const PLACES: Readonly<Record<string, string>> = { s: 'strategies', d: 'feed', l: 'lanes' };

/** Handles single keys, unless a person has switched them off or is typing. */
export function useKeys(): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (!keysStore.get() || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (document.querySelector('dialog[open]') || askedStore.get()) return;
      if (press(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

function press(key: string): boolean {
  const place = PLACES[key];
  if (place !== undefined) goTo(place);
  else if (key === 'h' && model.told.get()?.state.trading !== 'HALTED') askFor(halt());
  else if (key === 't') switchTheme();
  else if (key === '?') showKeys();
  else return false;
  return true;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName));

export function KeysDialog() {
  const isShown = useStore(shownStore);
  const isOn = useStore(keysStore);
  if (!isShown) return null;
  const turn = (on: boolean): void => {
    keepKeys(on);
    keysStore.set(on);
  };
  return (
    <Dialog title="Shortcuts" onClose={() => shownStore.set(false)}>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} /> single keys are on
      </label>
    </Dialog>
  );
}
