import { type Address, hasCode } from '@tidegate/core/base';
import { farmVault as farmVaultAddress } from '@tidegate/core/protocol/farms';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { requireConstraint, requireFarmRule } from './farm-constraints.ts';

export type TokenAccountView = ReturnType<typeof tokenAccount.view>;

/** A token account of an instruction. */
export type TokenAccountSlot = { readonly slot: string; readonly address: Address };

export const viewTokenAccount = (call: InvokeContext, address: Address): TokenAccountView =>
  decodeOrFail(() => tokenAccount.view(call.account(address)));

/** All stakes are tokens of the original token program. */
function readStakeTokens(
  call: InvokeContext,
  { slot, address }: TokenAccountSlot,
): TokenAccountView {
  const tokens = viewTokenAccount(call, address);
  const isTokenProgram = call.account(address).owner === TOKEN_PROGRAM;
  requireConstraint(call, isTokenProgram, ['AccountOwnedByWrongProgram', slot]);
  return tokens;
}

/** Token program data of another type, or not initialized. */
export function decodeOrFail<Decoded>(read: () => Decoded): Decoded {
  try {
    return read();
  } catch (error) {
    const isMalformed = hasCode(error, 'MALFORMED_DATA') || hasCode(error, 'ACCOUNT_WRONG_SIZE');
    throw isMalformed ? new ProgramFailure('InvalidAccountData') : error;
  }
}

export type TokenConstraint = {
  readonly authority?: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** Checks owner, mint and program of a token account, in Anchor's order. */
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

/** Rewards may use either token program. */
export function checkTokenProgram(call: InvokeContext, program: Address): void {
  const isKnown = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
  requireConstraint(call, isKnown, ['InvalidProgramId', 'tokenProgram']);
}

type StakeAccounts = {
  readonly farmState: Address;
  readonly farmVault: Address;
  readonly userAta: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
};

/** The vault of the farm and the owner's token account. */
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
  const hasNoCloseAuthority = vault.closeAuthorityTag === 0;
  requireFarmRule(
    hasNoCloseAuthority,
    'FarmVaultHasCloseAuthority',
    'somebody may close the farm vault',
  );
  const address = farmVaultAddress(accounts.farmState, farm.token.mint, call.program);
  requireConstraint(call, farmVault === address, ['ConstraintSeeds', 'farmVault']);
  requireConstraint(call, user.owner === accounts.owner, ['ConstraintHasOne', 'userAta']);
  const reason = 'the token account is of another mint than the farm';
  requireFarmRule(user.mint === farm.token.mint, 'UserAtaFarmTokenMintMissmatch', reason);
  return { vault, user };
}
