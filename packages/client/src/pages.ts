import type { Client } from './client.ts';
import type { Operations } from './generated/operations.ts';
import type {
  CallArguments,
  OperationName,
  ResponseOf,
  UntypedParameters,
} from './requests/operation-types.ts';
import { failure, localError, type Result } from './requests/result.ts';

type Page<Item> = {
  readonly result: readonly Item[];
  readonly paginationToken?: string | null;
};

/** Operations that return a list in pages. */
export type PagedOperation = {
  [Name in OperationName]: Operations[Name]['response'] extends Page<unknown> ? Name : never;
}[OperationName];

export type PageItemOf<Name extends PagedOperation> =
  ResponseOf<Name> extends Page<infer Item> ? Item : never;

/**
 * The pages of a list, one call each. A call that fails is the last result: no page is left out silently. Begins with the
 * page of `paginationToken`, if there is one.
 */
export async function* readPages<Name extends PagedOperation>(
  client: Client,
  operation: Name,
  ...[first]: CallArguments<Name>
): AsyncGenerator<Result<ResponseOf<Name>>, void, undefined> {
  const seen = new Set<string>();
  let parameters: UntypedParameters = { ...first };
  for (;;) {
    // the type of a call with another token is that of the first
    const result = await client.request(operation, ...([parameters] as CallArguments<Name>));
    yield result;
    if (!result.ok) return;
    const { paginationToken: token } = result.data as Page<unknown>;
    if (token === undefined || token === null || token === '') return;
    if (seen.has(token)) {
      yield failure(localError('loop', `The server returned the page ${token} twice.`));
      return;
    }
    seen.add(token);
    parameters = withToken(operation, parameters, token);
  }
}

/** All items of a list, or the error of the first page that fails. */
export async function readAllPages<Name extends PagedOperation>(
  client: Client,
  operation: Name,
  ...parameters: CallArguments<Name>
): Promise<Result<readonly PageItemOf<Name>[]>> {
  const items: PageItemOf<Name>[] = [];
  let last: Result<ResponseOf<Name>> | undefined;
  for await (const page of readPages(client, operation, ...parameters)) {
    if (!page.ok) return page;
    items.push(...(page.data as Page<PageItemOf<Name>>).result);
    last = page;
  }
  if (last?.ok !== true) return failure(localError('malformed', 'The list has no page.'));
  return { ...last, data: items };
}

/** A read has the token in its query, a search in its body. */
function withToken(
  operation: string,
  { query, body, ...others }: UntypedParameters,
  paginationToken: string,
): UntypedParameters {
  if (operation.startsWith('GET ')) return { ...others, query: { ...query, paginationToken } };
  const fields = typeof body === 'object' && body !== null ? body : {};
  return { ...others, ...(query && { query }), body: { ...fields, paginationToken } };
}
