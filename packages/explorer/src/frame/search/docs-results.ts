/** A guide, a section of one, or an operation. */
type DocsEntry = {
  /** `guide`, or the method of an operation. */
  readonly kind: string;
  readonly title: string;
  readonly context: string;
  /** Relative to `/docs/`. */
  readonly url: string;
  readonly text: string;
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

export type PreparedDocs = readonly (Omit<DocsEntry, 'fields'> & {
  readonly lowerTitle: string;
  readonly lowerText: string;
  readonly fields: readonly Field[];
})[];

type PreparedEntry = PreparedDocs[number];

/** Lower case is computed once for all searches. */
export function prepareDocs({ fields, entries }: DocsIndex): PreparedDocs {
  const named = fields.map(([name, description]) => ({
    name,
    description,
    lowerName: name.toLowerCase(),
    lowerText: description.toLowerCase(),
  }));
  return entries.map((entry) => ({
    ...entry,
    lowerTitle: entry.title.toLowerCase(),
    lowerText: entry.text.toLowerCase(),
    fields: (entry.fields ?? []).flatMap((position) => named[position] ?? []),
  }));
}

/** Guides and operations that have every word of a text, the best first. */
export function findDocs(text: string, docs: PreparedDocs): DocsResult[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  return docs
    .flatMap((entry) => matchEntry(entry, words))
    .sort((a, b) => b.score - a.score)
    .map(({ entry, field }) => ({
      kind: entry.kind === 'guide' ? 'Guide' : entry.kind.toUpperCase(),
      title: entry.title,
      note: entry.context,
      field: field?.name,
      excerpt: shorten(field?.description ?? entry.text, first),
      url: entry.url,
    }));
}

type WordMatch = { readonly score: number; readonly field?: Field | undefined };

function matchEntry(entry: PreparedEntry, words: readonly string[]) {
  const matches = words.flatMap((word) => matchWord(entry, word) ?? []);
  if (matches.length < words.length) return [];
  const score = matches.reduce((sum, match) => sum + match.score, 0);
  return [{ entry, score, field: matches.find(({ field }) => field)?.field }];
}

/** How well a word matches an entry, and the field that matches if the text does not. */
function matchWord(entry: PreparedEntry, word: string): WordMatch | undefined {
  const { fields, lowerTitle, lowerText } = entry;
  if (startsWord(lowerTitle, word)) return { score: 100 };
  if (lowerTitle.includes(word)) return { score: 70 };
  const exact = fields.find(({ lowerName }) => lowerName === word);
  if (exact) return { score: 50, field: exact };
  if (entry.kind === 'guide' && startsWord(lowerText, word)) return { score: 45 };
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
