import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { createEtag } from '../../http/cache/etag.ts';
import { acceptsCoding } from '../../http/cache/representation.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { type PageHeaders, pageHeaders } from './page-headers.ts';

/** `scripts/build-explorer.js` writes it: a page, the paths that show it, and a folder of hashed files. */
const BUILD = new URL('../../../dist/explorer/', import.meta.url);
const BASE = '<base href="./" />';
/** Why the path of the page does not exist. */
const MISSING = '<meta name="tidegate-missing" content="" />';
/** Whether images of other hosts may be loaded. */
const IMAGES = '<meta name="tidegate-images" content="" />';

/** Where navigation to a page of the explorer is routed. */
export const EXPLORER_ROUTE = '/explorer';

/** The coding of a file by its additional extension, the smallest first. */
const codings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

type ExplorerFile = {
  readonly mediaType: string;
  readonly body: Buffer;
  /** Undefined for a file as it is. */
  readonly encoding: string | undefined;
};

type ExplorerPage = { readonly html: string; readonly etag: string };

/** The web app as built. Nothing of it is read before the first request. */
export type Explorer = {
  /**
   * `EXPLORER_ROUTE` for navigation to one of its pages; undefined for everything else, and if it is not built. A path of
   * the API such as `/markets/collateral-reserves` is no page of a market.
   */
  routeOf(request: IncomingMessage, apiPaths: ReadonlySet<string>): string | undefined;
  /** The page, with addresses relative to `url`: a proxy may serve it under a path prefix. */
  pageAt(url: string): ExplorerPage | undefined;
  /** The page for navigation to a path that does not exist, with the reason; undefined for other requests. */
  missingPage(request: IncomingMessage, url: string, reason: string): string | undefined;
  readonly pageHeaders: PageHeaders;
  /** In the best encoding that the client accepts. */
  findAsset(name: string, acceptEncoding: string | undefined): ExplorerFile | undefined;
};

/** `imageSources`: hosts of images that the pages may load. */
export function createExplorer(
  folder: URL = BUILD,
  imageSources: readonly string[] = [],
): Explorer {
  let build: Build | undefined | 'unread' = 'unread';
  const read = (): Build | undefined => {
    if (build === 'unread') build = readBuild(folder, imageSources.length > 0);
    return build;
  };
  return {
    pageHeaders: pageHeaders(imageSources),
    routeOf(request, apiPaths) {
      if (!isNavigation(request)) return undefined;
      const path = pathOf(request.url ?? '/');
      const page = read()?.pagePaths.find(({ pattern }) => pattern.test(path));
      const isApi = page?.hasParameters && apiPaths.has(path.replace(/\/$/, ''));
      return page === undefined || isApi ? undefined : EXPLORER_ROUTE;
    },
    pageAt: (url) => read()?.pageAt(depthOf(url)),
    missingPage(request, url, reason) {
      const html = isNavigation(request) ? read()?.html : undefined;
      if (html === undefined) return undefined;
      const meta = MISSING.replace('""', () => `"${escapeHtml(reason)}"`);
      return withBase(
        html.replace(MISSING, () => meta),
        depthOf(url),
      );
    },
    findAsset(name, acceptEncoding) {
      const files = read()?.files;
      const coding = codings.find(
        (each) =>
          files?.has(`${name}${each.extension}`) && acceptsCoding(acceptEncoding, [each.name]),
      );
      const body = files?.get(`${name}${coding?.extension ?? ''}`);
      const mediaType = mediaTypes[extname(name)];
      if (body === undefined || mediaType === undefined) return undefined;
      return { mediaType, body, encoding: coding?.name };
    },
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type PagePath = { readonly pattern: RegExp; readonly hasParameters: boolean };

type Build = {
  readonly html: string;
  readonly pagePaths: readonly PagePath[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly pageAt: (depth: number) => ExplorerPage;
};

function readBuild(folder: URL, loadsImages: boolean): Build | undefined {
  if (!existsSync(new URL('index.html', folder))) return undefined;
  const source = readFileSync(new URL('index.html', folder), 'utf8');
  const html = loadsImages ? source.replace(IMAGES, IMAGES.replace('""', '"allowed"')) : source;
  const paths: string[] = JSON.parse(readFileSync(new URL('page-paths.json', folder), 'utf8'));
  const assets = new URL(`.${EXPLORER_ROUTE}/`, folder);
  const pages = new Map<number, ExplorerPage>();
  return {
    html,
    pagePaths: paths.map(pathPattern),
    files: new Map(readdirSync(assets).map((name) => [name, readFileSync(new URL(name, assets))])),
    pageAt(depth) {
      const page = pages.get(depth) ?? createPage(html, depth);
      pages.set(depth, page);
      return page;
    },
  };
}

function createPage(source: string, depth: number): ExplorerPage {
  const html = withBase(source, depth);
  return { html, etag: createEtag(html) };
}

const withBase = (html: string, depth: number): string =>
  html.replace(BASE, `<base href="${'../'.repeat(depth) || './'}" />`);

/** `/markets/:market` matches a path with any second segment, with or without a slash at the end. */
const pathPattern = (path: string): PagePath => ({
  pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}/?$`),
  hasParameters: path.includes(':'),
});

/** A browser that opens a page accepts HTML by name; scripts and API clients do not. */
const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /(^|,)\s*text\/html\b/i.test(headers.accept ?? '');

/** Of the page in folders. */
const depthOf = (url: string): number => Math.max(0, pathOf(url).split('/').length - 2);

function pathOf(url: string): string {
  const [path = '/'] = url.split('?', 1);
  return path;
}
