/** A string, or a structural character of JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** An open object with its keys so far, or an open array. */
type Container = { readonly keys: Set<string> | undefined };

/**
 * Finds keys that occur more than once in an object, also if they are escaped differently. Parsers disagree on which
 * value wins, so such a body is ambiguous. `json` must be valid JSON.
 */
export function findRepeatedJsonKeys(json: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Container[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push({ keys: new Set() });
    else if (token === '[') open.push({ keys: undefined });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') addKey(String(JSON.parse(text)), open.at(-1)?.keys, repeated);
    else text = token;
  }
  return [...repeated];
}

function addKey(key: string, keys: Set<string> | undefined, repeated: Set<string>): void {
  if (keys?.has(key)) repeated.add(key);
  keys?.add(key);
}
