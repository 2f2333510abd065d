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

/** A wallet that has signed, or the market authority, which the program signs for. */
type TransferSigner = { readonly wallet: Address } | { readonly lendingMarketAuthority: Address };

export type CollateralTransfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly signer: TransferSigner;
  readonly amount: bigint;
};

export type LiquidityTransfer = CollateralTransfer & {
  readonly mint: Address;
  readonly tokenProgram: Address;
};

export function transferLiquidity(call: InvokeContext, transfer: LiquidityTransfer): void {
  const { source, mint, destination, signer, amount } = transfer;
  const { decimals } = mintLayout.view(call.account(mint));
  const { authority, derived } = authorityOf(signer);
  const accounts = { source, mint, destination, authority };
  const args = { amount, decimals };
  call.invoke(transferChecked.build(transfer.tokenProgram, { accounts, args }), derived);
}

/** cTokens always use the Token program. */
export function transferCollateral(
  call: InvokeContext,
  { source, destination, signer, amount }: CollateralTransfer,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { source, destination, authority };
  call.invoke(tokenTransfer.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

export type CollateralSupplyChange = {
  readonly mint: Address;
  readonly account: Address;
  readonly signer: TransferSigner;
  readonly amount: bigint;
};

export function mintCollateral(
  call: InvokeContext,
  { mint, account, signer, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { mint, account, mintAuthority: authority };
  call.invoke(mintTo.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

export function burnCollateral(
  call: InvokeContext,
  { mint, account, signer, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { account, mint, authority };
  call.invoke(burn.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

function authorityOf(signer: TransferSigner): { authority: Address; derived: readonly Address[] } {
  if ('wallet' in signer) return { authority: signer.wallet, derived: [] };
  const authority = signer.lendingMarketAuthority;
  return { authority, derived: [authority] };
}
