import type { Address } from '../../base/address.ts';
import { toLamports } from '../../base/lamports.ts';
import { globalConfig as farmsConfig } from '../../protocol/farms/layout/global-config.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { globalConfig as klendConfig } from '../../protocol/klend/layout/global-config.ts';
import { globalConfigAddress as klendConfigAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { globalConfig as kvaultConfig } from '../../protocol/kvault/layout/global-config.ts';
import { reserveWhitelistEntry } from '../../protocol/kvault/layout/reserve-whitelist-entry.ts';
import {
  globalConfigAddress as kvaultConfigAddress,
  reserveWhitelistEntryAddress,
} from '../../protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { blank } from './blank.ts';
import { derived } from './derived.ts';
import { FARMS_GLOBAL_CONFIG, TREASURY_FEE_BPS } from './farm.ts';
import type { Keys } from './keys.ts';
import { reserveAddress } from './market.ts';
import { tokenOf } from './tokens.ts';
import { VAULTS } from './vault-specs.ts';

export type OwnedData = { readonly owner: Address; readonly data: Uint8Array };

/** Settings of the programs themselves, and the reserves that every vault may lend to. */
export function configAccounts(keys: Keys): ReadonlyMap<Address, OwnedData> {
  const admin = keys('admin');
  const treasury = derived('authority', [FARMS_GLOBAL_CONFIG], FARMS_PROGRAM);
  const klend = { ...blank(klendConfig.body), globalAdmin: admin, pendingAdmin: admin };
  const kvault = { ...blank(kvaultConfig.body), globalAdmin: admin, pendingAdmin: admin };
  const penalty = { withdrawalPenaltyLamports: toLamports(10n) };
  const farms = {
    ...blank(farmsConfig.body),
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

function whitelist(keys: Keys): [Address, OwnedData][] {
  const entries = VAULTS.flatMap(({ symbol, allocations }) =>
    allocations.map(({ market }): [Address, OwnedData] => {
      const reserve = reserveAddress(keys, market, symbol);
      const data = reserveWhitelistEntry.encode({
        ...blank(reserveWhitelistEntry.body),
        tokenMint: tokenOf(symbol).mint,
        reserve,
        whitelistAddAllocation: 1,
        whitelistInvest: 1,
      });
      return [reserveWhitelistEntryAddress(reserve), { owner: KVAULT_PROGRAM, data }];
    }),
  );
  return entries;
}
