import { ADDRESS_BYTES, type Address, addressFromBytes } from '../base/encoding/address.ts';
import type { Shape } from '../base/encoding/layout.ts';
import {
  createUnknownValueCheck,
  type UnknownValue,
  type UnknownValueCheck,
  withoutIndexes,
} from '../base/encoding/unknown-values.ts';
import { CodedError } from '../base/errors.ts';
import type { AccountCodec, RawAccount } from '../base/solana/account.ts';
import { farmState } from '../protocol/farms/layout/farm-state.ts';
import { globalConfig } from '../protocol/farms/layout/global-config.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAMS } from '../protocol/farms/program.ts';
import { lendingMarket } from '../protocol/klend/layout/lending-market.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';
import { reserve } from '../protocol/klend/layout/reserve.ts';
import { withdrawTicket } from '../protocol/klend/layout/withdraw-ticket.ts';
import { KLEND_PROGRAMS } from '../protocol/klend/program.ts';
import { vaultState } from '../protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAMS } from '../protocol/kvault/program.ts';
import { oraclePrices } from '../protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAMS } from '../protocol/scope/program.ts';
import { addressLookupTable } from '../protocol/spl/layout/address-lookup-table.ts';
import { tokenAccount } from '../protocol/spl/layout/token-account.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM } from '../protocol/spl/programs.ts';
import { unknownEffects } from './unknown-effects.ts';

export type ProgramAccountKind =
  | 'market'
  | 'reserve'
  | 'obligation'
  | 'vault'
  | 'farm'
  | 'farmsConfig'
  | 'farmUser'
  | 'prices'
  | 'withdrawTicket';

/** `shares`: token accounts of the vaults' share mints. `lookupTable`: referenced lookup tables. */
export type AccountKind = ProgramAccountKind | 'shares' | 'lookupTable';

/** Parts of the state that change independently. `slot`: the newest slot and its time. */
export type StatePart = AccountKind | 'slot' | 'slotDuration';

type AccountKindDefinition = {
  readonly kind: ProgramAccountKind;
  readonly account: AccountCodec<Shape>;
  readonly owners: readonly Address[];
  /** Position of the address that an account belongs to: its market, its share mint or its wallet. */
  readonly belongsToAt?: number;
};

/** The program accounts that the state stores. */
export const programAccountKinds: readonly AccountKindDefinition[] = [
  { kind: 'market', account: lendingMarket, owners: KLEND_PROGRAMS },
  {
    kind: 'reserve',
    account: reserve,
    owners: KLEND_PROGRAMS,
    belongsToAt: reserve.offsets.lendingMarket,
  },
  {
    kind: 'vault',
    account: vaultState,
    owners: KVAULT_PROGRAMS,
    belongsToAt: vaultState.offsets.sharesMint,
  },
  { kind: 'farm', account: farmState, owners: FARMS_PROGRAMS },
  { kind: 'farmsConfig', account: globalConfig, owners: FARMS_PROGRAMS },
  { kind: 'prices', account: oraclePrices, owners: SCOPE_PROGRAMS },
  {
    kind: 'withdrawTicket',
    account: withdrawTicket,
    owners: KLEND_PROGRAMS,
    belongsToAt: withdrawTicket.offsets.owner,
  },
  {
    kind: 'farmUser',
    account: userState,
    owners: FARMS_PROGRAMS,
    belongsToAt: userState.offsets.owner,
  },
  {
    kind: 'obligation',
    account: obligation,
    owners: KLEND_PROGRAMS,
    belongsToAt: obligation.offsets.owner,
  },
];

export type AccountIdentity =
  | { readonly kind: AccountKind }
  /** An account type that the state does not store. */
  | { readonly kind: 'other' }
  /** Has the discriminator of a stored type, but cannot be decoded. */
  | ({ readonly kind: 'unreadable' } & UnreadableIdentity);

type UnreadableIdentity = {
  readonly type: AccountKind;
  readonly reason: string;
  readonly version: bigint | undefined;
  readonly belongsTo: Address | undefined;
  /** Whether only the meaning of a value is not known: the layout is. */
  readonly hasKnownLayout?: boolean;
};

/** The identity of an account that does not exist. */
export const NO_ACCOUNT: AccountIdentity = { kind: 'other' };

/** The kind as which an account is stored; undefined if it is not. */
export const storedKind = ({ kind }: AccountIdentity): AccountKind | undefined =>
  kind === 'unreadable' || kind === 'other' ? undefined : kind;

/** Identifies by owner and discriminator; size and version determine whether it can be decoded. */
export function identifyAccount(raw: RawAccount): AccountIdentity {
  if (raw.owner === TOKEN_PROGRAM) {
    if (!tokenAccount.matches(raw)) return { kind: 'other' };
    return tryDecode({ kind: 'shares', account: tokenAccount }, raw);
  }
  if (raw.owner === ADDRESS_LOOKUP_TABLE_PROGRAM) {
    return tryDecode({ kind: 'lookupTable', account: addressLookupTable }, raw);
  }
  const known = programAccountKinds.find(
    ({ account, owners }) => owners.includes(raw.owner) && hasDiscriminator(raw.data, account),
  );
  return known === undefined ? { kind: 'other' } : tryDecode(known, raw);
}

type DecodableKind = {
  readonly kind: AccountKind;
  readonly account: {
    view(account: RawAccount): unknown;
    versionOf?(data: Uint8Array): bigint | undefined;
  };
  readonly belongsToAt?: number;
};

function tryDecode(
  { kind, account, belongsToAt }: DecodableKind,
  raw: RawAccount,
): AccountIdentity {
  const unreadable = (reason: string, hasKnownLayout: boolean): AccountIdentity => ({
    kind: 'unreadable',
    type: kind,
    reason,
    version: account.versionOf?.(raw.data),
    belongsTo: belongsToAt === undefined ? undefined : addressAt(raw.data, belongsToAt),
    hasKnownLayout,
  });
  try {
    account.view(raw);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return unreadable(error.message, false);
  }
  const [unknown] = unknownValueChecks.get(kind)?.decisive(raw.data) ?? [];
  if (unknown === undefined) return { kind };
  return unreadable(`its ${unknown.field} is 0x${unknown.value}, which has no known meaning`, true);
}

const DISCRIMINATOR_BYTES = 8;

type UnknownValueChecks = { readonly all: UnknownValueCheck; readonly decisive: UnknownValueCheck };

const unknownValueChecks: ReadonlyMap<AccountKind, UnknownValueChecks> = new Map(
  programAccountKinds.map(({ kind, account: { body, size } }) => {
    const layout = { body, start: DISCRIMINATOR_BYTES, size };
    const { decisive } = unknownEffects[kind];
    const includes = (path: string): boolean => decisive.includes(withoutIndexes(path));
    return [
      kind,
      {
        all: createUnknownValueCheck(layout),
        decisive: createUnknownValueCheck({ ...layout, includes }),
      },
    ];
  }),
);

/** Bytes and values of an account that its layout does not know. */
export const unknownValuesIn = (kind: AccountKind, data: Uint8Array): readonly UnknownValue[] =>
  unknownValueChecks.get(kind)?.all(data) ?? [];

/** Undefined if the data is too short. */
function addressAt(data: Uint8Array, offset: number): Address | undefined {
  const end = offset + ADDRESS_BYTES;
  return data.length < end ? undefined : addressFromBytes(data.subarray(offset, end));
}

function hasDiscriminator(data: Uint8Array, { discriminator }: AccountCodec<Shape>): boolean {
  return discriminator.every((byte, i) => byte === data[i]);
}
