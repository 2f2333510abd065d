import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

const allocationAccounts = {
  signer: signWrite,
  vaultState: write,
  baseVaultAuthority: read,
  reserveCollateralMint: write,
  reserve: read,
  ctokenVault: write,
  reserveWhitelistEntry: optionalRead,
  reserveCollateralTokenProgram: read,
  systemProgram: read,
  rent: read,
};

/**
 * Sets the weight and cap of a reserve. Creates the allocation and its cToken account if necessary.
 * `reserveWhitelistEntry` is absent if it does not exist. Keeps the cap in cTokens.
 */
export const updateReserveAllocation = instruction({
  name: 'updateReserveAllocation',
  discriminator: '0536d5704be87525',
  accounts: allocationAccounts,
  args: { weight: u64, cap: lamports },
});

/** Sets the cap in cTokens as well. 0 and U64_MAX are no cap. */
export const updateReserveAllocationV2 = instruction({
  name: 'updateReserveAllocationV2',
  discriminator: 'c388014f0a7b7964',
  accounts: allocationAccounts,
  args: { weight: u64, cap: lamports, ctokenAllocationCap: u64 },
});
