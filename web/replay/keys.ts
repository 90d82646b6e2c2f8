import { useEffect } from 'preact/hooks';
import type { ReplayStep } from '#server/page/replay-view.ts';
import { keysKept } from '../live/session.ts';
import { switchTheme } from '../live/theme.ts';
import type { ReplayPlayer } from './player.ts';

const JUMPS: Readonly<Record<string, ReplayStep>> = { o: 'order', r: 'refusal', a: 'alarm' };

/** Handles the keys of a replay: arrows step, space plays, letters jump; with Shift, back. */
export function useReplayKeys(player: ReplayPlayer): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const { key, shiftKey, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      // Arrow keys belong to the buttons of a choice, and space presses the button that has the focus.
      const role = target instanceof HTMLInputElement ? target.type : target instanceof HTMLElement ? target.tagName : '';
      if (role === 'radio' || (key === ' ' && role !== 'BODY' && role !== 'range')) return;
      if (heard(player, { key, shiftKey })) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [player]);
}

function heard(player: ReplayPlayer, { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  const jump = keysKept() ? JUMPS[key.toLowerCase()] : undefined;
  if (key === 'ArrowLeft' || key === 'ArrowRight') player.step('decision', key === 'ArrowLeft');
  else if (key === ' ') player.play(!player.shown.get().isPlaying);
  else if (jump !== undefined) player.step(jump, shiftKey);
  else if (key === 't' && keysKept()) switchTheme();
  else return false;
  return true;
}
