import { toLamports } from '../../base/lamports.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-transfer.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Signer } from '../signer.ts';
import type { Player } from './player.ts';
import { giveTokens, heldBy, type Token } from './token-acts.ts';

/** For rent and fees of what somebody does next. */
const SPARE_LAMPORTS = 200_000_000n;

/** Sees to it that somebody has so much of a token: what is missing is bought from the market maker. */
export function provide(
  player: Player,
  { owner, maker }: { readonly owner: Signer; readonly maker: Signer },
  { token, amount }: { readonly token: Token; readonly amount: bigint },
): void {
  const isSol = token.mint === WRAPPED_SOL_MINT;
  const held = isSol ? lamportsOf(player, owner) : heldBy(player, owner.address, token);
  const missing = amount + (isSol ? SPARE_LAMPORTS : 0n) - held;
  if (missing <= 0n) return;
  const [from, to] = [maker.address, owner.address];
  const instructions = isSol
    ? [
        systemTransfer.build(SYSTEM_PROGRAM, {
          accounts: { from, to },
          args: { lamports: toLamports(missing) },
        }),
      ]
    : giveTokens(token, { from, to, amount: missing });
  player.act({ instructions, signers: [maker] });
}

const lamportsOf = (player: Player, { address }: Signer): bigint =>
  player.bank.account(address)?.lamports ?? 0n;
