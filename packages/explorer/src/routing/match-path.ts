import { type PageName, pagePaths } from './page-paths.ts';

export type PageMatch = {
  readonly page: PageName;
  readonly parameters: Readonly<Record<string, string>>;
};

/** The page at a path, and the values of the named segments of its pattern; undefined if there is none. */
export function matchPath(path: string): PageMatch | undefined {
  for (const [page, pattern] of Object.entries(pagePaths)) {
    const parameters = matchPattern(segmentsOf(pattern), segmentsOf(path));
    if (parameters !== undefined) return { page: page as PageName, parameters };
  }
  return undefined;
}

function matchPattern(
  pattern: readonly string[],
  path: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== path.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = path[index] ?? '';
    if (expected.startsWith(':')) parameters[expected.slice(1)] = decodeSegment(segment);
    else if (expected !== segment) return undefined;
  }
  return parameters;
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** A segment that is not valid percent-encoding stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of a page; undefined if this build does not have the page. */
export function pathOf(
  page: string,
  parameters: Readonly<Record<string, string>> = {},
): string | undefined {
  const pattern = (pagePaths as Readonly<Record<string, string>>)[page];
  return pattern?.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
}

/** A path with a query of the values that there are. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const known = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
}
