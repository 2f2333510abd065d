import { type Address, type Instruction, toLamports } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import {
  closeAccount,
  createAssociatedTokenIdempotent,
  syncNative,
  systemTransfer,
  transferChecked,
} from '@tidegate/core/protocol/spl/instructions';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Simulator } from '../setup/simulator.ts';

export type TokenRef = {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
};

export function tokenBalanceOf(
  simulator: Simulator,
  owner: Address,
  { mint, tokenProgram }: TokenRef,
): bigint {
  const account = simulator.bank.account(associatedTokenAddress(owner, mint, tokenProgram));
  return account === undefined ? 0n : tokenAccount.decode(account).amount;
}

/** Creates the associated token account if it is missing. */
export const openTokenAccount = ({ mint, tokenProgram }: TokenRef, owner: Address): Instruction =>
  createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: owner,
      ata: associatedTokenAddress(owner, mint, tokenProgram),
      owner,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram,
    },
    args: {},
  });

/** Transfers tokens, and creates the recipient's token account if it is missing. */
export function transferTokensTo(
  token: TokenRef,
  { from, to, amount }: { readonly from: Address; readonly to: Address; readonly amount: bigint },
): Instruction[] {
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [from, to].map((owner) =>
    associatedTokenAddress(owner, mint, tokenProgram),
  );
  if (source === undefined || destination === undefined) return [];
  return [
    createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
      accounts: {
        payer: from,
        ata: destination,
        owner: to,
        mint,
        systemProgram: SYSTEM_PROGRAM,
        tokenProgram,
      },
      args: {},
    }),
    transferChecked.build(tokenProgram, {
      accounts: { source, mint, destination, authority: from },
      args: { amount, decimals },
    }),
  ];
}

export const transferSol = ({
  from,
  to,
  amount,
}: {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}): Instruction =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from, to },
    args: { lamports: toLamports(amount) },
  });

const wrappedAccount = (owner: Address): Address =>
  associatedTokenAddress(owner, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

export const wrapSol = (owner: Address, amount: bigint): Instruction[] => [
  openTokenAccount({ mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM }, owner),
  transferSol({ from: owner, to: wrappedAccount(owner), amount }),
  syncNative.build(TOKEN_PROGRAM, { accounts: { account: wrappedAccount(owner) }, args: {} }),
];

/** Closes the wrapped SOL account, which returns all of its lamports. */
export const unwrapSol = (owner: Address): Instruction =>
  closeAccount.build(TOKEN_PROGRAM, {
    accounts: { account: wrappedAccount(owner), destination: owner, owner },
    args: {},
  });
