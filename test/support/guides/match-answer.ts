/** Stands for any value, and in a line for any text. */
const ANY = '…';

/**
 * The differences between an answer and the part of it that a guide shows: objects may have more fields, arrays more items.
 */
export function answerDifferences(actual: unknown, shown: unknown, path = '$'): string[] {
  if (shown === ANY) return actual === undefined ? [`${path} is missing`] : [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${path} is not a list`];
    if (shown.length === 0 && actual.length > 0) return [`${path} is not empty`];
    return shown.flatMap((item, index) =>
      answerDifferences(actual[index], item, `${path}[${index}]`),
    );
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [`${path} is not an object`];
    return Object.entries(shown).flatMap(([key, inner]) =>
      answerDifferences((actual as Record<string, unknown>)[key], inner, `${path}.${key}`),
    );
  }
  return actual === shown ? [] : [`${path} is ${JSON.stringify(actual)}, not ${shown}`];
}

/** The lines that a guide shows and the output does not have. Names of headers have no case. */
export function missingLines(output: string, shown: string): string[] {
  const lines = output.split(/\r?\n/);
  return shown.split('\n').filter((line) => {
    const pattern = line.split(ANY).map(escapeRegExp).join('.+');
    return !lines.some((each) => new RegExp(`^${pattern}`, 'i').test(each));
  });
}

/** `missingLines`, of which every number is another one: whether it is a string must fit. */
export function missingForms(output: string, shown: string): string[] {
  const lines = output.split(/\r?\n/);
  return shown.split('\n').filter((line) => {
    const pattern = line
      .split(ANY)
      .map((part) => escapeRegExp(part).replaceAll(/\d+/g, '\\d+'))
      .join('.+');
    return !lines.some((each) => new RegExp(`^${pattern}$`).test(each));
  });
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
