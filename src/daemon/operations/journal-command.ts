/** A command for the daemon of a journal, as a shell takes it. */
export function journalCommand(act: 'halt' | 'resume', journal: string): string {
  const set = `journal.path=${journal}`;
  return `npx kairos ${act} --set ${/^[\w@%+=:,./-]+$/.test(set) ? set : `'${set.replaceAll("'", "'\\''")}'`}`;
}
