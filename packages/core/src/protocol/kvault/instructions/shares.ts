import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

export const depositAccounts = {
  user: signWrite,
  vaultState: write,
  tokenVault: write,
  tokenMint: read,
  baseVaultAuthority: read,
  sharesMint: write,
  userTokenAta: write,
  userSharesAta: write,
  klendProgram: read,
  tokenProgram: read,
  sharesTokenProgram: read,
  eventAuthority: read,
  program: read,
};

/**
 * `maxAmount` includes the crank fee. The program refreshes the reserves itself, except their prices. Remaining
 * accounts: all reserves of the vault (writable), then their markets, both in the order of the allocations. In the
 * instructions of users the permissioning authority of the vault follows, if it has one (read-only signer).
 */
export const deposit = instruction({
  name: 'deposit',
  discriminator: 'f223c68952e1f2b6',
  accounts: depositAccounts,
  args: { maxAmount: lamports },
});

/** `deposit` that fails if it issues fewer shares. */
export const depositWithMinSharesOut = instruction({
  name: 'depositWithMinSharesOut',
  discriminator: '4a7f805004ddc15b',
  accounts: depositAccounts,
  args: { maxAmount: lamports, minSharesOut: u64 },
});

/** Alias with the same accounts and effect. */
export const buyWithMinSharesOut = instruction({
  name: 'buyWithMinSharesOut',
  discriminator: '3d8766977c2e90d1',
  accounts: depositAccounts,
  args: { maxAmount: lamports, minSharesOut: u64 },
});

export const withdrawFromAvailableAccounts = {
  user: sign,
  vaultState: write,
  globalConfig: read,
  tokenVault: write,
  baseVaultAuthority: read,
  userTokenAta: write,
  tokenMint: write,
  userSharesAta: write,
  sharesMint: write,
  tokenProgram: read,
  sharesTokenProgram: read,
  klendProgram: read,
  eventAuthority: read,
  program: read,
};

/** Pays from available tokens and burns only the paid shares. Remaining accounts as in `deposit`. */
export const withdrawFromAvailable = instruction({
  name: 'withdrawFromAvailable',
  discriminator: '1383709baadc2239',
  accounts: withdrawFromAvailableAccounts,
  args: { sharesAmount: u64 },
});

/**
 * The accounts of `withdrawFromAvailable`, then those of a withdrawal from a reserve. The program repeats three names
 * with the same address: the vault in the second part, and the last two accounts.
 */
export const withdrawAccounts = {
  ...withdrawFromAvailableAccounts,
  reserveVaultState: write,
  reserve: write,
  ctokenVault: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  reserveLiquiditySupply: write,
  reserveCollateralMint: write,
  reserveCollateralTokenProgram: read,
  instructionSysvarAccount: read,
  outerEventAuthority: read,
  outerProgram: read,
};

/**
 * Pays from available tokens, then from one `reserve`. U64_MAX withdraws all shares of the account. Remaining
 * accounts as in `deposit`.
 */
export const withdraw = instruction({
  name: 'withdraw',
  discriminator: 'b712469c946da122',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});

/** Pays cTokens of one reserve instead of tokens. Remaining accounts as in `deposit`. */
export const redeemInKind = instruction({
  name: 'redeemInKind',
  discriminator: '663abdfcc0db8c59',
  accounts: {
    user: sign,
    vaultState: write,
    globalConfig: read,
    baseVaultAuthority: read,
    reserve: write,
    ctokenVault: write,
    userCtokenTa: write,
    ctokenMint: write,
    userSharesTa: write,
    sharesMint: write,
    reserveCollateralTokenProgram: read,
    sharesTokenProgram: read,
    klendProgram: read,
    eventAuthority: read,
    program: read,
  },
  args: { sharesAmount: u64 },
});

/** Alias of `deposit` with the same accounts and effect. */
export const buy = instruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  accounts: depositAccounts,
  args: { maxAmount: lamports },
});

/** Alias of `withdraw` with the same accounts and effect. */
export const sell = instruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  accounts: withdrawAccounts,
  args: { sharesAmount: u64 },
});
