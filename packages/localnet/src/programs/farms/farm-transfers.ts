import type { Address } from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenTransfer, transferChecked } from '@tidegate/core/protocol/spl/instructions';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';

export type StakeTransfer = {
  readonly source: Address;
  readonly destination: Address;
  /** A wallet that has signed, or the farm's vault authority, which the program signs for. */
  readonly authority: Address;
  readonly amount: bigint;
};

export function transferStake(call: InvokeContext, { amount, ...accounts }: StakeTransfer): void {
  const transfer = tokenTransfer.build(TOKEN_PROGRAM, { accounts, args: { amount } });
  call.invoke(transfer, [accounts.authority]);
}

export type RewardTransfer = StakeTransfer & {
  readonly mint: Address;
  readonly tokenProgram: Address;
};

export function transferReward(
  call: InvokeContext,
  { amount, tokenProgram, ...accounts }: RewardTransfer,
): void {
  const { decimals } = mintLayout.view(call.account(accounts.mint));
  const args = { amount, decimals };
  call.invoke(transferChecked.build(tokenProgram, { accounts, args }), [accounts.authority]);
}
