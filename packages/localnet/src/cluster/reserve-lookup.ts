import type { Address, KeyedAccount } from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { CodedError } from '../errors/index.ts';
import type { Bank } from '../runtime/bank.ts';

/** The reserve itself, or all reserves of a mint. */
export function findReserves(
  bank: Bank,
  token: Address,
  reserves: readonly KeyedAccount[],
): readonly Address[] {
  const account = bank.account(token);
  if (account !== undefined && reserveLayout.matches(account)) return [token];
  const found = reserves.filter(
    (each) => reserveLayout.view(each.account).liquidity.mintPubkey === token,
  );
  if (found.length === 0) {
    const reason = `${token} is neither a reserve nor the mint of one`;
    throw new CodedError('MALFORMED_DATA', { what: 'token', reason });
  }
  return found.map(({ address }) => address);
}

export function priceFeedOf(bank: Bank, reserve: Address): Address | undefined {
  const account = bank.account(reserve);
  if (account === undefined || !reserveLayout.matches(account)) return undefined;
  return reserveLayout.view(account).config.tokenInfo.scopeConfiguration.priceFeed;
}
