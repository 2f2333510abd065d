import type { DocumentedRoute } from '../../http/openapi-document.ts';
import type { ApiDocument, Json, ListedOperation } from './document.ts';
import { groupRoutes, listOperations } from './document.ts';
import type { Guide, GuideSection } from './guides.ts';
import { listSchemaFields, type SchemaField } from './schema-fields.ts';

type SearchEntry = {
  /** `guide`, `term` for a setting, an error or another code, or the method of an operation. */
  readonly kind: string;
  /** Of a term: its codes, with commas between them. */
  readonly title: string;
  /** Where it belongs: a guide or a group of operations. */
  readonly context: string;
  /** Relative to `/docs/`. */
  readonly url: string;
  readonly text: string;
  /** Exact names of an operation: its paths and its id. */
  readonly keys?: readonly string[];
  /** Positions in `fields`. */
  readonly fields?: readonly number[];
};

type SearchIndex = {
  /** Name and description. Many operations share them. */
  readonly fields: readonly (readonly [string, string])[];
  readonly entries: readonly SearchEntry[];
};

type Sources = {
  readonly document: ApiDocument;
  readonly routes: readonly DocumentedRoute[];
  readonly guides: readonly Guide[];
  readonly sections: readonly GuideSection[];
};

/** Its sections have nothing that the operations do not have. */
const LIST_OF_OPERATIONS = 'endpoints';

/** Guides that define codes. Others use them. */
const REFERENCES = /^guide\/(settings|errors|program-errors)#/;

/** The text of all guides and operations, with the fields of requests and answers. */
export function createSearchIndex({ document, routes, guides, sections }: Sources): SearchIndex {
  const fields = new FieldList();
  const groupOf = new Map(
    groupRoutes(routes).flatMap(({ title, operations }) =>
      operations.map(({ operation }) => [operation.operationId, title] as const),
    ),
  );
  const operations = listOperations(document).map((operation): SearchEntry => {
    const { operationId, method, path, summary, description = '' } = operation;
    const { 'x-aliases': aliases = [] } = operation;
    return {
      kind: method,
      title: summary,
      context: groupOf.get(operationId) ?? '',
      url: `operations/${operationId}`,
      text: `${operationId} ${method.toUpperCase()} ${path} ${description}`,
      keys: [operationId, path, ...aliases],
      fields: fieldsOf(document, operation).map((field) => fields.add(field)),
    };
  });
  const titles = new Map(guides.map(({ name, title }) => [name, title]));
  const pages = sections
    .filter(({ guide, id }) => titles.has(guide) && !(guide === LIST_OF_OPERATIONS && id !== ''))
    .map(({ guide, id, title, text, isTerm, heading }): SearchEntry => {
      const guideTitle = titles.get(guide) ?? '';
      const url = `guide/${guide}${id && `#${id}`}`;
      if (!isTerm) {
        return { kind: 'guide', title, context: id === '' ? 'Guide' : guideTitle, url, text };
      }
      const context = heading === undefined ? guideTitle : `${guideTitle}: ${heading}`;
      return { kind: 'term', title, context, url, text };
    });
  const isReference = ({ url }: SearchEntry) => REFERENCES.test(url);
  const others = pages.filter((page) => !isReference(page));
  return { fields: fields.list, entries: [...pages.filter(isReference), ...others, ...operations] };
}

class FieldList {
  readonly list: (readonly [string, string])[] = [];
  readonly #positions = new Map<string, number>();

  add({ name, description }: NamedField): number {
    const key = `${name} ${description}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.list.length);
    return this.list.push([name, description]) - 1;
  }
}

type NamedField = Pick<SchemaField, 'name' | 'description'>;

function fieldsOf(document: ApiDocument, operation: ListedOperation): NamedField[] {
  const { parameters = [], requestBody, responses } = operation;
  const schemas: readonly Json[] = [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses['200']?.content ?? {}),
  ].map(({ schema }) => schema);
  const all = [
    ...parameters.map(({ name, description = '' }) => ({ name, description })),
    ...schemas.flatMap((schema) => listSchemaFields(document, schema)),
  ];
  return [...new Map(all.map((field) => [`${field.name} ${field.description}`, field])).values()];
}
