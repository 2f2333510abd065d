import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { Type } from 'typebox';
import { createOpenApiDocument, type OperationExample } from '../../http/openapi-document.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { OpenObject } from '../../http/schemas/primitives.ts';
import { type Feature, oncePerApp } from '../feature-context.ts';
import { API_DESCRIPTION, API_VERSION, openApiTags } from '../openapi-tags.ts';

const ASSETS = new URL('../../../web/docs/', import.meta.url);

/** Responses of localnet, written by `npm run examples`. */
const EXAMPLES = new URL('../../../generated/openapi-examples.json', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page loads nothing from other hosts and sends nothing to them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

const page: Operation = {
  operationId: 'getDocs',
  tag: 'operations',
  summary: 'Reference page',
  weight: 1,
  statuses: [500],
  hidden: true,
  headers: ['content-security-policy', CONTENT_SECURITY_POLICY],
};

/** The page is not cached: the router treats `/docs` and `/docs/` as one URL, but one is a redirect. */
const asset: Operation = { ...page, operationId: 'getDocsAsset', dependsOn: [] };

export const getOpenApi: Feature =
  ({ routes, strictStatuses }) =>
  async (app) => {
    app.get(
      '/openapi.json',
      defineOperation(
        {
          operationId: 'getOpenApi',
          tag: 'operations',
          summary: 'OpenAPI document',
          description:
            'This document, created from the schemas that validate requests and responses.',
          weight: 1,
          statuses: [500],
          dependsOn: [],
        },
        { response: OpenObject },
      ),
      async () =>
        createOpenApiDocument(routes, {
          version: API_VERSION,
          description: API_DESCRIPTION,
          tags: openApiTags,
          strictStatuses,
          examples: readExamples(),
        }),
    );
  };

export const getDocs: Feature = (context) => async (app) => {
  const assets = docsAssets(context);
  app.get('/docs', defineOperation(page, { response: Type.Any() }), async (request, reply) => {
    // Relative addresses in the page need the slash, also behind a path prefix.
    const [path = ''] = request.originalUrl.split('?');
    if (!path.endsWith('/')) return reply.redirect('docs/', 308);
    return sendAsset(assets.get('index.html'), reply);
  });
};

export const getDocsAsset: Feature = (context) => async (app) => {
  const assets = docsAssets(context);
  app.get(
    '/docs/:asset',
    defineOperation(asset, { params: Type.Object({ asset: Type.String() }), response: Type.Any() }),
    async (request, reply) => sendAsset(assets.get(request.params.asset), reply),
  );
};

const readExamples = (): Readonly<Record<string, OperationExample>> =>
  JSON.parse(readFileSync(EXAMPLES, 'utf8'));

type Asset = { readonly mediaType: string; readonly body: Buffer };

const docsAssets = oncePerApp(readAssets);

function sendAsset(
  found: Asset | undefined,
  reply: { type: (mediaType: string) => unknown },
): Buffer {
  if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
  reply.type(found.mediaType);
  return found.body;
}

function readAssets(): Map<string, Asset> {
  const names = readdirSync(ASSETS).filter((name) => mediaTypes[extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const mediaType = mediaTypes[extname(name)] ?? '';
      return [name, { mediaType, body: readFileSync(new URL(name, ASSETS)) }];
    }),
  );
}
