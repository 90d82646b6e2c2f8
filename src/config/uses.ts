import nodePath from 'node:path';
import { isCode, sourceAt } from '#core/strategy/source-files.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { LayerSetting } from './layer.ts';

/** The file that names modules, the folder in which Kairos was started, and the sink of notes. */
interface UsesFrom {
  readonly file: string;
  readonly cwd: string;
  readonly tell: (note: string) => void;
}

/**
 * Converts paths of strategy modules, which are relative to the file that names them, into paths from the folder in
 * which Kairos was started. A module that is found from that folder only is used as well, with a note.
 */
export function usesFrom(given: LayerSetting, from: UsesFrom): LayerSetting {
  const folder = nodePath.dirname(from.file);
  if (given.name !== 'strategies' || !Array.isArray(given.value) || folder === nodePath.resolve(from.cwd)) return given;
  const entries: readonly unknown[] = given.value;
  const value = entries.map((entry, index) => {
    if (!isGroup(entry) || typeof entry.use !== 'string') return entry;
    const { use } = entry;
    if (nodePath.isAbsolute(use) || !(/[\\/]/.test(use) || isCode(use))) return entry;
    const beside = nodePath.resolve(folder, use);
    if (sourceAt(beside) === undefined && sourceAt(nodePath.resolve(from.cwd, use)) !== undefined) {
      const where = given.origin([index, 'use']);
      from.tell(
        `${where}: use: ${use} is found from the folder of the command and not beside the file that names it: write the path from ${folder}`,
      );
      return entry;
    }
    const path = nodePath.relative(from.cwd, beside).replaceAll(nodePath.sep, '/');
    return { ...entry, use: path.startsWith('../') ? path : `./${path}` };
  });
  return { ...given, value, origin: (inside) => given.origin(inside) };
}
