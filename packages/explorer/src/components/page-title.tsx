import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shortenAddress } from '../format/address.ts';

/** Of the page that is shown; empty before the first. */
export const pageTitle = signal('');

type PageTitleProps = {
  readonly title: string;
  /** Of what the page shows, if its title is that of a kind. */
  readonly address?: string;
  readonly class?: string;
};

/** The heading of a page, which also names the window and the entry in the browser's history. */
export function PageTitle({ title, address, ...rest }: PageTitleProps) {
  const text = address === undefined ? title : `${title} ${shortenAddress(address)}`;
  useEffect(() => {
    pageTitle.value = text;
    document.title = `${text} · Tidegate`;
  }, [text]);
  return <h1 {...rest}>{title}</h1>;
}
