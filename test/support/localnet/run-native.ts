import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type Mint, mint } from '#core/protocol/spl/layout/mint.ts';
import { type TokenAccount, tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import { executeInstructions } from '#localnet/runtime/execute-instructions.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { exampleRentLamports } from './example-token.ts';

export type AccountEntries = readonly (readonly [Address, ClusterAccount])[];

export const NOW: ChainTime = { slot: toSlot(1_000n), unix: toUnixSeconds(1_760_000_000n) };

/** Executes one transaction with the standard programs. `account` reads an account afterwards. */
export function runNative(
  accounts: AccountEntries,
  instructions: readonly Instruction[],
  time = NOW,
) {
  const bank = new Map(accounts);
  const overlay = new TransactionAccounts({ account: (address) => bank.get(address) });
  const programs = new Map(standardPrograms);
  const result = executeInstructions({
    programs,
    accounts: overlay,
    time,
    instructions,
    unitLimit: 1_400_000,
  });
  return {
    ...result,
    account: (address: Address) => overlay.get(address),
    token: (address: Address) => tokenAccount.decode(overlay.get(address)),
    mint: (address: Address) => mint.decode(overlay.get(address)),
  };
}

export const walletAccount = (lamports = 10_000_000_000n): ClusterAccount => ({
  owner: SYSTEM_PROGRAM,
  lamports,
  data: new Uint8Array(),
});

/** A rent-exempt mint with nine decimals. */
export function mintAccount(fields: Partial<Mint>, program = TOKEN_PROGRAM): ClusterAccount {
  const data = mint.encode({
    mintAuthorityTag: fields.mintAuthority === undefined ? 0 : 1,
    mintAuthority: ZERO_ADDRESS,
    supply: toLamports(0n),
    decimals: 9,
    isInitialized: 1,
    freezeAuthorityTag: fields.freezeAuthority === undefined ? 0 : 1,
    freezeAuthority: ZERO_ADDRESS,
    extensions: undefined,
    ...fields,
  });
  return { owner: program, lamports: exampleRentLamports(data), data };
}

/** A rent-exempt token account. For wrapped SOL, the lamports include the tokens. */
export function tokenHolding(
  fields: Partial<TokenAccount>,
  program = TOKEN_PROGRAM,
): ClusterAccount {
  const data = tokenAccount.encode({
    mint: ZERO_ADDRESS,
    owner: ZERO_ADDRESS,
    amount: toLamports(0n),
    delegateTag: fields.delegate === undefined ? 0 : 1,
    delegate: ZERO_ADDRESS,
    state: 1,
    isNativeTag: fields.isNative === undefined ? 0 : 1,
    isNative: toLamports(0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: fields.closeAuthority === undefined ? 0 : 1,
    closeAuthority: ZERO_ADDRESS,
    extensions: undefined,
    ...fields,
  });
  const tokens = fields.isNative === undefined ? 0n : (fields.amount ?? 0n);
  return { owner: program, lamports: exampleRentLamports(data) + tokens, data };
}

/** A zeroed, rent-exempt account of a program. */
export const emptyProgramAccount = (size: number, program = TOKEN_PROGRAM): ClusterAccount => {
  const data = new Uint8Array(size);
  return { owner: program, lamports: exampleRentLamports(data), data };
};
