import type { ComponentChildren } from 'preact';
import { hrefOf } from './location.ts';
import { pathOf } from './match-path.ts';

type LinkProps = {
  /** Name of a page in `page-paths.ts`. */
  readonly page: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A link to a page of the explorer; plain text if this build does not have the page. */
export function PageLink({ page, parameters = {}, children, ...rest }: LinkProps) {
  const target = pathOf(page, parameters);
  if (target === undefined) return <span class={rest.class}>{children}</span>;
  return (
    <a href={hrefOf(target)} data-page={page} class={rest.class}>
      {children}
    </a>
  );
}
