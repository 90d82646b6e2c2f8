import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A dialog before everything else: it keeps the focus, Escape shuts it, and the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
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
