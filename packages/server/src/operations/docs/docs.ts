import { readdirSync, readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { type OperationPlugin, oncePerApp } from '../operation-context.ts';
import { docsOperation, HTML } from './docs-operation.ts';
import { renderOverview } from './overview.ts';

/** What the reference of an operation does; the frame around it is the explorer's. */
const SCRIPTS = new URL('../../../web/docs/', import.meta.url);
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Pages are not cached: the router treats `/docs` and `/docs/` as one URL, but one is a redirect. */
export const getDocs: OperationPlugin = (context) => async (app) => {
  const operation = docsOperation('getDocs', 'Documentation');
  app.get('/docs', defineOperation(operation, { response: Type.Any() }), async (request, reply) => {
    // Relative addresses in the page need the slash, also behind a path prefix.
    const [path = ''] = request.originalUrl.split('?');
    if (!path.endsWith('/')) return reply.redirect('docs/', 308);
    reply.type(HTML);
    return renderOverview(context);
  });
};

export const getDocsAsset: OperationPlugin = (context) => async (app) => {
  const scripts = readScripts(context);
  const operation = { ...docsOperation('getDocsAsset', 'Files of the pages'), dependsOn: [] };
  app.get(
    '/docs/:asset',
    defineOperation(operation, {
      params: Type.Object({ asset: Type.String() }),
      response: Type.Any(),
    }),
    async (request, reply) => {
      const script = scripts.get(request.params.asset);
      if (script === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      reply.type(JAVASCRIPT);
      return script;
    },
  );
};

const readScripts = oncePerApp(
  (): Map<string, Buffer> =>
    new Map(readdirSync(SCRIPTS).map((name) => [name, readFileSync(new URL(name, SCRIPTS))])),
);
