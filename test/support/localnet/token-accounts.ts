import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { AccountMeta, Instruction, Role } from '#core/base/solana/instruction.ts';
import type { Extension, Extensions } from '#core/protocol/spl/layout/extensions.ts';
import type { Mint } from '#core/protocol/spl/layout/mint.ts';
import type { TokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { type AccountEntries, mintAccount, tokenHolding } from './run-native.ts';

/** Alice has 100 tokens of a mint and Bob 20; the mint has a mint and a freeze authority. */
export const ALICE = numberedAddress(1);
export const BOB = numberedAddress(2);
export const CAROL = numberedAddress(3);
export const MINT = numberedAddress(4);
export const OTHER_MINT = numberedAddress(5);
export const MINTER = numberedAddress(6);
export const FREEZER = numberedAddress(7);
export const ALICE_TOKENS = numberedAddress(8);
export const BOB_TOKENS = numberedAddress(9);

type TokenSetup = {
  readonly program?: Address;
  readonly mint?: Partial<Mint>;
  readonly alice?: Partial<TokenAccount>;
  readonly bob?: Partial<TokenAccount>;
};

export function tokenAccounts({
  program = TOKEN_PROGRAM,
  mint,
  alice,
  bob,
}: TokenSetup = {}): AccountEntries {
  const authorities = { mintAuthority: MINTER, freezeAuthority: FREEZER };
  return [
    [MINT, mintAccount({ supply: toLamports(120n), ...authorities, ...mint }, program)],
    [OTHER_MINT, mintAccount(authorities, program)],
    [ALICE_TOKENS, tokenHolding({ ...holding(ALICE, 100n), ...alice }, program)],
    [BOB_TOKENS, tokenHolding({ ...holding(BOB, 20n), ...bob }, program)],
  ];
}

/** Rent of an account without extensions. */
const RENT = toLamports(2_039_280n);

export const wrappedSol = (amount: bigint): Partial<TokenAccount> => ({
  mint: WRAPPED_SOL_MINT,
  isNative: RENT,
  amount: toLamports(amount),
});

/** Token-2022 mint and accounts with these extensions. */
export const extendedTokenAccounts = (
  mintExtensions: readonly Extension[],
  accountExtensions: readonly Extension[] = [],
): TokenSetup => {
  const extensions = extensionsOf(accountExtensions);
  return {
    program: TOKEN_2022_PROGRAM,
    mint: { extensions: extensionsOf(mintExtensions) },
    alice: { extensions },
    bob: { extensions },
  };
};

export const extensionsOf = (entries: readonly Extension[]): Extensions => ({
  entries,
  rest: new Uint8Array(),
});

/** The instruction with another role for one of its accounts. */
export const withRole = (instruction: Instruction, address: Address, role: Role): Instruction => ({
  ...instruction,
  accounts: instruction.accounts.map(
    (meta): AccountMeta => (meta.address === address ? { address, role } : meta),
  ),
});

const holding = (owner: Address, amount: bigint) => ({
  mint: MINT,
  owner,
  amount: toLamports(amount),
});
