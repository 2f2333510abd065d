/** A text in quotes, or one of the marks that JSON is built with. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** An object or an array that is not closed yet, with the keys of the object so far. */
type Open = { readonly keys: Set<string> | undefined };

/**
 * Keys that an object of a JSON text has more than once, whatever they are escaped like. Readers differ in which of
 * the values they take, so that nobody can say what was meant. The text must be JSON.
 */
export function findRepeatedJsonKeys(json: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Open[] = [];
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
