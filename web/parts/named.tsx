import type { NamedText } from '#server/page/remote-view.ts';

/** Values by their names, one after the other. */
export const Named = ({ values }: { readonly values: readonly NamedText[] }) => (
  <span class="observed">
    {values.map(({ name, text }) => (
      <span key={name}>
        {name} <b>{text}</b>
      </span>
    ))}
  </span>
);
