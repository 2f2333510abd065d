import type { ComponentChildren } from 'preact';
import type { ActionName, BuildFields } from './build-fields.ts';
import { PageLink } from './link.tsx';

type BuildLinkProps = {
  readonly action: ActionName;
  /** What is known already. */
  readonly known: Partial<Readonly<Record<keyof BuildFields, string | undefined>>>;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A link to the page that builds a transaction, with its form filled in. */
export const BuildLink = ({ action, known, children, ...rest }: BuildLinkProps) => (
  <PageLink page="build" query={{ action, ...known }} {...rest}>
    {children}
  </PageLink>
);
