import type { Static, TSchema } from 'typebox';
import { CodedError } from '../../errors.ts';
import { validatorOf } from '../../http/schemas/compiled-schemas.ts';
import type { ApiClient, ApiReply, PostPath } from './api-client.ts';
import { type AnswerFreshness, oldestOf } from './freshness.ts';

/** Reads of one tool call, with the freshness and the notes of all of them. */
export type ApiReading = {
  readonly get: <Schema extends TSchema>(schema: Schema, path: string) => Promise<Static<Schema>>;
  readonly post: <Schema extends TSchema>(
    schema: Schema,
    request: { readonly path: PostPath; readonly body: object; readonly query?: string },
  ) => Promise<Static<Schema>>;
  /** Like `get`; undefined if the server answers 404, or 400 because the address is of another kind. */
  readonly find: <Schema extends TSchema>(
    schema: Schema,
    path: string,
  ) => Promise<Static<Schema> | undefined>;
  readonly freshness: () => AnswerFreshness | undefined;
  readonly notes: () => readonly string[];
};

export function startReading(api: ApiClient): ApiReading {
  const fresh: AnswerFreshness[] = [];
  const notes = new Set<string>();
  const accept = <Schema extends TSchema>(schema: Schema, path: string, reply: ApiReply) => {
    if (reply.freshness !== undefined) fresh.push(reply.freshness);
    for (const note of reply.notes) notes.add(note);
    return checked(schema, path, reply.body);
  };
  const get = async <Schema extends TSchema>(schema: Schema, path: string) =>
    accept(schema, path, await api.get(path));
  return {
    get,
    post: async (schema, { path, body, query }) =>
      accept(schema, path, await api.post(path, body, query)),
    find: async (schema, path) => {
      try {
        return await get(schema, path);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    freshness: () => oldestOf(fresh),
    notes: () => [...notes],
  };
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof CodedError) || error.code !== 'API_REFUSES') return false;
  const { context } = error;
  return 'status' in context && (context.status === 404 || context.status === 400);
}

/** The part of a body that the tools use, checked. Other servers of the same API may answer differently. */
function checked<Schema extends TSchema>(
  schema: Schema,
  path: string,
  body: unknown,
): Static<Schema> {
  if (validatorOf(schema).Check(body)) return body as Static<Schema>;
  const [what = ''] = path.split('?');
  const reason = 'it does not have the documented form. Is the server a Tidegate of this version?';
  throw new CodedError('MALFORMED_DATA', { what: `answer of ${what}`, reason });
}
