import { ErrorBoundary } from '../components/block.tsx';
import { NotFound } from '../components/empty.tsx';
import { PageFreshness } from '../components/freshness/page-freshness.tsx';
import { PageLink } from '../routing/link.tsx';
import { path } from '../routing/location.ts';
import { matchPath } from '../routing/match-path.ts';
import { pageComponents } from './page-table.ts';

/** The server says why the path that was opened does not exist. */
const missing = {
  path: path.value,
  reason:
    globalThis.document?.querySelector<HTMLMetaElement>('meta[name="tidegate-missing"]')?.content ??
    '',
};

/** The page of the URL. */
export function CurrentPage() {
  const match = matchPath(path.value);
  if (match === undefined) {
    const isOpened = path.value === missing.path && missing.reason !== '';
    return (
      <NotFound
        what={path.value}
        where={isOpened ? missing.reason : 'This explorer has no such page.'}
      >
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  const Page = pageComponents[match.page];
  return (
    <ErrorBoundary key={path.value}>
      <Page parameters={match.parameters} />
      <PageFreshness />
    </ErrorBoundary>
  );
}
