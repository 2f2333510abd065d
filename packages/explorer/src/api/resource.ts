import type { ApiError, OperationName, ResponseOf } from '@tidegate/client';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type Freshness, keepEstimates } from './freshness.ts';
import { EMPTY_STATE, pollerOf } from './poller.ts';
import { type ApiRequest, keyOf, type RequestParameters } from './server.ts';

/** Data of the API as a block sees it. Data stays when a later request fails. */
export type Resource<Data> = {
  readonly data: Data | undefined;
  /** Of each response that the data is from. */
  readonly freshness: readonly Freshness[];
  readonly error: ApiError | undefined;
  readonly reload: () => void;
};

/** `pollMs`: 0 requests once. */
export type ResourceOptions = { readonly pollMs: number };

/** The data of several requests of one operation, in their order. */
export function useResources<Name extends OperationName>(
  requests: readonly ApiRequest<Name>[],
  { pollMs }: ResourceOptions,
): Resource<ResponseOf<Name>>[] {
  const key = requests.map(keyOf).join('\n');
  // the key has all of the requests
  const current = useMemo(() => requests.map(pollerOf), [key]);
  // before the paint, which would delay the request
  useLayoutEffect(() => {
    const ends = current.map((poller) => poller.subscribe(pollMs));
    return () => {
      for (const end of ends) end();
    };
  }, [current, pollMs]);
  return current.map((poller) => ({ ...poller.state.value, reload: poller.reload })) as Resource<
    ResponseOf<Name>
  >[];
}

const nothing: Resource<never> = { ...EMPTY_STATE, data: undefined, reload: () => undefined };

/** The data of one request. Requests nothing while `request` is undefined. */
export function useResource<Name extends OperationName>(
  request: ApiRequest<Name> | undefined,
  options: ResourceOptions,
): Resource<ResponseOf<Name>> {
  const [resource] = useResources(request === undefined ? [] : [request], options);
  return resource ?? nothing;
}

/**
 * Several resources as one. It has data when each has settled and one has data; the others are undefined in the list, so
 * that one failure does not hide the rest.
 */
export function combineResources<Data>(
  resources: readonly Resource<Data>[],
): Resource<readonly (Data | undefined)[]> {
  const isSettled = resources.every(({ data, error }) => data !== undefined || error !== undefined);
  const hasData = resources.length === 0 || resources.some(({ data }) => data !== undefined);
  return {
    data: isSettled && hasData ? resources.map(({ data }) => data) : undefined,
    freshness: resources.flatMap(({ freshness }) => freshness),
    error: resources.find(({ error }) => error !== undefined)?.error,
    reload: () => {
      for (const { error, reload } of resources) if (error !== undefined) reload();
    },
  };
}

/** A value computed from the data of a resource. */
export function mapResource<From, To>(
  resource: Resource<From>,
  map: (data: From) => To,
): Resource<To> {
  const { data } = resource;
  return { ...resource, data: data === undefined ? undefined : map(data) };
}

/** For a list that a block can do without: if it cannot be read, the rest is shown. */
export const orEmpty = <Item>(resource: Resource<readonly Item[]>): Resource<readonly Item[]> =>
  resource.data === undefined && resource.error !== undefined
    ? { ...resource, data: [], error: undefined }
    : resource;

/** For a block that shows neither the past nor the estimated fields of a resource. */
export const withoutPast = <Data>(resource: Resource<Data>): Resource<Data> => ({
  ...resource,
  freshness: resource.freshness.map((each) => ({ ...each, gaps: [], estimated: [] })),
});

/** For a block that shows only some of the fields of a resource that can be estimated. */
export const withEstimates = <Data>(
  resource: Resource<Data>,
  shown: readonly string[],
): Resource<Data> => ({
  ...resource,
  freshness: resource.freshness.map((each) => keepEstimates(each, shown)),
});

/** Describes a request, with types by operation. */
export const apiRequest = <Name extends OperationName>(
  operation: Name,
  parameters: RequestParameters<Name> = {},
): ApiRequest<Name> => ({ operation, parameters });
