import type { ComponentChildren } from 'preact';
import { PageTitle } from './page-title.tsx';
import './empty.css';

type EmptyProps = {
  readonly title: string;
  /** What to do next. */
  readonly children?: ComponentChildren;
};

/** There is nothing to show, and what to do next. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

type NotFoundProps = {
  /** What was looked for: `Market 7u3H…`. */
  readonly what: string;
  /** Where it was looked for. */
  readonly where: string;
  readonly children?: ComponentChildren;
};

/** A page of something that does not exist. */
export const NotFound = ({ what, where, children }: NotFoundProps) => (
  <section class="block empty-page" role="alert">
    <PageTitle title="Not found" />
    <p>{what}</p>
    <p class="weak">{where}</p>
    {children}
  </section>
);
