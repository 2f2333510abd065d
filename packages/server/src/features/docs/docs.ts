import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError } from '@tidegate/core/base';
import { Type } from 'typebox';
import { createOpenApiDocument, type DocumentedRoute } from '../../http/openapi-document.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { OpenObject } from '../../http/schemas/primitives.ts';

type DocsParts = {
  readonly version: string;
  /** All routes of the server; complete once it is ready. */
  readonly routes: readonly DocumentedRoute[];
};

const ASSETS = new URL('../../../web/docs/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing of the page may come from, or go to, another host. */
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

/** The page itself is not kept: with and without the slash it is one request, and two answers. */
const asset: Operation = { ...page, operationId: 'getDocsAsset', keptWhile: () => 1 };

/** The OpenAPI document and the reference page that reads it. */
export const docsRoutes =
  ({ version, routes }: DocsParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/openapi.json',
      defineOperation(
        {
          operationId: 'getOpenApi',
          tag: 'operations',
          summary: 'This document',
          weight: 1,
          statuses: [500],
          keptWhile: () => 1,
        },
        { answer: OpenObject },
      ),
      async () => createOpenApiDocument(routes, version),
    );

    const assets = readAssets();

    app.get('/docs', defineOperation(page, { answer: Type.Any() }), async (request, reply) => {
      // Relative addresses in the page need the slash, also behind a path prefix.
      const [path = ''] = request.originalUrl.split('?');
      if (!path.endsWith('/')) return reply.redirect('docs/', 308);
      return sendAsset(assets.get('index.html'), reply);
    });

    app.get(
      '/docs/:asset',
      defineOperation(asset, { params: Type.Object({ asset: Type.String() }), answer: Type.Any() }),
      async (request, reply) => sendAsset(assets.get(request.params.asset), reply),
    );
  };

type Asset = { readonly mediaType: string; readonly body: Buffer };

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
