import type { RawAccount } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { type AccountKind, programAccountKinds } from '@tidegate/core/state';

/** Bytes that accounts of a kind have at least. Lookup tables grow and have none. */
const knownSizes: ReadonlyMap<AccountKind, number> = new Map([
  ...programAccountKinds.map(({ kind, account }) => [kind, account.size] as const),
  ['shares', tokenAccount.size] as const,
]);

export const isTooShort = (kind: AccountKind, { data }: RawAccount): boolean =>
  data.length < (knownSizes.get(kind) ?? 0);
