import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

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
