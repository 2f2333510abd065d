import { Type } from 'typebox';
import type { EventsQuery } from '../../history/queries/event-pages.ts';
import { describe } from '../../http/schemas/describe.ts';
import { parsePageToken } from '../events/event-page-token.ts';
import { PageToken } from '../events/event-query-schema.ts';

type Sort = 'asc' | 'desc';

export const SortString = (defaultSort: Sort) =>
  Type.Unsafe<Sort>({ type: 'string', enum: ['asc', 'desc'], default: defaultSort });

export const DEFAULT_PAGE_LIMIT = 100;

export const pageParameters = {
  limit: describe(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_PAGE_LIMIT })),
    'Transactions per page',
  ),
  paginationToken: PageToken,
};

export function parsePageParameters(
  sort: Sort,
  paginationToken: string | undefined,
): Pick<EventsQuery<'farmEvent'>, 'order' | 'after'> {
  const after = parsePageToken(paginationToken, 'INVALID_QUERY');
  const order = sort === 'asc' ? 'oldest first' : 'newest first';
  return { order, ...(after === undefined ? {} : { after }) };
}
