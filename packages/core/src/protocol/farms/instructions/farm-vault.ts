import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** Adds tokens to all active stakes. Only the farm admin may. */
export const depositToFarmVault = instruction({
  name: 'depositToFarmVault',
  discriminator: '83a6405e6cd572b7',
  accounts: {
    depositor: sign,
    farmState: write,
    farmVault: write,
    depositorAta: write,
    tokenProgram: read,
  },
  args: { amount: u64 },
});

/** Takes tokens from all stakes. Taking all of them freezes the farm. */
export const withdrawFromFarmVault = instruction({
  name: 'withdrawFromFarmVault',
  discriminator: '165280fa564f7c4e',
  accounts: {
    withdrawAuthority: signWrite,
    farmState: write,
    withdrawerTokenAccount: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: { amount: u64 },
});

/** Pays the penalties of early withdrawals to the farm's spill address. Anybody can call it. */
export const withdrawSlashedAmount = instruction({
  name: 'withdrawSlashedAmount',
  discriminator: 'cad9434aac168cd8',
  accounts: {
    crank: signWrite,
    farmState: write,
    slashedAmountSpillAddress: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: {},
});
