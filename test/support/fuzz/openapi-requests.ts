import fc from 'fast-check';
import { bodyOf, parameterValue, type Subject } from '../day-one/operation-requests.ts';
import {
  hostileContentTypes,
  hostileHeaders,
  hostileJson,
  hostileTexts,
  oddEncodings,
} from './hostile-values.ts';
import type { OpenApiDocument, Operation, Parameter } from './openapi-operations.ts';
import { type KnownAddresses, validValues } from './schema-values.ts';

export type FuzzRequest = {
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** What requests are made of. */
export type RequestPool = {
  readonly document: OpenApiDocument;
  /** Addresses that belong together. */
  readonly subjects: readonly Subject[];
  /** In base64. */
  readonly transactions: readonly string[];
  readonly addresses: KnownAddresses;
};

type Headers = FuzzRequest['headers'];

const JSON_BODY: Headers = { 'content-type': 'application/json' };

/** Requests of all operations. Those whose responses are cached are cheap, so they are sent more often. */
export function requestsOfAll(
  operations: readonly Operation[],
  pool: RequestPool,
): fc.Arbitrary<FuzzRequest> {
  const weighted = operations.map((operation) => ({
    weight: operation.statuses.has(304) ? 6 : 1,
    arbitrary: requestsOf(operation, pool),
  }));
  return fc.oneof(...weighted);
}

/** Requests of one operation: as documented, or with something wrong in every part. */
function requestsOf(operation: Operation, pool: RequestPool): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 1, arbitrary: documentedRequests(operation, pool) },
    { weight: 2, arbitrary: mutatedRequests(operation, pool) },
  );
}

function documentedRequests(operation: Operation, pool: RequestPool): fc.Arbitrary<FuzzRequest> {
  const query = inQuery(operation).map((parameter) => {
    const pairs = validValues(parameter.schema, pool).map((value) => pairsOf(parameter, value));
    return parameter.required ? pairs : fc.option(pairs, { nil: [] });
  });
  const parts = {
    subject: fc.constantFrom(...pool.subjects),
    query: fc.tuple(...query),
    method: methodsOf(operation),
    body: documentedBodies(operation, pool),
  };
  return fc.record(parts).map(({ subject, query: pairs, method, body }) => ({
    operation,
    method,
    target: targetOf(pathOf(operation, subject), pairs.flat()),
    headers: operation.body === undefined ? {} : JSON_BODY,
    body: operation.body === undefined ? undefined : JSON.stringify(body(subject)),
  }));
}

function mutatedRequests(operation: Operation, pool: RequestPool): fc.Arbitrary<FuzzRequest> {
  const segment = fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.constantFrom(...pool.addresses.all) },
    { weight: 2, arbitrary: hostileTexts.filter((text) => text !== '').map(encode) },
    { weight: 1, arbitrary: oddEncodings },
  );
  const parts = {
    subject: fc.constantFrom(...pool.subjects),
    segments: fc.array(segment, { minLength: 2, maxLength: 2 }),
    query: fc.tuple(...inQuery(operation).map((parameter) => mutatedPairs(parameter, pool))),
    more: fc.oneof(
      { weight: 4, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: unknownPairs },
    ),
    method: methodsOf(operation),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, hostileHeaders),
    body: mutatedBodies(operation, pool),
  };
  return fc.record(parts).map(({ subject, segments, query, more, method, headers, body }) => ({
    operation,
    method,
    target: targetOf(pathOf(operation, subject, segments), [...query.flat(), ...more]),
    headers: { ...headers, ...body(subject).headers },
    body: body(subject).text,
  }));
}

const methodsOf = ({ method }: Operation): fc.Arbitrary<string> =>
  method === 'POST'
    ? fc.constant('POST')
    : fc.oneof({ weight: 15, arbitrary: fc.constant('GET') }, fc.constant('HEAD'));

const inQuery = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

/** Fills the path; a segment that is given replaces the right one. */
function pathOf(
  { template }: Operation,
  subject: Subject,
  segments: readonly (string | undefined)[] = [],
): string {
  let index = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = segments[index];
    index += 1;
    return given ?? parameterValue(name, template, subject);
  });
}

