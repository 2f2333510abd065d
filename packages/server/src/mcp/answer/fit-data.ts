import { cleanText } from '@tidegate/core/base';
import type { AnswerData, JsonValue } from './answer.ts';

/** Longer texts in data are cut; only `exact` values of an answer are longer. */
const MAX_TEXT_LENGTH = 600;

/** Elements that were left off, by the path of their list. */
type LeftOff = Readonly<Record<string, number>>;

type Fitted = { readonly data: AnswerData; readonly leftOff: LeftOff };

/**
 * Data as JSON of at most `maxLength` characters: the longest list is halved until it fits. Data without lists that is too
 * long is left off as a whole, which the empty path counts.
 */
export function fitData(data: AnswerData, maxLength: number): Fitted {
  let fitted = cleanObject(data);
  const leftOff: Record<string, number> = {};
  for (let size = lengthOf(fitted); size > maxLength; size = lengthOf(fitted)) {
    const longest = longestList(fitted, []);
    if (longest === undefined) {
      return { data: {}, leftOff: { ...leftOff, '': Object.keys(fitted).length } };
    }
    const { path, list } = longest;
    const remaining = list.slice(0, Math.floor(list.length / 2));
    const name = path.join('.');
    leftOff[name] = (leftOff[name] ?? 0) + list.length - remaining.length;
    fitted = replaceAt(fitted, path, remaining);
  }
  return { data: fitted, leftOff };
}

export const lengthOf = (value: JsonValue): number => JSON.stringify(value).length;

type FoundList = { readonly path: readonly string[]; readonly list: readonly JsonValue[] };

/** The list with the longest JSON, outer lists before those within them. Undefined if all are empty. */
function longestList(value: JsonValue, path: readonly string[]): FoundList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = isList(value) && value.length > 0 ? [{ path, list: value }] : [];
  const inner = Object.entries(value).flatMap(
    ([name, each]) => longestList(each, [...path, name]) ?? [],
  );
  return [...own, ...inner].reduce<FoundList | undefined>(
    (longest, each) =>
      longest === undefined || lengthOf(each.list) > lengthOf(longest.list) ? each : longest,
    undefined,
  );
}

function replaceAt(root: AnswerData, path: readonly string[], list: JsonValue): AnswerData {
  const [name = '', ...rest] = path;
  return { ...root, [name]: replaceIn(root[name] ?? null, rest, list) };
}

function replaceIn(value: JsonValue, path: readonly string[], list: JsonValue): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return list;
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    return value.map((each, index) =>
      String(index) === name ? replaceIn(each, rest, list) : each,
    );
  }
  return replaceAt(value, path, list);
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Every text on one line, without anything invisible, and of limited length. */
function cleanObject(data: AnswerData): AnswerData {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [cleanText(name, 80), cleanValue(value)]),
  );
}

function cleanValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanText(value, MAX_TEXT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(cleanValue) : cleanObject(value);
}
