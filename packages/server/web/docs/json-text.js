const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const COLON = /\s*:/y;

const isKey = (source, end) => {
  COLON.lastIndex = end;
  return COLON.test(source);
};

const kindOf = (source, token, end) => {
  if (!token.startsWith('"')) return 'literal';
  return isKey(source, end) ? 'key' : 'string';
};

/**
 * Indents JSON without reading its values, so that large integers and trailing zeros stay as they
 * were sent. Yields `[kind, text]` pieces.
 */
export function* indentedJson(source) {
  let depth = 0;
  let fresh = false;
  const newline = () => `\n${'  '.repeat(depth)}`;
  for (const match of source.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '}' || token === ']') {
      depth -= 1;
      yield ['plain', fresh ? token : newline() + token];
      fresh = false;
    } else if (token === ',') {
      yield ['plain', `,${newline()}`];
    } else if (token === ':') {
      yield ['plain', ': '];
    } else {
      if (fresh) yield ['plain', newline()];
      fresh = token === '{' || token === '[';
      if (fresh) depth += 1;
      yield [fresh ? 'plain' : kindOf(source, token, match.index + token.length), token];
    }
  }
}

/** Pieces up to `limit` characters, and whether anything was left off. */
export const takePieces = (pieces, limit) => {
  const taken = [];
  let length = 0;
  for (const [kind, text] of pieces) {
    if (length + text.length > limit) {
      taken.push([kind, text.slice(0, limit - length)]);
      return { taken, cut: true };
    }
    taken.push([kind, text]);
    length += text.length;
  }
  return { taken, cut: false };
};

export const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
