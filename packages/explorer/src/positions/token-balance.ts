import type { WalletBalances } from '@tidegate/client';

const SOL_MINT = 'So11111111111111111111111111111111111111112';

/** Of the token that a deposit takes from a wallet. */
export type TokenBalance = {
  /** In whole tokens. */
  readonly amount: string;
  /** What a deposit can take. */
  readonly usable: string;
  /** SOL that a deposit leaves in the wallet; undefined for other tokens. */
  readonly reserved: string | undefined;
};

/** Deposits of SOL are wrapped on their way, so SOL of the wallet counts. Undefined for a token that nothing takes. */
export function balanceOf({ sol, tokens }: WalletBalances, mint: string): TokenBalance | undefined {
  if (mint === SOL_MINT) return sol;
  const found = tokens.find((token) => token.mint === mint);
  return found && { amount: found.amount, usable: found.amount, reserved: undefined };
}
