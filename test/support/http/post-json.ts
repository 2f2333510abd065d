import { type JsonResponse, type RunningApi, readJson } from './test-api.ts';

/** Returns a function that posts JSON to a server. */
export const jsonPoster =
  ({ url }: Pick<RunningApi, 'url'>) =>
  async (path: string, body: unknown): Promise<JsonResponse> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return readJson(await fetch(`${url}${path}`, init));
  };
