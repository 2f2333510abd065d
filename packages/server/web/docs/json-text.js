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
 * Indents JSON without parsing its values, so that large integers and trailing zeros stay
 * unchanged. Yields `[kind, text]` pieces.
 */
export function* indentJson(source) {
  let depth = 0;
  let isEmpty = false;
  const newline = () => `\n${'  '.repeat(depth)}`;
  for (const match of source.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '}' || token === ']') {
      depth -= 1;
      yield ['plain', isEmpty ? token : newline() + token];
      isEmpty = false;
    } else if (token === ',') {
      yield ['plain', `,${newline()}`];
    } else if (token === ':') {
      yield ['plain', ': '];
    } else {
      if (isEmpty) yield ['plain', newline()];
      isEmpty = token === '{' || token === '[';
      if (isEmpty) depth += 1;
      yield [isEmpty ? 'plain' : kindOf(source, token, match.index + token.length), token];
    }
  }
}

/** Pieces up to `limit` characters, and whether the text was cut off. */
export const limitPieces = (pieces, limit) => {
  const limited = [];
  let length = 0;
  for (const [kind, text] of pieces) {
    if (length + text.length > limit) {
      limited.push([kind, text.slice(0, limit - length)]);
      return { limited, isCut: true };
    }
    limited.push([kind, text]);
    length += text.length;
  }
  return { limited, isCut: false };
};

export const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
