import { type AddressIdentity, findRoles, unknownAddress } from './address-results.ts';
import type { DocsResult } from './docs-results.ts';
import { findDocs } from './docs-results.ts';
import { findNamed, type NamedResult, type Names } from './named-results.ts';
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

/** What has a name first: there are few of them, and their names are exact. Corrections are last, those of names first. */
export function listResults(text: string, { names, docs }: SearchData): SearchList {
  const named = names && findNamed(text, names);
  const found = docs && findDocs(text, docs);
  const misspelled = (named?.misspelled ?? []).map(ofExplorer);
  const documented = (found?.results ?? []).map((row) => ({ ...row, of: 'docs' as const }));
  const isCorrected = found?.corrected !== undefined;
  const rows: SearchRow[] = [
    ...(named?.exact ?? []).map(ofExplorer),
    ...(isCorrected ? [...misspelled, ...documented] : [...documented, ...misspelled]),
  ];
  const status = statusOf(text, rows.length, { names, docs });
  return {
    rows: rows.slice(0, MAX_ROWS),
    status: isCorrected && misspelled.length === 0 ? `${status} for “${found.corrected}”` : status,
  };
}

const ofExplorer = (row: NamedResult) => ({ ...row, of: 'explorer' as const });

/** The pages of an address. Undefined: the server cannot be asked what it is. */
export function listAddressResults(
  address: string,
  identity: AddressIdentity | undefined,
  names: Names | undefined,
): SearchList {
  const listed = identity === undefined && names ? findNamed(address, names).exact : [];
  const other = identity
    ? findRoles(identity, names)
    : [unknownAddress(address, 'the server cannot be asked what it is')];
  const rows = listed.length > 0 ? listed : other;
  return {
    rows: rows.map(ofExplorer),
    status: countText(rows.length),
  };
}

function statusOf(text: string, count: number, { names, docs }: SearchData): string {
  const missing = [
    names === undefined && 'Markets, reserves and vaults cannot be searched now.',
    docs === undefined && 'The documentation cannot be searched now.',
  ].filter((sentence) => sentence !== false);
  if (count > 0) return [countText(count), ...missing].join('. ');
  const found = `Nothing found for “${text}”.`;
  const other = 'Any address, or a signature, can be pasted here.';
  return [found, ...missing, other].join(' ');
}

function countText(count: number): string {
  if (count > MAX_ROWS) return `The first ${MAX_ROWS} of ${count} results`;
  return count === 1 ? '1 result' : `${count} results`;
}
