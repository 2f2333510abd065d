import type { DocsResult } from './docs-results.ts';
import { findDocs } from './docs-results.ts';
import { findNamed, type NamedResult } from './named-results.ts';
import type { SearchData } from './search-data.ts';

/** A row of the list: a page of the explorer or of the documentation. */
export type SearchRow =
  | (NamedResult & { readonly of: 'explorer' })
  | (DocsResult & { readonly of: 'docs' });

export type SearchList = {
  readonly rows: readonly SearchRow[];
  /** How many there are, what is missing, or what else can be searched for. */
  readonly status: string;
};

const MAX_ROWS = 30;

/** What has a name first: there are few of them, and their names are exact. */
export function listResults(text: string, { names, docs }: SearchData): SearchList {
  const rows: SearchRow[] = [
    ...(names ? findNamed(text, names) : []).map((row) => ({ ...row, of: 'explorer' as const })),
    ...(docs ? findDocs(text, docs) : []).map((row) => ({ ...row, of: 'docs' as const })),
  ];
  return { rows: rows.slice(0, MAX_ROWS), status: statusOf(text, rows.length, { names, docs }) };
}

function statusOf(text: string, count: number, { names, docs }: SearchData): string {
  const missing = [
    names === undefined && 'Markets, reserves and vaults cannot be searched now.',
    docs === undefined && 'The documentation cannot be searched now.',
  ].filter((sentence) => sentence !== false);
  if (count > 0) return [countText(count), ...missing].join('. ');
  const found = `Nothing found for “${text}”.`;
  const other = 'The address of a wallet, loan or market, or a signature, can be pasted here.';
  return [found, ...missing, other].join(' ');
}

function countText(count: number): string {
  if (count > MAX_ROWS) return `The first ${MAX_ROWS} of ${count} results`;
  return count === 1 ? '1 result' : `${count} results`;
}
