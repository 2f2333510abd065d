import type { AccountCodec, Address, RawAccount, Shape } from '@tidegate/core/base';
import { FARMS_PROGRAM, farmsInstructions } from '@tidegate/core/protocol/farms';
import * as farms from '@tidegate/core/protocol/farms/layout';
import { KLEND_PROGRAM, klendInstructions } from '@tidegate/core/protocol/klend';
import * as klend from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAM, kvaultInstructions } from '@tidegate/core/protocol/kvault';
import * as kvault from '@tidegate/core/protocol/kvault/layout';
import { EVENT_IX_TAG } from '@tidegate/core/protocol/spl';
import type { Call } from '@tidegate/core/protocol/spl/transaction';
import type { ReplayedAccountKind, ReplayedProgram } from './slot-proof.ts';

type ProtocolProgram = {
  readonly name: ReplayedProgram;
  nameOf(data: Uint8Array): string | undefined;
  readonly kinds: readonly (readonly [ReplayedAccountKind, AccountCodec<Shape>])[];
};

const programs: ReadonlyMap<Address, ProtocolProgram> = new Map<Address, ProtocolProgram>([
  [
    KLEND_PROGRAM,
    {
      name: 'klend',
      nameOf: klendInstructions.nameOf,
      kinds: [
        ['reserve', klend.reserve],
        ['obligation', klend.obligation],
        ['market', klend.lendingMarket],
        ['withdrawTicket', klend.withdrawTicket],
        ['userMetadata', klend.userMetadata],
        ['referrerState', klend.referrerTokenState],
        ['referrerState', klend.referrerState],
        ['lendingConfig', klend.globalConfig],
      ],
    },
  ],
  [
    KVAULT_PROGRAM,
    {
      name: 'kvault',
      nameOf: kvaultInstructions.nameOf,
      kinds: [
        ['vault', kvault.vaultState],
        ['vaultConfig', kvault.globalConfig],
        ['reserveWhitelistEntry', kvault.reserveWhitelistEntry],
      ],
    },
  ],
  [
    FARMS_PROGRAM,
    {
      name: 'farms',
      nameOf: farmsInstructions.nameOf,
      kinds: [
        ['farm', farms.farmState],
        ['farmUser', farms.userState],
        ['farmsConfig', farms.globalConfig],
      ],
    },
  ],
]);

/** Undefined for a program whose accounts are not compared. */
export const findProtocolProgram = (address: Address): ProtocolProgram | undefined =>
  programs.get(address);

type AccountIdentity = {
  readonly program: ReplayedProgram;
  readonly kind: ReplayedAccountKind;
  /** Undefined for an account type that has no layout. */
  readonly codec: AccountCodec<Shape> | undefined;
};

/** Undefined for an account that is not compared. */
export function identifyProtocolAccount(account: RawAccount): AccountIdentity | undefined {
  const program = programs.get(account.owner);
  if (program === undefined) return undefined;
  const [kind, codec] = program.kinds.find(([, each]) => each.matches(account)) ?? [
    'other' as const,
  ];
  return { program: program.name, kind, codec };
}

/** Programs call themselves to emit events. */
export const isEventCall = ({ data }: Pick<Call, 'data'>): boolean =>
  EVENT_IX_TAG.every((byte, i) => byte === data[i]);
