import type { Address } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  unsupportedExtensions,
} from '@tidegate/core/protocol/spl';
import {
  burn,
  mintTo,
  tokenTransfer,
  transferChecked,
} from '@tidegate/core/protocol/spl/instructions';
import {
  type Extension,
  mint,
  mint as mintLayout,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type UserTokenAccount = {
  /** Its name in the instruction. */
  readonly slot: string;
  readonly address: Address;
  /** Undefined if the program leaves the check to the token program. */
  readonly mint?: Address;
  readonly owner?: Address;
};

/** A token account of the caller. */
export function requireTokenAccount(
  call: InvokeContext,
  { slot, address, ...expected }: UserTokenAccount,
): void {
  const account = viewOrFail(() => tokenAccount.view(call.account(address)));
  if (expected.mint !== undefined && account.mint !== expected.mint) {
    throw anchorFailure(call, 'ConstraintTokenMint', slot);
  }
  if (expected.owner !== undefined && account.owner !== expected.owner) {
    throw anchorFailure(call, 'ConstraintTokenOwner', slot);
  }
}

/** The mint must belong to the given token program. */
export function requireMintProgram(
  call: InvokeContext,
  mintAddress: Address,
  program: Address,
): void {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) {
    throw anchorFailure(call, 'InvalidProgramId', 'tokenProgram');
  }
  if (call.account(mintAddress).owner === program) return;
  throw anchorFailure(call, 'ConstraintMintTokenProgram', 'reserveLiquidityMint');
}

/** Rejects extensions that would break the program's accounting. */
export function requireSupportedExtensions(
  call: InvokeContext,
  { mint: mintAddress, account }: { readonly mint: Address; readonly account: Address },
): void {
  const mintAccount = call.account(mintAddress);
  if (mintAccount.owner !== TOKEN_2022_PROGRAM) return;
  const mintExtensions = unsupportedExtensions(viewOrFail(() => mint.decode(mintAccount)));
  const userAccount = call.account(account);
  const accountExtensions =
    viewOrFail(() => tokenAccount.decode(userAccount)).extensions?.entries ?? [];
  const [rejected] = [
    ...mintExtensions,
    ...accountExtensions.filter((entry) => !isSupportedByAccounts(entry)),
  ];
  if (rejected === undefined) return;
  throw klendRejection(
    'UnsupportedTokenExtension',
    `its extension ${rejected.kind} is not allowed`,
  );
}

const CONFIDENTIAL_TRANSFER_ACCOUNT = 5;
const CONFIDENTIAL_TRANSFER_FEE_AMOUNT = 17;

function isSupportedByAccounts(entry: Extension): boolean {
  switch (entry.kind) {
    case 'transferFeeAmount':
    case 'transferHookAccount':
    case 'pausableAccount':
    case 'immutableOwner':
      return true;
    case 'other':
      return entry.type === CONFIDENTIAL_TRANSFER_ACCOUNT
        ? hasNoConfidentialBalance(entry.data)
        : entry.type === CONFIDENTIAL_TRANSFER_FEE_AMOUNT;
    default:
      return false;
  }
}

/** After the approval and a key: three balance ciphertexts, a number for the owner, two flags. */
const BALANCES_AT = 1 + 32;
const BALANCES_END = BALANCES_AT + 3 * 64;
const FLAGS_AT = BALANCES_END + 36;

/** Rejects confidential credits, accepts plain ones, and has no confidential balance. */
const hasNoConfidentialBalance = (data: Uint8Array): boolean =>
  data[FLAGS_AT] === 0 &&
  data[FLAGS_AT + 1] === 1 &&
  data.subarray(BALANCES_AT, BALANCES_END).every((byte) => byte === 0);

function viewOrFail<Fields>(view: () => Fields): Fields {
  try {
    return view();
  } catch (error) {
    if (hasCode(error, 'MALFORMED_DATA')) throw new ProgramFailure('InvalidAccountData');
    throw error;
  }
}

/** A wallet that has signed, or the market authority, which the program signs for. */
type TransferSigner = { readonly wallet: Address } | { readonly lendingMarketAuthority: Address };

type CollateralTransfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly signer: TransferSigner;
  readonly amount: bigint;
};

type LiquidityTransfer = CollateralTransfer & {
  readonly mint: Address;
  readonly tokenProgram: Address;
};

export function transferLiquidity(call: InvokeContext, transfer: LiquidityTransfer): void {
  const { source, mint, destination, signer, amount } = transfer;
  const { decimals } = mintLayout.view(call.account(mint));
  const { authority, derived } = authorityOf(signer);
  const accounts = { source, mint, destination, authority };
  const args = { amount, decimals };
  call.invoke(transferChecked.build(transfer.tokenProgram, { accounts, args }), derived);
}

/** cTokens always use the Token program. */
export function transferCollateral(
  call: InvokeContext,
  { source, destination, signer, amount }: CollateralTransfer,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { source, destination, authority };
  call.invoke(tokenTransfer.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

type CollateralSupplyChange = {
  readonly mint: Address;
  readonly account: Address;
  readonly signer: TransferSigner;
  readonly amount: bigint;
};

export function mintCollateral(
  call: InvokeContext,
  { mint, account, signer, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { mint, account, mintAuthority: authority };
  call.invoke(mintTo.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

export function burnCollateral(
  call: InvokeContext,
  { mint, account, signer, amount }: CollateralSupplyChange,
): void {
  const { authority, derived } = authorityOf(signer);
  const accounts = { account, mint, authority };
  call.invoke(burn.build(TOKEN_PROGRAM, { accounts, args: { amount } }), derived);
}

function authorityOf(signer: TransferSigner): { authority: Address; derived: readonly Address[] } {
  if ('wallet' in signer) return { authority: signer.wallet, derived: [] };
  const authority = signer.lendingMarketAuthority;
  return { authority, derived: [authority] };
}
