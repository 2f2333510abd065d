import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Sets the weight and cap of a reserve. Creates the allocation and its cToken account if necessary.
 * `reserveWhitelistEntry` is absent if it does not exist.
 */
export const updateReserveAllocation = instruction({
  name: 'updateReserveAllocation',
  discriminator: '0536d5704be87525',
  accounts: {
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
  },
  args: { weight: u64, cap: lamports },
});
