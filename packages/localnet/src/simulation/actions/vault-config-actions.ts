import { type Address, toLamports } from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { updateReserveAllocation } from '@tidegate/core/protocol/kvault/instructions';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { findVault } from './vault-actions.ts';

/** Allows the vault to hold nothing in any reserve: the next investment takes everything back. */
export function closeAllocations(
  simulator: Simulator,
  vault: Address,
  admin: Signer,
): TransactionRecord | undefined {
  const fields = findVault(simulator, vault);
  if (fields === undefined) return undefined;
  const { baseVaultAuthority } = fields;
  const instructions = usedAllocations(fields).map(({ reserve, ctokenVault }) => {
    const { collateral } = decodeCached(reserveLayout, simulator.requireAccount(reserve));
    return updateReserveAllocation.build(KVAULT_PROGRAM, {
      accounts: {
        signer: admin.address,
        vaultState: vault,
        baseVaultAuthority,
        reserveCollateralMint: collateral.mintPubkey,
        reserve,
        ctokenVault,
        reserveWhitelistEntry: undefined,
        reserveCollateralTokenProgram: TOKEN_PROGRAM,
        systemProgram: SYSTEM_PROGRAM,
        rent: RENT_SYSVAR,
      },
      args: { weight: 0n, cap: toLamports(0n) },
    });
  });
  return simulator.execute({ instructions, signers: [admin] });
}
