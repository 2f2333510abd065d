import type { Address } from '#core/base/encoding/address.ts';
import type { Shape } from '#core/base/encoding/layout.ts';
import type { AccountCodec, RawAccount } from '#core/base/solana/account.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig as farmsGlobalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAMS } from '#core/protocol/farms/program.ts';
import { globalConfig as klendGlobalConfig } from '#core/protocol/klend/layout/global-config.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import {
  referrerState,
  referrerTokenState,
  userMetadata,
} from '#core/protocol/klend/layout/user-metadata.ts';
import { withdrawTicket } from '#core/protocol/klend/layout/withdraw-ticket.ts';
import { KLEND_PROGRAMS } from '#core/protocol/klend/program.ts';
import {
  globalConfig as kvaultGlobalConfig,
  reserveWhitelistEntry,
} from '#core/protocol/kvault/layout/global-config.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAMS } from '#core/protocol/kvault/program.ts';
import {
  configuration,
  oracleMappings,
  tokenMetadatas,
} from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices, oracleTwaps } from '#core/protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAMS } from '#core/protocol/scope/program.ts';
import { seededBytes } from './seeded-bytes.ts';

/** An account type and the programs that can own it. */
export type AccountKind = {
  readonly account: AccountCodec<Shape>;
  readonly name: string;
  readonly owners: readonly Address[];
  readonly version?: bigint;
};

const kindsOf = (
  owners: readonly Address[],
  accounts: readonly AccountCodec<Shape>[],
): AccountKind[] => accounts.map((account) => ({ account, name: account.name, owners }));

/** Every account type with a fixed size and an eight-byte discriminator. */
export const accountKinds: readonly AccountKind[] = [
  ...kindsOf(KLEND_PROGRAMS, [lendingMarket, reserve]).map((kind) => ({ ...kind, version: 1n })),
  ...kindsOf(KLEND_PROGRAMS, [obligation, userMetadata, klendGlobalConfig, referrerTokenState]),
  ...kindsOf(KLEND_PROGRAMS, [referrerState, withdrawTicket]),
  ...kindsOf(KVAULT_PROGRAMS, [vaultState, kvaultGlobalConfig, reserveWhitelistEntry]),
  ...kindsOf(FARMS_PROGRAMS, [farmState, userState, farmsGlobalConfig]),
  ...kindsOf(SCOPE_PROGRAMS, [
    oraclePrices,
    oracleMappings,
    tokenMetadatas,
    oracleTwaps,
    configuration,
  ]),
];

/** A valid account with random bytes after the discriminator and the version. */
export function randomAccount(kind: AccountKind, seed: number): RawAccount {
  const { account, owners, version } = kind;
  const data = seededBytes(seed, account.size);
  data.set(account.discriminator);
  if (version !== undefined) new DataView(data.buffer).setBigUint64(8, version, true);
  const [owner] = owners;
  if (owner === undefined) throw new Error(`no program owns ${kind.name}`);
  return { owner, data };
}
