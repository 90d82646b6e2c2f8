import { type ActRequest, askFor } from '../acts/act-request.ts';

/** A button that opens an act's dialog; it does nothing by itself. */
export const ActButton = ({ asked, label, name }: { readonly asked: () => ActRequest; readonly label: string; readonly name?: string }) => (
  <button type="button" class="act" aria-haspopup="dialog" aria-label={name} onClick={() => askFor(asked())}>
    {label}
  </button>
);
