import type { NamedText } from '#server/page/remote-view.ts';

/** Values with their names, in a row. */
export const Named = ({ values }: { readonly values: readonly NamedText[] }) => (
  <span class="observed">
    {values.map(({ name, text }) => (
      <span key={name}>
        {name} <b>{text}</b>
      </span>
    ))}
  </span>
);
