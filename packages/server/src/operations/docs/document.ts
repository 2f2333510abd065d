import { readFileSync } from 'node:fs';
import {
  createOpenApiDocument,
  type DocumentedRoute,
  type OperationExample,
} from '../../http/openapi-document.ts';
import { API_DESCRIPTION, API_VERSION, openApiTags } from '../openapi-tags.ts';
import { type OperationContext, oncePerApp } from '../operation-context.ts';
import { listPathAliases } from '../path-aliases.ts';

/** Requests and responses of localnet, written by `npm run examples`. */
const EXAMPLES = new URL('../../../generated/openapi-examples.json', import.meta.url);

export type Json = Readonly<Record<string, unknown>>;

export type DocumentedParameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
  readonly example?: string;
};

type Media = { readonly schema: Json; readonly example?: unknown };

type DocumentedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, Media>> }
    >
  >;
  readonly 'x-rate-weight': number;
  /** Further paths that are answered by the same operation. */
  readonly 'x-aliases'?: readonly string[];
};

export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

/** Created when it is requested: all routes are known then, and nothing of it stays in memory. */
export const createDocument = ({
  routes,
  strictStatuses,
  aliases,
}: OperationContext): ApiDocument =>
  createOpenApiDocument(routes, {
    version: API_VERSION,
    description: API_DESCRIPTION,
    tags: openApiTags,
    strictStatuses,
    aliasesOf: (path) => listPathAliases(aliases, path),
    examples: readExamples(),
  }) as unknown as ApiDocument;

/** Pages are often read one after another. */
const SHARED_MS = 10_000;

type SharedDocument = { value: ApiDocument | undefined; expiry: NodeJS.Timeout | undefined };

const sharedDocuments = oncePerApp((): SharedDocument => ({ value: undefined, expiry: undefined }));

/** The document of the last call, or a new one. It stays in memory until some seconds after the last call. */
export function shareDocument(context: OperationContext): ApiDocument {
  const shared = sharedDocuments(context);
  const value = shared.value ?? createDocument(context);
  shared.value = value;
  clearTimeout(shared.expiry);
  shared.expiry = setTimeout(() => {
    shared.value = undefined;
  }, SHARED_MS).unref();
  return value;
}

const readExamples = (): Readonly<Record<string, OperationExample>> =>
  JSON.parse(readFileSync(EXAMPLES, 'utf8'));

/** An operation with its method and path. */
export type ListedOperation = DocumentedOperation & {
  readonly method: string;
  readonly path: string;
};

export const listOperations = ({ paths }: ApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );

export type OperationGroup = {
  readonly title: string;
  readonly operations: readonly DocumentedRoute[];
};

/** Operations by their tag, in the order of the tags. */
export const groupRoutes = (routes: readonly DocumentedRoute[]): OperationGroup[] =>
  openApiTags.map(({ name, description }) => ({
    title: description,
    operations: routes.filter(({ operation }) => operation.tag === name),
  }));
