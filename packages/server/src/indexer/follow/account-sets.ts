import { type Address, addressToBytes } from '@tidegate/core/base';
import { FARMS_PROGRAMS } from '@tidegate/core/protocol/farms';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { KLEND_PROGRAMS } from '@tidegate/core/protocol/klend';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAMS } from '@tidegate/core/protocol/kvault';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import {
  type AccountKind,
  type AccountSelection,
  type ProgramAccountKind,
  programAccountKinds,
} from '@tidegate/core/state';
import type { AccountFilter, ProgramScan } from '../../chain/source/chain-source.ts';

/** A set of accounts that is read and followed as a unit. */
export type AccountSet = {
  readonly kind: AccountKind;
  readonly selection: AccountSelection;
  /** If undefined, the selection lists addresses, which may be removed from it. */
  readonly scan?: ProgramScan;
  /** Whether it may have hundreds of thousands of accounts, so that it must not be in memory as a whole. */
  readonly isLarge?: boolean;
};

export type ScannedAccountSet = AccountSet & { readonly scan: ProgramScan };

/** All accounts of a kind and program. */
export type ProgramAccountSet = ScannedAccountSet & { readonly kind: ProgramAccountKind };

/** The followed deployments of each program. */
export type ProgramDeployments = {
  readonly klend: readonly Address[];
  readonly kvault: readonly Address[];
  readonly farms: readonly Address[];
  readonly scope: readonly Address[];
};

export const programDeployments: ProgramDeployments = {
  klend: KLEND_PROGRAMS,
  kvault: KVAULT_PROGRAMS,
  farms: FARMS_PROGRAMS,
  scope: SCOPE_PROGRAMS,
};

/** Kinds whose number grows with the number of users. */
const USER_KINDS: readonly ProgramAccountKind[] = ['farmUser', 'obligation'];

/** The accounts of all programs, small kinds first. `on-demand` leaves out the accounts of users. */
export function programAccountSets(
  programs: ProgramDeployments,
  mode: 'all' | 'on-demand',
): ProgramAccountSet[] {
  const followed = Object.values(programs).flat();
  return programAccountKinds
    .filter(({ kind }) => mode === 'all' || !USER_KINDS.includes(kind))
    .flatMap(({ kind, account, owners }) =>
      owners
        .filter((program) => followed.includes(program))
        .map((program) => ({
          kind,
          selection: { program },
          scan: { program, filters: filtersOf(account) },
          isLarge: USER_KINDS.includes(kind),
        })),
    );
}

/** Obligations and farm user states of one wallet. */
export function walletAccountSets(programs: ProgramDeployments, owner: Address): AccountSet[] {
  const ownedBy = (offset: number): AccountFilter => ({
    kind: 'bytes',
    offset,
    bytes: addressToBytes(owner),
  });
  return [
    ...programs.klend.map((program) => ({
      kind: 'obligation' as const,
      selection: { program, owner },
      scan: { program, filters: [...filtersOf(obligation), ownedBy(obligation.offsets.owner)] },
    })),
    ...programs.farms.map((program) => ({
      kind: 'farmUser' as const,
      selection: { program, owner },
      scan: { program, filters: [...filtersOf(userState), ownedBy(userState.offsets.owner)] },
    })),
  ];
}

/** Token accounts of a share mint. */
export function shareAccountSet(mint: Address): ScannedAccountSet {
  const { size, offsets } = tokenAccount;
  return {
    kind: 'shares',
    selection: { program: TOKEN_PROGRAM, mint },
    isLarge: true,
    scan: {
      program: TOKEN_PROGRAM,
      filters: [
        { kind: 'size', size },
        { kind: 'bytes', offset: offsets.mint, bytes: addressToBytes(mint) },
      ],
    },
  };
}

export function lookupTableAccountSet(addresses: ReadonlySet<Address>): AccountSet {
  return { kind: 'lookupTable', selection: { program: ADDRESS_LOOKUP_TABLE_PROGRAM, addresses } };
}

type AccountLayout = { readonly discriminator: Uint8Array };

/** Without a size: a program upgrade can enlarge accounts. */
function filtersOf({ discriminator }: AccountLayout): AccountFilter[] {
  return [{ kind: 'bytes', offset: 0, bytes: discriminator }];
}
