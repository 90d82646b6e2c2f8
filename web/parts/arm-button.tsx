import { useState } from 'preact/hooks';
import type { ArmView } from '#server/page/history-view.ts';
import { askFor } from '../acts/act-request.ts';
import { arm } from '../acts/acts.ts';
import { look } from '../live/ask.ts';

/** Arms, after showing what that would allow to trade. */
export function ArmButton() {
  const [failed, setFailed] = useState('');
  const show = async (): Promise<void> => {
    const found = await look<ArmView>('/api/arm');
    setFailed(found.kind === 'done' ? '' : found.why);
    if (found.kind === 'done') askFor(arm(found.body));
  };
  return (
    <>
      <button type="button" class="act" aria-haspopup="dialog" onClick={show}>
        Arm…
      </button>
      {failed !== '' && <span role="alert">{failed}</span>}
    </>
  );
}
