import { countTypos } from './spelling.ts';

/** A guide, a section of one, a code that one explains, or an operation. */
type DocsEntry = {
  /** `guide`, `term` for a setting, an error or another code, or the method of an operation. */
  readonly kind: string;
  /** Of a term: its codes, with commas between them. */
  readonly title: string;
  readonly context: string;
  /** Relative to `/docs/`. */
  readonly url: string;
  readonly text: string;
  /** Exact names of an operation: its paths and its id. */
  readonly keys?: readonly string[];
  /** Positions in the fields of the index. */
  readonly fields?: readonly number[];
};

/** `/docs/search.json`. */
export type DocsIndex = {
  /** Name and description. */
  readonly fields: readonly (readonly [string, string])[];
  readonly entries: readonly DocsEntry[];
};

/** A page of the documentation. */
export type DocsResult = {
  readonly kind: string;
  readonly title: string;
  readonly note: string;
  /** The field that was found. */
  readonly field: string | undefined;
  readonly excerpt: string;
  /** Relative to `/docs/`. */
  readonly url: string;
};

type Field = {
  readonly name: string;
  readonly description: string;
  readonly lowerName: string;
  readonly lowerText: string;
};

type PreparedEntry = Omit<DocsEntry, 'fields' | 'keys'> & {
  readonly lowerTitle: string;
  readonly lowerText: string;
  readonly lowerKeys: readonly string[];
  readonly fields: readonly Field[];
};

export type PreparedDocs = {
  readonly entries: readonly PreparedEntry[];
  /** All words, for corrections. */
  readonly words: ReadonlySet<string>;
};

/** Lower case and words are computed once for all searches. */
export function prepareDocs({ fields, entries }: DocsIndex): PreparedDocs {
  const named = fields.map(([name, description]) => ({
    name,
    description,
    lowerName: name.toLowerCase(),
    lowerText: description.toLowerCase(),
  }));
  const prepared = entries.map(({ keys = [], ...entry }) => ({
    ...entry,
    lowerTitle: entry.title.toLowerCase(),
    lowerText: `${entry.text} ${entry.kind === 'term' ? entry.context : ''}`.toLowerCase(),
    lowerKeys: (entry.kind === 'term' ? entry.title.split(', ') : keys).map((key) =>
      key.toLowerCase(),
    ),
    fields: (entry.fields ?? []).flatMap((position) => named[position] ?? []),
  }));
  const texts = [
    ...prepared.flatMap(({ lowerTitle, lowerText }) => [lowerTitle, lowerText]),
    ...named.flatMap(({ lowerName, lowerText }) => [lowerName, lowerText]),
  ];
  const words = new Set(texts.flatMap((text) => text.match(/[a-z]{4,}/g) ?? []));
  return { entries: prepared, words };
}

type FoundDocs = {
  readonly results: readonly DocsResult[];
  /** The text that was searched for instead, because a word of the given one is nowhere. */
  readonly corrected: string | undefined;
};

/**
 * Guides and operations that have every word of a text, the best first: those of which it is an exact name, then titles, fields
 * and texts. A word that is nowhere stands for the most similar one.
 */
export function findDocs(text: string, docs: PreparedDocs): FoundDocs {
  const words = wordsOf(text);
  const results = findWords(words, docs);
  if (results.length > 0) return { results, corrected: undefined };
  const corrected = correct(words, docs);
  if (corrected === undefined) return { results, corrected: undefined };
  return { results: findWords(corrected, docs), corrected: corrected.join(' ') };
}

/** `GET /path` is the path, and a line of a log its number. */
function wordsOf(text: string): readonly string[] {
  const lower = text.trim().toLowerCase();
  const [, logged] = /custom program error: (0x[0-9a-f]+)/.exec(lower) ?? [];
  if (logged !== undefined) return [logged];
  return lower
    .replace(/^(get|post|delete) (?=\/)/, '')
    .split(/\s+/)
    .filter(Boolean);
}

