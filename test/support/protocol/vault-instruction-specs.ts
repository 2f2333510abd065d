/** The published table only has the discriminators of these; the rest comes from the source of the program. */
export const vaultInstructionSpecs = {
  'kvault.withdrawPendingFees': {
    discriminator: '83c2c88caff4d9b7',
    args: [],
    accounts: [
      { name: 'vaultAdminAuthority', role: 'WRITABLE_SIGNER' },
      { name: 'vaultState', role: 'WRITABLE' },
      { name: 'reserve', role: 'WRITABLE' },
      { name: 'tokenVault', role: 'WRITABLE' },
      { name: 'ctokenVault', role: 'WRITABLE' },
      { name: 'baseVaultAuthority', role: 'WRITABLE' },
      { name: 'tokenAta', role: 'WRITABLE' },
      { name: 'tokenMint', role: 'WRITABLE' },
      { name: 'lendingMarket', role: 'READONLY' },
      { name: 'lendingMarketAuthority', role: 'READONLY' },
      { name: 'reserveLiquiditySupply', role: 'WRITABLE' },
      { name: 'reserveCollateralMint', role: 'WRITABLE' },
      { name: 'klendProgram', role: 'READONLY' },
      { name: 'tokenProgram', role: 'READONLY' },
      { name: 'reserveCollateralTokenProgram', role: 'READONLY' },
      { name: 'instructionSysvarAccount', role: 'READONLY' },
    ],
  },
  'kvault.giveUpPendingFees': {
    discriminator: 'b1c878866ed99351',
    args: [{ name: 'maxAmountToGiveUp', type: 'u64' }],
    accounts: [
      { name: 'vaultAdminAuthority', role: 'WRITABLE_SIGNER' },
      { name: 'vaultState', role: 'WRITABLE' },
      { name: 'klendProgram', role: 'READONLY' },
    ],
  },
  'kvault.updateReserveAllocation': {
    discriminator: '0536d5704be87525',
    args: [
      { name: 'weight', type: 'u64' },
      { name: 'cap', type: 'u64' },
    ],
    accounts: [
      { name: 'signer', role: 'WRITABLE_SIGNER' },
      { name: 'vaultState', role: 'WRITABLE' },
      { name: 'baseVaultAuthority', role: 'READONLY' },
      { name: 'reserveCollateralMint', role: 'WRITABLE' },
      { name: 'reserve', role: 'READONLY' },
      { name: 'ctokenVault', role: 'WRITABLE' },
      { name: 'reserveWhitelistEntry', role: 'READONLY', optional: true },
      { name: 'reserveCollateralTokenProgram', role: 'READONLY' },
      { name: 'systemProgram', role: 'READONLY' },
      { name: 'rent', role: 'READONLY' },
    ],
  },
} as const;
