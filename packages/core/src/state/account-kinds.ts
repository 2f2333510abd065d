import type { Address } from '../base/encoding/address.ts';
import type { Shape } from '../base/encoding/layout.ts';
import { CodedError } from '../base/errors.ts';
import type { AccountCodec, RawAccount } from '../base/solana/account.ts';
import { farmState } from '../protocol/farms/layout/farm-state.ts';
import { globalConfig } from '../protocol/farms/layout/global-config.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAMS } from '../protocol/farms/program.ts';
import { lendingMarket } from '../protocol/klend/layout/lending-market.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';
import { reserve } from '../protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAMS } from '../protocol/klend/program.ts';
import { vaultState } from '../protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAMS } from '../protocol/kvault/program.ts';
import { oraclePrices } from '../protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAMS } from '../protocol/scope/program.ts';
import { addressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import { tokenAccount } from '../protocol/spl/layout/token-account.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM } from '../protocol/spl/programs.ts';

export type ProgramAccountKind =
  | 'market'
  | 'reserve'
  | 'obligation'
  | 'vault'
  | 'farm'
  | 'farmsConfig'
  | 'farmUser'
  | 'prices';

/** Token accounts are held for the shares of vaults alone, lookup tables for those who name them. */
export type AccountKind = ProgramAccountKind | 'shares' | 'lookupTable';

type KindFacts = {
  readonly kind: ProgramAccountKind;
  readonly account: AccountCodec<Shape>;
  readonly owners: readonly Address[];
};

/** What state holds of the programs. */
export const programAccountKinds: readonly KindFacts[] = [
  { kind: 'market', account: lendingMarket, owners: KLEND_PROGRAMS },
  { kind: 'reserve', account: reserve, owners: KLEND_PROGRAMS },
  { kind: 'vault', account: vaultState, owners: KVAULT_PROGRAMS },
  { kind: 'farm', account: farmState, owners: FARMS_PROGRAMS },
  { kind: 'farmsConfig', account: globalConfig, owners: FARMS_PROGRAMS },
  { kind: 'prices', account: oraclePrices, owners: SCOPE_PROGRAMS },
  { kind: 'farmUser', account: userState, owners: FARMS_PROGRAMS },
  { kind: 'obligation', account: obligation, owners: KLEND_PROGRAMS },
];

export type AccountIdentity =
  | { readonly kind: AccountKind }
  /** Of a kind that state does not hold. */
  | { readonly kind: 'other' }
  /** By its first bytes of a kind that state holds, but not to be read as one. */
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

/** By owner and first bytes; size and version decide whether it can be read. */
export function identifyAccount(raw: RawAccount): AccountIdentity {
  if (raw.owner === TOKEN_PROGRAM) {
    return tokenAccount.matches(raw) ? read('shares', tokenAccount, raw) : { kind: 'other' };
  }
  if (raw.owner === ADDRESS_LOOKUP_TABLE_PROGRAM) {
    return read('lookupTable', addressLookupTable, raw);
  }
  const known = programAccountKinds.find(
    ({ account, owners }) => owners.includes(raw.owner) && startsLike(raw.data, account),
  );
  return known === undefined ? { kind: 'other' } : read(known.kind, known.account, raw);
}

type Readable = { readonly name: string; view(account: RawAccount): unknown };

function read(kind: AccountKind, { name, view }: Readable, raw: RawAccount): AccountIdentity {
  try {
    view(raw);
    return { kind };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { kind: 'unreadable', name, reason: error.message };
  }
}

function startsLike(data: Uint8Array, { discriminator }: AccountCodec<Shape>): boolean {
  return discriminator.every((byte, i) => byte === data[i]);
}
