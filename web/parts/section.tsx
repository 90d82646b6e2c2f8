import type { ComponentChildren } from 'preact';

/** A part of the page with its heading, found by a screen reader's list of regions and by the links at the top. */
export function Section({
  id,
  title,
  tools,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <div class="head">
        <h2 id={`${id}-title`}>{title}</h2>
        {tools && <div class="tools">{tools}</div>}
      </div>
      {children}
    </section>
  );
}

/** The text of an empty part: what will appear here. */
export const Nothing = ({ children }: { readonly children: ComponentChildren }) => <p class="nothing">{children}</p>;
