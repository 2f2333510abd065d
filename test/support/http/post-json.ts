import { type JsonResponse, type RunningApi, readJson } from './test-api.ts';

/** Of a server: the answer to a body, which is sent as JSON. */
export const jsonPoster =
  ({ url }: Pick<RunningApi, 'url'>) =>
  async (path: string, body: unknown): Promise<JsonResponse> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}${path}`, init));
  };
