import { compareResponses, type JsonResponse } from '../day-one/compare-responses.ts';
import {
  listOperationRequests,
  type OpenApi,
  type OperationRequest,
  type Subject,
} from '../day-one/operation-requests.ts';
import { createKeepAliveClient } from '../fuzz/keep-alive-client.ts';

/** Requests at the same time. */
const PARALLEL = 16;

/** A server that followed the cluster, and one that has just read it. */
export type ComparedServers = { readonly followed: string; readonly fresh: string };

/** Paths whose answers differ, or are no success. */
export async function findDifferences(
  { followed, fresh }: ComparedServers,
  paths: readonly string[],
): Promise<readonly string[]> {
  const clients = [followed, fresh].map((url) => createKeepAliveClient(url, PARALLEL));
  const wrong: string[] = [];
  const left = [...paths];
  const work = async () => {
    for (let target = left.pop(); target !== undefined; target = left.pop()) {
      const sent = { method: 'GET', target, headers: {}, body: undefined };
      const responses = await Promise.all(clients.map(({ send }) => send(sent)));
      const texts = responses.map(({ status, text }) => `${status} ${text}`);
      const isRight = texts.every((text) => text.startsWith('200 ') && text === texts[0]);
      if (!isRight) wrong.push(`${target}: ${aroundDifference(texts)}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  for (const { close } of clients) close();
  return wrong;
}

/** What depends on recorded history. Tokens are ordered by a figure of the last minute; epochs are those of the node. */
const LEFT_OUT =
  /History|Transactions|Pnl|Interest|Fills|Queued|RecentEvents|StakingYields|^(listEpochs|listTokens)$/;

/** Operations about the present whose answers differ, except for figures that one server says it estimates. */
export async function findOperationDifferences(
  servers: ComparedServers,
  subjects: readonly Subject[],
): Promise<readonly string[]> {
  const { body: document } = await request(servers.fresh, { path: '/openapi.json' });
  const operations = subjects
    .flatMap((subject) => listOperationRequests(document as OpenApi, subject))
    .filter(({ operationId }) => !LEFT_OUT.test(operationId));
  const wrong: string[] = [];
  for (const operation of operations) {
    const [followed, fresh] = await Promise.all([
      request(servers.followed, operation),
      request(servers.fresh, operation),
    ]);
    if (compareResponses(followed, fresh) !== undefined) continue;
    const texts = [followed, fresh].map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
    wrong.push(`${operation.operationId} ${operation.path}: ${aroundDifference(texts)}`);
  }
  return wrong;
}

type Request = Pick<OperationRequest, 'path' | 'body'>;

async function request(url: string, { path, body }: Request): Promise<JsonResponse> {
  const response = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  // links contain the address of the server
  const text = (await response.text()).replaceAll(url, 'http://server');
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const { status, headers } = response;
  return { status, body: isJson ? (JSON.parse(text) as unknown) : text, headers };
}

/** The first difference of two texts, with what stands around it. */
function aroundDifference([a = '', b = '']: readonly string[]): string {
  const at = Array.from(a).findIndex((character, i) => character !== b[i]);
  return [a, b].map((text) => text.slice(Math.max(0, at - 80), at + 80)).join(' | ');
}
