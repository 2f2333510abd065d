import { type Address, hasCode } from '@tidegate/core/base';
import { farmVault as farmVaultAddress } from '@tidegate/core/protocol/farms';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { constrain, requires } from './farm-constraints.ts';

/** What is read of a token account. */
export type Tokens = ReturnType<typeof tokenAccount.view>;

/** Where an instruction names a token account. */
export type TokenSlot = { readonly slot: string; readonly address: Address };

export const readTokens = (call: Call, address: Address): Tokens =>
  readable(() => tokenAccount.view(call.account(address)));

/** Of the older token program: all that is staked is. */
function readStakeTokens(call: Call, { slot, address }: TokenSlot): Tokens {
  const tokens = readTokens(call, address);
  const isOlder = call.account(address).owner === TOKEN_PROGRAM;
  constrain(call, isOlder, ['AccountOwnedByWrongProgram', slot]);
  return tokens;
}

/** Bytes of a token program that are of another kind than asked for, or not in use. */
export function readable<Found>(read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    const isOther = hasCode(error, 'MALFORMED_DATA') || hasCode(error, 'ACCOUNT_WRONG_SIZE');
    throw isOther ? new ProgramFailure('InvalidAccountData') : error;
  }
}

export type TokenRule = {
  readonly authority?: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** Owner, mint and program of a token account, in the order in which the framework looks. */
export function checkTokens(call: Call, { slot, address }: TokenSlot, rule: TokenRule): void {
  const { owner, mint } = readTokens(call, address);
  const isOwned = rule.authority === undefined || owner === rule.authority;
  constrain(call, isOwned, ['ConstraintTokenOwner', slot]);
  constrain(call, mint === rule.mint, ['ConstraintTokenMint', slot]);
  const isOfProgram = call.account(address).owner === rule.tokenProgram;
  constrain(call, isOfProgram, ['ConstraintTokenTokenProgram', slot]);
}

/** Either token program will do for rewards. */
export function checkTokenProgram(call: Call, program: Address): void {
  const isOne = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
  constrain(call, isOne, ['InvalidProgramId', 'tokenProgram']);
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
  call: Call,
  farm: FarmState,
  accounts: StakeAccounts,
): { readonly vault: Tokens; readonly user: Tokens } {
  const { farmVault, userAta, tokenProgram } = accounts;
  const vault = readStakeTokens(call, { slot: 'farmVault', address: farmVault });
  const user = readStakeTokens(call, { slot: 'userAta', address: userAta });
  constrain(call, tokenProgram === TOKEN_PROGRAM, ['InvalidProgramId', 'tokenProgram']);
  constrain(call, farm.farmVault === farmVault, ['ConstraintHasOne', 'farmState']);
  requires(vault.delegateTag === 0, 'FarmVaultHasDelegate', 'the farm vault has a delegate');
  const isKept = vault.closeAuthorityTag === 0;
  requires(isKept, 'FarmVaultHasCloseAuthority', 'somebody may close the farm vault');
  const address = farmVaultAddress(accounts.farmState, farm.token.mint, call.program);
  constrain(call, farmVault === address, ['ConstraintSeeds', 'farmVault']);
  constrain(call, user.owner === accounts.owner, ['ConstraintHasOne', 'userAta']);
  const reason = 'the token account is of another mint than the farm';
  requires(user.mint === farm.token.mint, 'UserAtaFarmTokenMintMissmatch', reason);
  return { vault, user };
}
