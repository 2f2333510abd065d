import type { Address } from '../../base/address.ts';
import type { Instruction } from '../../base/instruction.ts';
import { associatedToken } from '../../protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/create-associated-token-idempotent.ts';
import { transferChecked } from '../../protocol/spl/instructions/transfer-checked.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import type { Player } from './player.ts';

export type Token = {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
};

export function heldBy(player: Player, owner: Address, { mint, tokenProgram }: Token): bigint {
  const account = player.bank.account(associatedToken(owner, mint, tokenProgram));
  return account === undefined ? 0n : tokenAccount.decode(account).amount;
}

/** An account for a token, if it is missing. */
export const openTokens = ({ mint, tokenProgram }: Token, owner: Address): Instruction =>
  createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      ...{ payer: owner, ata: associatedToken(owner, mint, tokenProgram), owner, mint },
      ...{ systemProgram: SYSTEM_PROGRAM, tokenProgram },
    },
    args: {},
  });

/** Tokens from one to another, whose account for them is made if it is missing. */
export function giveTokens(
  token: Token,
  { from, to, amount }: { readonly from: Address; readonly to: Address; readonly amount: bigint },
): Instruction[] {
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [from, to].map((owner) =>
    associatedToken(owner, mint, tokenProgram),
  );
  if (source === undefined || destination === undefined) return [];
  return [
    createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
      accounts: {
        ...{ payer: from, ata: destination, owner: to, mint },
        ...{ systemProgram: SYSTEM_PROGRAM, tokenProgram },
      },
      args: {},
    }),
    transferChecked.build(tokenProgram, {
      accounts: { source, mint, destination, authority: from },
      args: { amount, decimals },
    }),
  ];
}
