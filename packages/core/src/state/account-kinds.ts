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

/** `shares`: token accounts of the vaults' share mints. `lookupTable`: referenced lookup tables. */
export type AccountKind = ProgramAccountKind | 'shares' | 'lookupTable';

type AccountKindDefinition = {
  readonly kind: ProgramAccountKind;
  readonly account: AccountCodec<Shape>;
  readonly owners: readonly Address[];
};

/** The program accounts that the state stores. */
export const programAccountKinds: readonly AccountKindDefinition[] = [
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
  /** An account type that the state does not store. */
  | { readonly kind: 'other' }
  /** Has the discriminator of a stored type, but cannot be decoded. */
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

/** Identifies by owner and discriminator; size and version determine whether it can be decoded. */
export function identifyAccount(raw: RawAccount): AccountIdentity {
  if (raw.owner === TOKEN_PROGRAM) {
    return tokenAccount.matches(raw) ? tryDecode('shares', tokenAccount, raw) : { kind: 'other' };
  }
  if (raw.owner === ADDRESS_LOOKUP_TABLE_PROGRAM) {
    return tryDecode('lookupTable', addressLookupTable, raw);
  }
  const known = programAccountKinds.find(
    ({ account, owners }) => owners.includes(raw.owner) && hasDiscriminator(raw.data, account),
  );
  return known === undefined ? { kind: 'other' } : tryDecode(known.kind, known.account, raw);
}

type Decodable = { readonly name: string; view(account: RawAccount): unknown };

function tryDecode(kind: AccountKind, { name, view }: Decodable, raw: RawAccount): AccountIdentity {
  try {
    view(raw);
    return { kind };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { kind: 'unreadable', name, reason: error.message };
  }
}

function hasDiscriminator(data: Uint8Array, { discriminator }: AccountCodec<Shape>): boolean {
  return discriminator.every((byte, i) => byte === data[i]);
}
