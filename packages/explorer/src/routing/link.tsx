import type { ComponentChildren } from 'preact';
import { hrefOf } from './location.ts';
import { pathOf, withQuery } from './match-path.ts';

type LinkProps = {
  /** Name of a page in `page-paths.ts`. */
  readonly page: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** State of the page. What is missing or empty is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A link to a page of the explorer; plain text if this build does not have the page. */
export function PageLink({ page, parameters = {}, query = {}, children, ...rest }: LinkProps) {
  const target = pathOf(page, parameters);
  if (target === undefined) return <span class={rest.class}>{children}</span>;
  return (
    <a href={hrefOf(withQuery(target, query))} data-page={page} class={rest.class}>
      {children}
    </a>
  );
}
