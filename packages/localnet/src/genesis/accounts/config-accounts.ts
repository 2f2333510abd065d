import { type Address, toLamports } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { globalConfig as farmsConfig } from '@tidegate/core/protocol/farms/layout';
import {
  KLEND_PROGRAM,
  globalConfigAddress as klendConfigAddress,
} from '@tidegate/core/protocol/klend';
import { globalConfig as klendConfig } from '@tidegate/core/protocol/klend/layout';
import {
  KVAULT_PROGRAM,
  globalConfigAddress as kvaultConfigAddress,
  reserveWhitelistEntryAddress,
} from '@tidegate/core/protocol/kvault';
import {
  globalConfig as kvaultConfig,
  reserveWhitelistEntry,
} from '@tidegate/core/protocol/kvault/layout';
import type { SeededKeys } from '../seed/seeded-keys.ts';
import { tokenBySymbol } from '../specs/token-specs.ts';
import { VAULT_SPECS } from '../specs/vault-specs.ts';
import { derivedAddress } from './derived-address.ts';
import { emptyAccount } from './empty-account.ts';
import { FARMS_GLOBAL_CONFIG, TREASURY_FEE_BPS } from './farm.ts';
import { reserveAddress } from './market.ts';

export type OwnedAccountData = { readonly owner: Address; readonly data: Uint8Array };

/** Global configs of the programs, and the reserve whitelist of the vaults. */
export function configAccounts(keys: SeededKeys): ReadonlyMap<Address, OwnedAccountData> {
  const admin = keys('admin');
  const treasury = derivedAddress('authority', [FARMS_GLOBAL_CONFIG], FARMS_PROGRAM);
  const klend = { ...emptyAccount(klendConfig.body), globalAdmin: admin, pendingAdmin: admin };
  const kvault = { ...emptyAccount(kvaultConfig.body), globalAdmin: admin, pendingAdmin: admin };
  const penalty = { withdrawalPenaltyLamports: toLamports(10n) };
  const farms = {
    ...emptyAccount(farmsConfig.body),
    globalAdmin: admin,
    pendingGlobalAdmin: admin,
    treasuryFeeBps: TREASURY_FEE_BPS,
    treasuryVaultsAuthority: treasury.address,
    treasuryVaultsAuthorityBump: BigInt(treasury.bump),
  };
  return new Map([
    [
      klendConfigAddress(),
      { owner: KLEND_PROGRAM, data: klendConfig.encode({ ...klend, feeCollector: admin }) },
    ],
    [
      kvaultConfigAddress(),
      { owner: KVAULT_PROGRAM, data: kvaultConfig.encode({ ...kvault, ...penalty }) },
    ],
    [FARMS_GLOBAL_CONFIG, { owner: FARMS_PROGRAM, data: farmsConfig.encode(farms) }],
    ...whitelist(keys),
  ]);
}

function whitelist(keys: SeededKeys): [Address, OwnedAccountData][] {
  const entries = VAULT_SPECS.flatMap(({ symbol, allocations }) =>
    allocations.map(({ market }): [Address, OwnedAccountData] => {
      const reserve = reserveAddress(keys, market, symbol);
      const data = reserveWhitelistEntry.encode({
        ...emptyAccount(reserveWhitelistEntry.body),
        tokenMint: tokenBySymbol(symbol).mint,
        reserve,
        whitelistAddAllocation: 1,
        whitelistInvest: 1,
      });
      return [reserveWhitelistEntryAddress(reserve), { owner: KVAULT_PROGRAM, data }];
    }),
  );
  return entries;
}
