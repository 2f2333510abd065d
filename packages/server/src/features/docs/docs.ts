import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { type Feature, oncePerApp } from '../feature-context.ts';
import { docsOperation, HTML } from './docs-operation.ts';
import { renderOverview } from './overview.ts';

const ASSETS = new URL('../../../web/docs/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Pages are not cached: the router treats `/docs` and `/docs/` as one URL, but one is a redirect. */
export const getDocs: Feature = (context) => async (app) => {
  const operation = docsOperation('getDocs', 'Documentation');
  app.get('/docs', defineOperation(operation, { response: Type.Any() }), async (request, reply) => {
    // Relative addresses in the page need the slash, also behind a path prefix.
    const [path = ''] = request.originalUrl.split('?');
    if (!path.endsWith('/')) return reply.redirect('docs/', 308);
    reply.type(HTML);
    return renderOverview(context);
  });
};

export const getDocsAsset: Feature = (context) => async (app) => {
  const assets = docsAssets(context);
  const operation = { ...docsOperation('getDocsAsset', 'Files of the pages'), dependsOn: [] };
  app.get(
    '/docs/:asset',
    defineOperation(operation, {
      params: Type.Object({ asset: Type.String() }),
      response: Type.Any(),
    }),
    async (request, reply) => {
      const found = assets.get(request.params.asset);
      if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      reply.type(found.mediaType);
      return found.body;
    },
  );
};

type Asset = { readonly mediaType: string; readonly body: Buffer };

const docsAssets = oncePerApp((): Map<string, Asset> => {
  const names = readdirSync(ASSETS).filter((name) => mediaTypes[extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const mediaType = mediaTypes[extname(name)] ?? '';
      return [name, { mediaType, body: readFileSync(new URL(name, ASSETS)) }];
    }),
  );
});