function findWords(words: readonly string[], { entries }: PreparedDocs): DocsResult[] {
  const [first] = words;
  if (first === undefined) return [];
  return entries
    .flatMap((entry) => matchEntry(entry, words))
    .sort((a, b) => b.score - a.score)
    .map(({ entry, field }) => ({
      kind: kindNames[entry.kind] ?? entry.kind.toUpperCase(),
      title: entry.title,
      note: entry.context,
      field: field?.name,
      excerpt: shorten(field?.description ?? entry.text, first),
      url: entry.url,
    }));
}

const kindNames: Readonly<Record<string, string>> = { guide: 'Guide', term: 'Code' };

/** The words, with the most similar known one for each that is unknown; undefined if nothing is similar. */
function correct(words: readonly string[], { entries, words: known }: PreparedDocs) {
  const isKnown = (word: string) =>
    [...known].some((each) => each.includes(word)) ||
    entries.some(({ lowerKeys }) => lowerKeys.some((key) => key.includes(word)));
  const corrected = words.map((word) => (isKnown(word) ? word : mostSimilar(word, known)));
  const found = corrected.flatMap((word) => word ?? []);
  const isChanged = found.some((word, index) => word !== words[index]);
  return isChanged && found.length === words.length ? found : undefined;
}

function mostSimilar(word: string, known: ReadonlySet<string>): string | undefined {
  const similar = [...known].flatMap((candidate) => {
    const typos = countTypos(word, candidate);
    return typos === undefined ? [] : [{ candidate, typos }];
  });
  const lengthDifference = ({ candidate }: { readonly candidate: string }) =>
    Math.abs(candidate.length - word.length);
  const [best] = similar.sort(
    (a, b) => a.typos - b.typos || lengthDifference(a) - lengthDifference(b),
  );
  return best?.candidate;
}

type WordMatch = { readonly score: number; readonly field?: Field | undefined };

const EXACT_NAME = 1000;

function matchEntry(entry: PreparedEntry, words: readonly string[]) {
  const matches = words.flatMap((word) => matchWord(entry, word) ?? []);
  if (matches.length < words.length) return [];
  const score = matches.reduce((sum, match) => sum + match.score, 0);
  const isTitle = entry.kind !== 'term' && entry.lowerTitle === words.join(' ');
  return [
    {
      entry,
      score: isTitle ? score + EXACT_NAME : score,
      field: matches.find(({ field }) => field)?.field,
    },
  ];
}

/** How well a word matches an entry, and the field that matches if the text does not. */
function matchWord(entry: PreparedEntry, word: string): WordMatch | undefined {
  const { fields, lowerTitle, lowerText, lowerKeys, kind } = entry;
  const isTerm = kind === 'term';
  // an operation is before the rows of guides that name its path
  if (lowerKeys.includes(word)) return { score: EXACT_NAME + (isTerm ? 0 : 1) };
  if (!isTerm && startsWord(lowerTitle, word)) return { score: 100 };
  if (lowerKeys.some((key) => key.startsWith(word))) return { score: isTerm ? 75 : 80 };
  if (lowerTitle.includes(word)) return { score: isTerm ? 60 : 70 };
  const exact = fields.find(({ lowerName }) => lowerName === word);
  if (exact) return { score: 50, field: exact };
  if (kind === 'guide' && startsWord(lowerText, word)) return { score: 45 };
  const named = fields.find(({ lowerName }) => lowerName.includes(word));
  if (named) return { score: 40, field: named };
  if (startsWord(lowerText, word)) return { score: 30 };
  if (lowerText.includes(word)) return { score: 20 };
  const described = fields.find((field) => field.lowerText.includes(word));
  return described && { score: 10, field: described };
}

const startsWord = (text: string, word: string): boolean =>
  text.startsWith(word) || text.includes(` ${word}`);

const EXCERPT_LENGTH = 110;

/** The part of a text around a word. */
function shorten(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_LENGTH / 3);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const part = text.slice(start, start + EXCERPT_LENGTH);
  const end = start + EXCERPT_LENGTH < text.length ? '…' : '';
  return `${start > 0 ? '…' : ''}${part}${end}`;
}
