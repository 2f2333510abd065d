import type { Address } from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  burn,
  mintTo,
  tokenTransfer,
  transferChecked,
} from '@tidegate/core/protocol/spl/instructions';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';

/** Who allows it: a wallet that signed, or the authority of the market, for which the program signs. */
type Allowance = { readonly wallet: Address } | { readonly lendingMarketAuthority: Address };

export type CollateralTransfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly by: Allowance;
  readonly amount: bigint;
};

export type LiquidityTransfer = CollateralTransfer & {
  readonly mint: Address;
  readonly tokenProgram: Address;
};

export function transferLiquidity(call: InvokeContext, move: LiquidityTransfer): void {
  const { source, mint, destination, by, amount } = move;
  const { decimals } = mintLayout.view(call.account(mint));
  const { authority, derived } = authorityOf(by);
  const accounts = { source, mint, destination, authority };
  const args = { amount, decimals };
  call.invoke(transferChecked.build(move.tokenProgram, { accounts, args }), derived);
}

/** cTokens are always of the Token program. */
export function transferCollateral(
  call: InvokeContext,
  { source, destination, by, amount }: CollateralTransfer,
): void {
  const { authority, derived } = authorityOf(by);
  const accounts = { source, destination, authority };
  call.invoke(tokenTransfer.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

export type CollateralSupplyChange = {
  readonly mint: Address;
  readonly account: Address;
  readonly by: Allowance;
  readonly amount: bigint;
};

export function mintCollateral(
  call: InvokeContext,
  { mint, account, by, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(by);
  const accounts = { mint, account, mintAuthority: authority };
  call.invoke(mintTo.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

export function burnCollateral(
  call: InvokeContext,
  { mint, account, by, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(by);
  const accounts = { account, mint, authority };
  call.invoke(burn.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

function authorityOf(by: Allowance): { authority: Address; derived: readonly Address[] } {
  if ('wallet' in by) return { authority: by.wallet, derived: [] };
  const authority = by.lendingMarketAuthority;
  return { authority, derived: [authority] };
}
