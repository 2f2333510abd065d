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
 * Sets weight and cap of a reserve, for which it makes a place and a cToken account if there is none.
 * `reserveWhitelistEntry` is absent when there is none.
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
