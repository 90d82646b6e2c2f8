import { useState } from 'preact/hooks';
import { type ActRequest, askFor } from '../acts/act-request.ts';
import { look } from '../live/ask.ts';

interface Props<Found> {
  readonly path: string;
  readonly asked: (found: Found) => ActRequest;
  readonly label: string;
  readonly name?: string;
}

/** A button that opens an act's dialog with what it first looks up at the daemon. */
export function LookingButton<Found>({ path, asked, label, name }: Props<Found>) {
  const [failed, setFailed] = useState('');
  const show = async (): Promise<void> => {
    const found = await look<Found>(path);
    setFailed(found.kind === 'done' ? '' : found.why);
    if (found.kind === 'done') askFor(asked(found.body));
  };
  return (
    <>
      <button type="button" class="act" aria-haspopup="dialog" aria-label={name} onClick={show}>
        {label}
      </button>
      {failed !== '' && <span role="alert">{failed}</span>}
    </>
  );
}
