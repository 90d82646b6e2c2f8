/** Since when a strategy has no order, why, and what ends that: each once, and the same wherever its state's name stands beside it. */
export function blockedText({ since, why, mend }: { readonly since: string | null; readonly why: string; readonly mend: string }): string {
  return [`${since === null ? '' : `since ${since}: `}${why}`, mend].filter((part) => part !== '').join('; ');
}
