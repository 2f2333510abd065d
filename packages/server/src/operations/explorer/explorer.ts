import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { matchesEtag } from '../../http/cache/etag.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { EXPLORER_ROUTE } from './explorer-files.ts';

/** The name of a file has a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const page: Operation = {
  operationId: 'getExplorerPage',
  tag: 'operations',
  summary: 'Page of the explorer',
  weight: 0,
  statuses: [500],
  hidden: true,
  ignoresMinContextSlot: true,
};

const asset: Operation = {
  operationId: 'getExplorerAsset',
  tag: 'operations',
  summary: 'File of the explorer',
  weight: 0,
  statuses: [500],
  hidden: true,
  ignoresMinContextSlot: true,
};

/** Serves navigation to the pages of the explorer (`Explorer.routeOf`), also while the server starts. */
export const getExplorerPage: OperationPlugin =
  ({ explorer }) =>
  async (app) => {
    app.get(
      EXPLORER_ROUTE,
      defineOperation(
        { ...page, headers: Object.entries(explorer.pageHeaders).flat() },
        { response: Type.Any() },
      ),
      async (request, reply) => {
        const { originalUrl } = request;
        // navigation to a page is rewritten to this route, which is no page itself
        const found = originalUrl === request.url ? undefined : explorer.pageAt(originalUrl);
        if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
        return sendPage(request, reply, found);
      },
    );
  };

/** The ETag is weak: a large page is compressed for the caller. */
function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, html }: NonNullable<ReturnType<OperationContext['explorer']['pageAt']>>,
): FastifyReply {
  reply.headers({ etag: `W/${etag}`, 'cache-control': 'no-cache', vary: 'accept' });
  if (matchesEtag(headers['if-none-match'], [etag])) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(html);
}

export const getExplorerAsset: OperationPlugin =
  ({ explorer }) =>
  async (app) => {
    app.get(
      `${EXPLORER_ROUTE}/:asset`,
      defineOperation(asset, {
        params: Type.Object({ asset: Type.String() }),
        response: Type.Any(),
      }),
      async (request, reply) => {
        const coding = request.headers['accept-encoding'];
        const found = explorer.findAsset(request.params.asset, [coding].flat().join(','));
        if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
        const { encoding } = found;
        reply.header('cache-control', IMMUTABLE);
        if (encoding !== undefined) {
          reply.headers({ 'content-encoding': encoding, vary: 'accept-encoding' });
        }
        return reply.type(found.mediaType).send(found.body);
      },
    );
  };
