interface Asking {
  readonly fields: readonly { readonly name: string; readonly initial?: string }[];
  /** What it does is never undone: its button is not first. */
  readonly isForGood: boolean;
  readonly who: string;
  readonly asksToken: boolean;
}

/** What has the focus when the dialog of an act opens: what is to be filled in or looked at, else its button. */
export function firstFocus({ fields, isForGood, who, asksToken }: Asking): string {
  const first = isForGood ? fields[0] : fields.find(({ initial = '' }) => initial === '');
  if (first) return `field ${first.name}`;
  if (who === '') return 'who';
  if (asksToken) return 'token';
  return isForGood ? 'why' : 'send';
}
