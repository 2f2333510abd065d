import { type AccountKind, programAccountKinds } from '@tidegate/core/state';
import { perVersion } from '../caching/per-version.ts';
import type { UnprovenKindsReader, UnprovenReason } from '../clusters/unproven-kinds.ts';
import type { Operation } from './operation.ts';

/** What an operation computes its response from. */
export type ComputedFrom = Pick<Operation, 'dependsOn' | 'computedFrom'>;

/** Further reasons are counted: a header has to fit the limits of proxies. */
const LISTED = 8;
const MAX_DETAIL_LENGTH = 160;

const NOTHING: readonly string[] = [];

/** Returns name and value of `x-unproven` for a response; empty if its kinds of accounts are proven. */
export type UnprovenHeader = (operation: ComputedFrom | undefined) => readonly string[];

/** Formatted once per operation and change of the reasons. */
export function createUnprovenHeader(kinds: UnprovenKindsReader | undefined): UnprovenHeader {
  const formattedOf = perVersion(
    (reader: UnprovenKindsReader) => reader.version(),
    () => new Map<ComputedFrom, readonly string[]>(),
  );
  return (operation) => {
    if (kinds === undefined || operation === undefined) return NOTHING;
    const reasons = kinds.reasons();
    if (reasons.length === 0) return NOTHING;
    const formatted = formattedOf(kinds);
    const known = formatted.get(operation);
    if (known !== undefined) return known;
    const header = formatHeader(reasons.filter(({ kind }) => readsKind(operation, kind)));
    formatted.set(operation, header);
    return header;
  };
}

/** Whether a response of the operation can have the header. */
export const readsAccounts = (operation: ComputedFrom): boolean =>
  programAccountKinds.some(({ kind }) => readsKind(operation, kind));

function readsKind(
  { dependsOn = [], computedFrom = [] }: ComputedFrom,
  kind: AccountKind,
): boolean {
  return dependsOn.includes(kind) || computedFrom.includes(kind);
}

function formatHeader(reasons: readonly UnprovenReason[]): readonly string[] {
  if (reasons.length === 0) return NOTHING;
  const rest = reasons.length - LISTED;
  const items = reasons.slice(0, LISTED).map(formatReason);
  return ['x-unproven', [...items, ...(rest > 0 ? [`more;count=${rest}`] : [])].join(', ')];
}

const formatReason = ({ kind, code, since, detail }: UnprovenReason): string =>
  `${kind};code=${code};since=${since};detail="${quotable(detail)}"`;

/** Without what ends a quoted string or is not allowed in a header. */
const quotable = (text: string): string =>
  text.slice(0, MAX_DETAIL_LENGTH).replaceAll(/[^ !#-[\]-~]/g, '?');
