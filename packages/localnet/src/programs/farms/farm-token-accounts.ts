import { type Address, hasCode } from '@tidegate/core/base';
import { farmVault as farmVaultAddress } from '@tidegate/core/protocol/farms';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { requireConstraint, requireFarmRule } from './farm-constraints.ts';

/** What is read of a token account. */
export type TokenAccountView = ReturnType<typeof tokenAccount.view>;

/** Where an instruction names a token account. */
export type TokenAccountSlot = { readonly slot: string; readonly address: Address };

export const viewTokenAccount = (call: InvokeContext, address: Address): TokenAccountView =>
  decodeOrFail(() => tokenAccount.view(call.account(address)));

/** Of the older token program: all that is staked is. */
function readStakeTokens(
  call: InvokeContext,
  { slot, address }: TokenAccountSlot,
): TokenAccountView {
  const tokens = viewTokenAccount(call, address);
  const isOlder = call.account(address).owner === TOKEN_PROGRAM;
  requireConstraint(call, isOlder, ['AccountOwnedByWrongProgram', slot]);
  return tokens;
}

/** Bytes of a token program that are of another kind than asked for, or not in use. */
export function decodeOrFail<Found>(read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    const isOther = hasCode(error, 'MALFORMED_DATA') || hasCode(error, 'ACCOUNT_WRONG_SIZE');
    throw isOther ? new ProgramFailure('InvalidAccountData') : error;
  }
}

export type TokenConstraint = {
  readonly authority?: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** Owner, mint and program of a token account, in the order in which the framework looks. */
export function checkTokenAccount(
  call: InvokeContext,
  { slot, address }: TokenAccountSlot,
  rule: TokenConstraint,
): void {
  const { owner, mint } = viewTokenAccount(call, address);
  const isOwned = rule.authority === undefined || owner === rule.authority;
  requireConstraint(call, isOwned, ['ConstraintTokenOwner', slot]);
  requireConstraint(call, mint === rule.mint, ['ConstraintTokenMint', slot]);
  const isOfProgram = call.account(address).owner === rule.tokenProgram;
  requireConstraint(call, isOfProgram, ['ConstraintTokenTokenProgram', slot]);
}

/** Either token program will do for rewards. */
export function checkTokenProgram(call: InvokeContext, program: Address): void {
  const isOne = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
  requireConstraint(call, isOne, ['InvalidProgramId', 'tokenProgram']);
}

type StakeAccounts = {
  readonly farmState: Address;
  readonly farmVault: Address;
  readonly userAta: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
};

/** The two ends of a stake: the vault of the farm and an account of the owner. */
export function readStakeAccounts(
  call: InvokeContext,
  farm: FarmState,
  accounts: StakeAccounts,
): { readonly vault: TokenAccountView; readonly user: TokenAccountView } {
  const { farmVault, userAta, tokenProgram } = accounts;
  const vault = readStakeTokens(call, { slot: 'farmVault', address: farmVault });
  const user = readStakeTokens(call, { slot: 'userAta', address: userAta });
  requireConstraint(call, tokenProgram === TOKEN_PROGRAM, ['InvalidProgramId', 'tokenProgram']);
  requireConstraint(call, farm.farmVault === farmVault, ['ConstraintHasOne', 'farmState']);
  requireFarmRule(vault.delegateTag === 0, 'FarmVaultHasDelegate', 'the farm vault has a delegate');
  const isKept = vault.closeAuthorityTag === 0;
  requireFarmRule(isKept, 'FarmVaultHasCloseAuthority', 'somebody may close the farm vault');
  const address = farmVaultAddress(accounts.farmState, farm.token.mint, call.program);
  requireConstraint(call, farmVault === address, ['ConstraintSeeds', 'farmVault']);
  requireConstraint(call, user.owner === accounts.owner, ['ConstraintHasOne', 'userAta']);
  const reason = 'the token account is of another mint than the farm';
  requireFarmRule(user.mint === farm.token.mint, 'UserAtaFarmTokenMintMissmatch', reason);
  return { vault, user };
}
