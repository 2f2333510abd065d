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

/** A place with what is there now: the wallet's loan, and what is missing for it. */
export type LendingPosition = LendingActionContext & {
  readonly loan: LoanAccount | undefined;
  readonly hasMetadata: boolean;
  readonly hasFarmUser: boolean;
  /** Of the loan, or of the wallet where there is none yet. */
  readonly referrer: Address | undefined;
  /** Of a borrow with a referrer: where the referrer's share is counted. */
  readonly referrerState: Address | undefined;
  readonly hasReferrerState: boolean;
};

/** An obligation as it was read. Reserves are by place, without the free ones. */
export type LoanAccount = {
  readonly account: WalletAccount;
  readonly fields: ObligationView;
  readonly deposits: readonly Address[];
  readonly borrows: readonly Address[];
};

/** Addresses to read before the place is known, without those that were. */
export function requiredLendingAccounts(
  place: LendingActionContext,
  scene: BuildContext,
): readonly Address[] {
  const { wallet, token, userMetadata, obligation, farm } = place;
  const { lookupTable } = readWalletMetadata(scene, wallet) ?? {};
  const referrerState = referrerStateOf(place, scene);
  const named = [farm?.user, lookupTable, referrerState].filter((address) => address !== undefined);
  return unreadAddresses(
    [wallet, ...requiredTokenAccounts(token), userMetadata, obligation, ...named],
    scene,
  );
}

/** What the wallet's metadata names, as it was read or as it is remembered. Worth remembering: it never changes. */
export function readWalletMetadata(
  { accounts, facts }: BuildContext,
  wallet: Address,
): WalletMetadata | undefined {
  for (const account of accounts.values()) {
    if (account === undefined || !metadataLayout.matches(account)) continue;
    const { owner, userLookupTable, referrer } = metadataLayout.view(account);
    if (owner !== wallet) continue;
    return { lookupTable: nonZeroAddress(userLookupTable), referrer: nonZeroAddress(referrer) };
  }
  return facts;
}

export function readLendingPosition(
  place: LendingActionContext,
  scene: BuildContext,
): LendingPosition {
  requireAccountsRead(requiredLendingAccounts(place, scene), scene);
  const { farm, userMetadata } = place;
  const referrerState = referrerStateOf(place, scene);
  const exists = (address: Address | undefined): boolean =>
    address !== undefined && existingAccount(address, scene) !== undefined;
  return {
    ...place,
    loan: readLoan(place, scene),
    hasMetadata: exists(userMetadata),
    hasFarmUser: exists(farm?.user),
    referrer: referrerOf(place, scene),
    referrerState,
    hasReferrerState: exists(referrerState),
  };
}

/** For what only makes sense with a loan. */
export function requireLoanAccount({ loan, wallet, market }: LendingPosition): LoanAccount {
  if (loan !== undefined) return loan;
  throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: market.address });
}

function readLoan(place: LendingActionContext, scene: BuildContext): LoanAccount | undefined {
  const account = existingAccount(place.obligation, scene);
  if (account === undefined) return undefined;
  const fields = obligationLayout.view(account);
  if (fields.owner !== place.wallet) {
    const reason = `The loan ${place.obligation} belongs to ${fields.owner} now. Act with that wallet.`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
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

function referrerOf(place: LendingActionContext, scene: BuildContext): Address | undefined {
  const account = existingAccount(place.obligation, scene);
  return account === undefined
    ? readWalletMetadata(scene, place.wallet)?.referrer
    : nonZeroAddress(obligationLayout.view(account).referrer);
}

function referrerStateOf(place: LendingActionContext, scene: BuildContext): Address | undefined {
  const referrer = place.intent === 'borrow' ? referrerOf(place, scene) : undefined;
  return referrer === undefined
    ? undefined
    : referrerTokenStateAddress(referrer, place.reserve.address, place.program);
}
