import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { Simulator } from '../setup/simulator.ts';
import {
  type TokenRef,
  tokenBalanceOf,
  transferSol,
  transferTokensTo,
} from './token-instructions.ts';

/** Reserved for rent and fees of the next actions. */
const SPARE_LAMPORTS = 200_000_000n;

/** Buys the missing amount of a token from the market maker. */
export function ensureBalance(
  simulator: Simulator,
  { owner, maker }: { readonly owner: Signer; readonly maker: Signer },
  { token, amount }: { readonly token: TokenRef; readonly amount: bigint },
): void {
  const isSol = token.mint === WRAPPED_SOL_MINT;
  const held = isSol
    ? lamportsOf(simulator, owner)
    : tokenBalanceOf(simulator, owner.address, token);
  const missing = amount + (isSol ? SPARE_LAMPORTS : 0n) - held;
  if (missing <= 0n) return;
  const transfer = { from: maker.address, to: owner.address, amount: missing };
  const instructions = isSol ? [transferSol(transfer)] : transferTokensTo(token, transfer);
  simulator.execute({ instructions, signers: [maker] });
}

const lamportsOf = (simulator: Simulator, { address }: Signer): bigint =>
  simulator.bank.account(address)?.lamports ?? 0n;
