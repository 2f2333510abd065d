import { type Address, nonZeroAddress } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import {
  type ObligationView,
  obligation as obligationLayout,
} from '../../protocol/klend/layout/obligation.ts';
import { userMetadata as metadataLayout } from '../../protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress } from '../../protocol/klend/pda.ts';
import type { BuildContext, WalletAccount, WalletMetadata } from '../build.ts';
import { requiredTokenAccounts } from '../wallet/token-accounts.ts';
import {
  existingAccount,
  requireAccountsRead,
  unreadAddresses,
} from '../wallet/wallet-accounts.ts';
import type { LendingActionContext } from './lending-action-context.ts';

/** An action context with the wallet's loan, and which accounts exist. */
export type LendingPosition = LendingActionContext & {
  readonly loan: LoanAccount | undefined;
  readonly hasMetadata: boolean;
  readonly hasFarmUser: boolean;
  /** From the loan, or from the wallet's metadata if there is no loan yet. */
  readonly referrer: Address | undefined;
  /** Only for a borrow with a referrer: the account that accumulates the referrer's fees. */
  readonly referrerState: Address | undefined;
  readonly hasReferrerState: boolean;
};

/** An obligation as read, with the reserves of its used slots. */
export type LoanAccount = {
  readonly account: WalletAccount;
  readonly fields: ObligationView;
  readonly deposits: readonly Address[];
  readonly borrows: readonly Address[];
};

/** Addresses to read before `readLendingPosition`; without those already read. */
export function requiredLendingAccounts(
  target: LendingActionContext,
  context: BuildContext,
): readonly Address[] {
  const { wallet, token, userMetadata, obligation, farm } = target;
  const { lookupTable } = readWalletMetadata(context, wallet) ?? {};
  const referrerState = referrerStateOf(target, context);
  const optional = [farm?.user, lookupTable, referrerState].filter(
    (address) => address !== undefined,
  );
  return unreadAddresses(
    [wallet, ...requiredTokenAccounts(token), userMetadata, obligation, ...optional],
    context,
  );
}

/**
 * The wallet's metadata from the read accounts, or else the cached one. It never changes once set.
 */
export function readWalletMetadata(
  { accounts, walletMetadata }: BuildContext,
  wallet: Address,
): WalletMetadata | undefined {
  for (const account of accounts.values()) {
    if (account === undefined || !metadataLayout.matches(account)) continue;
    const { owner, userLookupTable, referrer } = metadataLayout.view(account);
    if (owner !== wallet) continue;
    return { lookupTable: nonZeroAddress(userLookupTable), referrer: nonZeroAddress(referrer) };
  }
  return walletMetadata;
}

export function readLendingPosition(
  target: LendingActionContext,
  context: BuildContext,
): LendingPosition {
  requireAccountsRead(requiredLendingAccounts(target, context), context);
  const { farm, userMetadata } = target;
  const referrerState = referrerStateOf(target, context);
  const exists = (address: Address | undefined): boolean =>
    address !== undefined && existingAccount(address, context) !== undefined;
  return {
    ...target,
    loan: readLoan(target, context),
    hasMetadata: exists(userMetadata),
    hasFarmUser: exists(farm?.user),
    referrer: referrerOf(target, context),
    referrerState,
    hasReferrerState: exists(referrerState),
  };
}

/** For actions that require a loan. */
export function requireLoanAccount({ loan, wallet, market }: LendingPosition): LoanAccount {
  if (loan !== undefined) return loan;
  throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: market.address });
}

type LoanTarget = Pick<LendingActionContext, 'wallet' | 'market' | 'obligation' | 'program'>;

/** Undefined if the loan does not exist. Throws if the address is not that of a loan of the wallet in the market. */
export function readLoan(target: LoanTarget, context: BuildContext): LoanAccount | undefined {
  const { wallet, obligation, program, market } = target;
  const account = existingAccount(obligation, context);
  if (account === undefined) return undefined;
  const isLoan = account.owner === program && obligationLayout.matches(account);
  const loan = isLoan ? loanOfAccount(account) : undefined;
  if (loan?.fields.lendingMarket !== market.address) {
    throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: market.address });
  }
  if (loan.fields.owner === wallet) return loan;
  const reason = `The loan ${obligation} now belongs to ${loan.fields.owner}. Use that wallet.`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

export function loanOfAccount(account: WalletAccount): LoanAccount {
  const fields = obligationLayout.view(account);
  return {
    account,
    fields,
    deposits: [...fields.deposits].flatMap(
      ({ depositReserve }) => nonZeroAddress(depositReserve) ?? [],
    ),
    borrows: [...fields.borrows].flatMap(
      ({ borrowReserve }) => nonZeroAddress(borrowReserve) ?? [],
    ),
  };
}

function referrerOf(target: LendingActionContext, context: BuildContext): Address | undefined {
  const account = existingAccount(target.obligation, context);
  return account === undefined || !obligationLayout.matches(account)
    ? readWalletMetadata(context, target.wallet)?.referrer
    : nonZeroAddress(obligationLayout.view(account).referrer);
}

function referrerStateOf(target: LendingActionContext, context: BuildContext): Address | undefined {
  const referrer = target.action === 'borrow' ? referrerOf(target, context) : undefined;
  return referrer === undefined
    ? undefined
    : referrerTokenStateAddress(referrer, target.reserve.address, target.program);
}