const targetOf = (path: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;

/** Percent-encodes also what is no valid text. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

const pairsOf = ({ name }: Parameter, value: unknown): string[] =>
  [value].flat().map((each) => `${name}=${encode(String(each))}`);

function mutatedPairs(parameter: Parameter, pool: RequestPool): fc.Arbitrary<string[]> {
  const { name } = parameter;
  const valid = validValues(parameter.schema, pool).map((value) => pairsOf(parameter, value));
  const hostile = hostileTexts.map((text) => [`${name}=${encode(text)}`]);
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([]) },
    { weight: 4, arbitrary: valid },
    { weight: 4, arbitrary: hostile },
    { weight: 1, arbitrary: oddEncodings.map((text) => [`${name}=${text}`]) },
    { weight: 1, arbitrary: fc.tuple(valid, valid).map((lists) => lists.flat()) },
    { weight: 1, arbitrary: fc.constantFrom<string[]>([name], [`${name}[]=1`], [`${name}[a]=1`]) },
  );
}

const unknownPairs: fc.Arbitrary<string[]> = fc.oneof(
  fc.constantFrom(
    ['__proto__=1'],
    ['__proto__[admin]=1'],
    ['constructor.prototype.a=1'],
    ['a=1', 'a=2', 'a=3'],
    ['&&', '=', '=&'],
    ['?'],
    ['minContextSlot=x'],
    ['minContextSlot=1'],
    ['minContextSlot=-1', 'minContextSlot=2'],
    ['_=1700000000000'],
    Array.from({ length: 400 }, (_, i) => `p${i}=`),
  ),
  fc.tuple(hostileTexts, hostileTexts).map(([name, text]) => [`${encode(name)}=${encode(text)}`]),
);

/** The body of a subject in place of generated values most of the time, since few generated builds can succeed. */
function documentedBodies(
  { id, body }: Operation,
  pool: RequestPool,
): fc.Arbitrary<(subject: Subject) => unknown> {
  if (body === undefined) return fc.constant(() => undefined);
  const generated = validValues(body, pool).map((value) => () => value);
  if (id === 'decodeTransaction') {
    return fc.constantFrom(...pool.transactions).map((transaction) => () => ({ transaction }));
  }
  const ofSubject = fc.constant((subject: Subject) => bodyOf(id, subject));
  const merged = validValues(body, pool).map((value) => (subject: Subject) => ({
    ...Object(value),
    ...Object(bodyOf(id, subject)),
  }));
  return fc.oneof(generated, ofSubject, merged);
}

type SentBody = { readonly text: string | undefined; readonly headers: Headers };

function mutatedBodies(
  operation: Operation,
  pool: RequestPool,
): fc.Arbitrary<(subject: Subject) => SentBody> {
  if (operation.body === undefined) {
    return fc.constant(() => ({ text: undefined, headers: {} }));
  }
  const documented = documentedBodies(operation, pool);
  const sent = (headers: Headers, text: string): SentBody => ({ text, headers });
  const changed = fc.tuple(documented, fc.nat(), hostileJson).map(
    ([body, at, value]) =>
      (subject: Subject) =>
        sent(JSON_BODY, JSON.stringify(replaceField(body(subject), at, value))),
  );
  const whole = hostileJson.map((value) => () => sent(JSON_BODY, JSON.stringify(value)));
  const typed = fc.tuple(documented, hostileContentTypes).map(
    ([body, headers]) =>
      (subject: Subject) =>
        sent(headers, JSON.stringify(body(subject))),
  );
  const malformed = malformedJson.map((text) => () => sent(JSON_BODY, text));
  const plain = documented.map(
    (body) => (subject: Subject) => sent(JSON_BODY, JSON.stringify(body(subject))),
  );
  return fc.oneof(
    { weight: 4, arbitrary: changed },
    { weight: 2, arbitrary: plain },
    { weight: 1, arbitrary: whole },
    { weight: 1, arbitrary: typed },
    { weight: 1, arbitrary: malformed },
  );
}

const malformedJson: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '{',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  '\ufeff{"a":1}',
  '{"a":\ud800}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"wallet":"a","wallet":"b"}',
  '{"wallet":"a","\\u0077allet":"b"}',
  '['.repeat(20_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`,
  `{"amount":${'9'.repeat(50_000)}}`,
  `{"amount":"${'9'.repeat(60_000)}"}`,
  `{"${'a'.repeat(66_000)}":1}`,
  'NaN',
  "{'a':1}",
  '\0\0\0\0',
);

function replaceField(body: unknown, at: number, value: unknown): unknown {
  const keys = Object.keys(Object(body));
  const key = keys[at % Math.max(1, keys.length)] ?? 'amount';
  return { ...Object(body), [key]: value };
}
