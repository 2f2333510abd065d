import type { Address } from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { initializeAccount3, initializeMint2 } from '@tidegate/core/protocol/spl/instructions';
import { mint as mintLayout, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { tokenAccountSize } from '../spl/token/initialize-account.ts';
import { createPdaAccount } from './create-pda-account.ts';

export type TokenPda = {
  /** Derived from the called program. */
  readonly address: Address;
  readonly payer: Address;
  readonly mint: Address;
  readonly authority: Address;
  readonly tokenProgram: Address;
};

/** Creates a token account, as Anchor's `init` does. */
export function createTokenPda(call: InvokeContext, created: TokenPda): void {
  const { address, payer, mint, authority, tokenProgram } = created;
  const size =
    tokenProgram === TOKEN_PROGRAM
      ? tokenAccount.size
      : tokenAccountSize(mintLayout.decode(call.account(mint)), []);
  createPdaAccount(call, { address, payer, size, owner: tokenProgram });
  const opened = { accounts: { account: address, mint }, args: { owner: authority } };
  call.invoke(initializeAccount3.build(tokenProgram, opened));
}

export type MintPda = {
  readonly address: Address;
  readonly payer: Address;
  readonly authority: Address;
  readonly decimals: number;
};

/** Creates a mint of the original token program without a freeze authority. */
export function createMintPda(call: InvokeContext, created: MintPda): void {
  const { address, payer, authority, decimals } = created;
  createPdaAccount(call, { address, payer, size: mintLayout.size, owner: TOKEN_PROGRAM });
  const args = { decimals, mintAuthority: authority };
  call.invoke(
    initializeMint2.build(TOKEN_PROGRAM, { accounts: { mint: address }, args, list: [] }),
  );
}
