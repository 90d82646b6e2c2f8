import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A dialog before everything else: it keeps the focus, Escape shuts it, and the focus goes back to where it was. The element
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
      {children}
    </dialog>
  );
}
