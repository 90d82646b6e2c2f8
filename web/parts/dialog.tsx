import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { model } from '../live/model.ts';
import { useStore } from '../live/store.ts';

/**
 * A dialog, which names the daemon, before everything else: it keeps the focus, Escape shuts it, and the focus goes back to where it was. The element
 * with `data-first` has the focus when it opens, and again when `step` changes.
 */
export function Dialog({
  title,
  step = '',
  onClose,
  children,
}: {
  readonly title: string;
  readonly step?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  const daemon = useStore(model.daemon);
  useLayoutEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => place.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [step]);
  return (
    <dialog ref={place} aria-labelledby="dialog-title" onClose={onClose}>
      <div class="head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="plain" aria-label="Close this dialog" onClick={() => place.current?.close()}>
          ×
        </button>
      </div>
      {daemon !== null && (
        <p class="whose">
          <b>{daemon.name}</b> {daemon.mode.toUpperCase()} <small>{daemon.journal}</small>
        </p>
      )}
      {children}
    </dialog>
  );
}
