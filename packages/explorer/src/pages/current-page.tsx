import { ErrorBoundary } from '../components/block.tsx';
import { NotFound } from '../components/empty.tsx';
import { PageLink } from '../routing/link.tsx';
import { path } from '../routing/location.ts';
import { matchPath } from '../routing/match-path.ts';
import { pageComponents } from './page-table.ts';

/** The page of the URL. */
export function CurrentPage() {
  const match = matchPath(path.value);
  if (match === undefined) {
    return (
      <NotFound what={path.value} where="This explorer has no such page.">
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  const Page = pageComponents[match.page];
  return (
    <ErrorBoundary key={path.value}>
      <Page parameters={match.parameters} />
    </ErrorBoundary>
  );
}
