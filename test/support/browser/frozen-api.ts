import type { Page } from 'playwright-core';

export type FrozenApi = {
  /** The answer that the page has of a path, or a new one if the page did not request it. */
  readonly get: (path: string) => Promise<Json>;
  /** All answers that the page has of a path, with any query. */
  readonly all: (path: string) => Promise<Json[]>;
};

/** Part of an answer; reading what it lacks gives a part that is NaN as a number. */
export type Json = {
  readonly at: (...keys: readonly (string | number)[]) => Json;
  readonly items: readonly Json[];
  /** Values of an object. */
  readonly children: readonly Json[];
  readonly number: number;
  readonly text: string;
};

/** Requests that a page navigates or loads itself with, and not data. */
const FILES = /^\/($|explorer\/|favicon)/;

/**
 * Answers each request of the page for the API once from the server and then with the same answer again. State moves with
 * each slot, so this is how a test computes figures from the same state as the page.
 */
export async function freezeApi(page: Page, url: string): Promise<FrozenApi> {
  const answers = new Map<string, Promise<Answer>>();
  const answerOf = (target: string, read: () => Promise<Answer>): Promise<Answer> => {
    const known = answers.get(target) ?? read();
    answers.set(target, known);
    return known;
  };
  await page.route(`${url}/**`, async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const isData = request.resourceType() === 'fetch' && request.method() === 'GET';
    if (!isData || FILES.test(pathname)) return route.continue();
    const answer = await answerOf(`${pathname}${search}`, () => readAnswer(request.url()));
    return route.fulfill(answer);
  });
  const known = (path: string): string[] =>
    [...answers.keys()].filter((each) => each === path || each.startsWith(`${path}?`));
  const get = async (target: string): Promise<Json> => {
    const answer = await answerOf(target, () => readAnswer(`${url}${target}`));
    return toJson(JSON.parse(answer.body));
  };
  return {
    get: (path) => get(known(path)[0] ?? path),
    all: (path) => Promise.all(known(path).map(get)),
  };
}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

async function readAnswer(target: string): Promise<Answer> {
  const response = await fetch(target, { headers: { accept: 'application/json' } });
  const {
    'content-encoding': _,
    'content-length': __,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

function toJson(value: unknown): Json {
  return {
    at: (...keys) => toJson(keys.reduce(childOf, value)),
    items: Array.isArray(value) ? value.map(toJson) : [],
    children: typeof value === 'object' && value !== null ? Object.values(value).map(toJson) : [],
    number: value === null || value === undefined ? Number.NaN : Number(value),
    text: String(value),
  };
}

/** A negative index counts from the end. */
function childOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value) && typeof key === 'number') return value.at(key);
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
