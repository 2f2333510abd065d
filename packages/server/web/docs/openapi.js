const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const MAX_HOPS = 32;

const parse = async (response, address) => {
  try {
    return await response.json();
  } catch {
    throw new Error(`${address} did not return valid JSON.`);
  }
};

export const loadDocument = async (url) => {
  const address = new URL(url).pathname;
  const response = await fetch(url).catch(() => {
    throw new Error(`No response for ${address}: the server or the network is not reachable.`);
  });
  if (!response.ok) throw new Error(`${address} returned status ${response.status}.`);
  const api = await parse(response, address);
  if (!String(api?.openapi).startsWith('3.') || typeof api.paths !== 'object') {
    throw new Error(`${address} is JSON, but not an OpenAPI 3 document.`);
  }
  return api;
};

const decodePart = (part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

const lookUp = (api, reference) =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .reduce((node, part) => node?.[decodePart(part)], api)
    : undefined;

const follow = (target, { $ref, ...siblings }) => {
  if (typeof target !== 'object') return target;
  const description = target.description ?? siblings.description;
  return { ...target, ...siblings, ...(description && { description }) };
};

/**
 * Follows `$ref`. `name` is the last part of the first reference, `note` the description next to
 * it; `value.description` stays the description of the target.
 */
export const resolve = (api, node) => {
  const reference = node?.$ref;
  if (typeof reference !== 'string') return { value: node };
  const name = decodePart(reference.split('/').at(-1));
  const note = node.description;
  let value = node;
  for (let hops = 0; typeof value?.$ref === 'string'; hops += 1) {
    const target = hops < MAX_HOPS ? lookUp(api, value.$ref) : undefined;
    if (target === undefined) return { value: {}, name, note, missing: true };
    value = follow(target, value);
  }
  return { value, name, note };
};

export const dereference = (api, node) => {
  const { value, note } = resolve(api, node);
  return note ? { ...value, description: note } : value;
};

/** The Markdown description of a node. */
export const descriptionOf = (node) => node?.description ?? node?.['x-notes'];

/** Merges the members of `allOf` and its sibling keywords into one schema. */
export const mergeAllOf = (api, schema, depth = 0) => {
  if (!schema?.allOf || depth > MAX_HOPS) return schema;
  const { allOf, ...siblings } = schema;
  const members = allOf.map((member) => mergeAllOf(api, resolve(api, member).value, depth + 1));
  const all = [...members, siblings].filter((member) => typeof member === 'object');
  const properties = Object.assign({}, ...all.map((member) => member.properties));
  const required = all.flatMap((member) => member.required ?? []);
  return Object.assign({}, ...all, { properties, required });
};

const parametersOf = (api, item, operation) => {
  const byKey = new Map();
  for (const raw of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = dereference(api, raw);
    if (parameter?.name) byKey.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byKey.values()];
};

const fallbackId = (method, path) =>
  `${method}-${path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}`;

const operationOf = (api, item, { path, method }) => {
  const operation = item[method];
  return {
    id: operation.operationId ?? fallbackId(method, path),
    method,
    path,
    tag: operation.tags?.[0],
    summary: operation.summary ?? item.summary,
    description: descriptionOf(operation) ?? descriptionOf(item),
    deprecated: operation.deprecated === true,
    weight: operation['x-rate-weight'],
    parameters: parametersOf(api, item, operation),
    body: operation.requestBody && dereference(api, operation.requestBody),
    isJson: mediaOf(operation.responses?.[200]?.content)?.type.includes('json') ?? true,
    responses: Object.entries(operation.responses ?? {}).map(([status, raw]) => ({
      status,
      ...dereference(api, raw),
    })),
  };
};

export const operationsOf = (api) =>
  Object.entries(api.paths).flatMap(([path, raw]) => {
    const item = dereference(api, raw);
    return METHODS.filter((method) => item[method]).map((method) =>
      operationOf(api, item, { path, method }),
    );
  });

/** The JSON entry of a `content` map, or else the first entry. */
export const mediaOf = (content) => {
  const entries = Object.entries(content ?? {});
  const [type, media] = entries.find(([name]) => name.includes('json')) ?? entries[0] ?? [];
  return type === undefined ? undefined : { type, ...media };
};
