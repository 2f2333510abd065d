import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { Simulator } from '../setup/simulator.ts';
import {
  type TokenRef,
  tokenBalanceOf,
  transferSol,
  transferTokensTo,
} from './token-instructions.ts';

/** For rent and fees of what somebody does next. */
const SPARE_LAMPORTS = 200_000_000n;

/** Sees to it that somebody has so much of a token: what is missing is bought from the market maker. */
export function ensureBalance(
  player: Simulator,
  { owner, maker }: { readonly owner: Signer; readonly maker: Signer },
  { token, amount }: { readonly token: TokenRef; readonly amount: bigint },
): void {
  const isSol = token.mint === WRAPPED_SOL_MINT;
  const held = isSol ? lamportsOf(player, owner) : tokenBalanceOf(player, owner.address, token);
  const missing = amount + (isSol ? SPARE_LAMPORTS : 0n) - held;
  if (missing <= 0n) return;
  const gift = { from: maker.address, to: owner.address, amount: missing };
  const instructions = isSol ? [transferSol(gift)] : transferTokensTo(token, gift);
  player.act({ instructions, signers: [maker] });
}

const lamportsOf = (player: Simulator, { address }: Signer): bigint =>
  player.bank.account(address)?.lamports ?? 0n;
