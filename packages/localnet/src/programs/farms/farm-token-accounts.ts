import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { farmsRejection, farmVault as farmVaultAddress } from '@tidegate/core/protocol/farms';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenTransfer, transferChecked } from '@tidegate/core/protocol/spl/instructions';
import {
  type Extension,
  mint,
  mint as mintLayout,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { requireConstraint, requireFarmRule } from './farm-accounts.ts';

type TokenAccountView = ReturnType<typeof tokenAccount.view>;

/** A token account of an instruction. */
type TokenAccountSlot = { readonly slot: string; readonly address: Address };

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

type TokenConstraint = {
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

type StakeTransfer = {
  readonly source: Address;
  readonly destination: Address;
  /** A wallet that has signed, or the farm's vault authority, which the program signs for. */
  readonly authority: Address;
  readonly amount: bigint;
};

export function transferStake(call: InvokeContext, { amount, ...accounts }: StakeTransfer): void {
  const transfer = tokenTransfer.build(TOKEN_PROGRAM, { accounts, args: { amount } });
  call.invoke(transfer, [accounts.authority]);
}

type RewardTransfer = StakeTransfer & {
  readonly mint: Address;
  readonly tokenProgram: Address;
};

export function transferReward(
  call: InvokeContext,
  { amount, tokenProgram, ...accounts }: RewardTransfer,
): void {
  const { decimals } = mintLayout.view(call.account(accounts.mint));
  const args = { amount, decimals };
  call.invoke(transferChecked.build(tokenProgram, { accounts, args }), [accounts.authority]);
}

/** Allowed extension types that are stored as raw data. */
const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const TOKEN_METADATA = 19;
const INITIALIZED = 1;

/** Rejects reward mints with extensions that may reduce or block a payout. */
export function checkRewardMint(call: InvokeContext, address: Address): void {
  const { extensions } = decodeOrFail(() => mint.decode(call.account(address)));
  const rejected = extensions?.entries.find((entry) => !isAllowed(entry));
  if (rejected === undefined) return;
  throw farmsRejection(
    'UnsupportedTokenExtension',
    `its extension ${rejected.kind} is not allowed`,
  );
}

function isAllowed(entry: Extension): boolean {
  switch (entry.kind) {
    case 'confidentialTransferMint':
    case 'mintCloseAuthority':
    case 'metadataPointer':
    case 'permanentDelegate':
      return true;
    case 'transferFeeConfig':
      return (
        entry.value.olderTransferFee.transferFeeBasisPoints === 0 &&
        entry.value.newerTransferFee.transferFeeBasisPoints === 0
      );
    case 'transferHook':
      return entry.value.programId === ZERO_ADDRESS;
    case 'defaultAccountState':
      return entry.value.state === INITIALIZED;
    case 'other':
      return entry.type === CONFIDENTIAL_TRANSFER_FEE_CONFIG || entry.type === TOKEN_METADATA;
    default:
      return false;
  }
}
