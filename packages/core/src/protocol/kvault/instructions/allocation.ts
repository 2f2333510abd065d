import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u8, u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

const investAccounts = {
  payer: signWrite,
  payerTokenAccount: write,
  vaultState: write,
  tokenVault: write,
  tokenMint: write,
  baseVaultAuthority: write,
  ctokenVault: write,
  reserve: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  reserveLiquiditySupply: write,
  reserveCollateralMint: write,
  reserveWhitelistEntry: optionalRead,
  klendProgram: read,
  reserveCollateralTokenProgram: read,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/**
 * Moves one reserve to its target allocation. `payerTokenAccount` pays the rounding loss. `reserveWhitelistEntry` is
 * absent if it does not exist. Remaining accounts as in `deposit`.
 */
export const invest = instruction({
  name: 'invest',
  discriminator: '0df5b467feb67904',
  accounts: investAccounts,
  args: {},
});

/** `invest` that moves at most `maxAmount` towards the target. */
export const investWithMaxAmount = instruction({
  name: 'investWithMaxAmount',
  discriminator: '875cb88945487607',
  accounts: investAccounts,
  args: { maxAmount: lamports },
});

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

/** Frees the allocation of a reserve in which the vault holds nothing and is not to invest. */
export const removeAllocation = instruction({
  name: 'removeAllocation',
  discriminator: '20dcd38dd1e7494c',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    reserve: read,
  },
  args: {},
});

/** What a whitelist entry allows. The index is the value of `mode`. */
export const reserveWhitelistModes = ['Invest', 'AddAllocation'] as const;

/** Sets one permission of a reserve to 0 or 1. Creates its whitelist entry if necessary. */
export const addUpdateWhitelistedReserve = instruction({
  name: 'addUpdateWhitelistedReserve',
  discriminator: 'db8b5fcc07b7762d',
  accounts: {
    globalAdmin: signWrite,
    globalConfig: read,
    reserve: read,
    reserveWhitelistEntry: write,
    systemProgram: read,
  },
  args: { mode: u8, value: u8 },
});
