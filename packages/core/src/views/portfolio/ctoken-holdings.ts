import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { ratioOfUnits } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import type { RawAccount } from '../../base/solana/account.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import {
  type AddressedAccount,
  type MarketSnapshot,
  requireReserveSnapshot,
} from '../lending/market-snapshot.ts';
import { collateralPosition } from '../lending/obligation-positions.ts';
import { type ReserveSnapshot, toWholeTokens } from '../lending/reserve-snapshot.ts';
import { computeFigure } from '../lending/unavailable-figures.ts';
import { collectSection, type PortfolioSection } from './portfolio.ts';

/** A wallet's token account for the cTokens of a reserve, which may not exist. */
export type CTokenAccount = {
  readonly address: Address;
  readonly ctokenMint: Address;
  readonly reserve: Address;
  readonly market: Address;
};

/** cTokens in a wallet, outside of any loan. Amounts are whole tokens, the value is in USD. */
export type CTokenHolding = Pick<CTokenAccount, 'ctokenMint' | 'market'> & {
  readonly reserve: ReserveSnapshot;
  readonly ctokens: Ratio;
  /** The underlying tokens, with interest. */
  readonly tokens: Ratio;
  readonly value: Sf;
};

/** The associated token accounts of a wallet. */
export const ctokenAccounts = (
  owner: Address,
  reserves: readonly AddressedAccount<ReserveView>[],
): CTokenAccount[] =>
  reserves.map(({ address: reserve, fields }) => {
    const { mintPubkey: ctokenMint } = fields.collateral;
    const address = associatedTokenAddress(owner, ctokenMint, TOKEN_PROGRAM);
    return { address, ctokenMint, reserve, market: fields.lendingMarket };
  });

/** The accounts with a balance. One that cannot be valued is omitted. */
export function viewCTokenHoldings(
  accounts: readonly CTokenAccount[],
  read: ReadonlyMap<Address, RawAccount | undefined>,
  marketOf: (address: Address) => MarketSnapshot | undefined,
): PortfolioSection<CTokenHolding> {
  return collectSection(accounts, (account) => {
    const amount = balanceOf(account, read.get(account.address));
    if (amount === 0n) return undefined;
    const { ctokenMint, market: address } = account;
    const market = marketOf(address);
    if (market === undefined) {
      throw new CodedError('ACCOUNT_UNREADABLE', { address, reason: 'no such market is known' });
    }
    const reserve = requireReserveSnapshot(market, account.reserve);
    const position = computeFigure(account.reserve, () => collateralPosition(reserve, amount));
    return {
      ctokenMint,
      market: address,
      reserve,
      ctokens: ratioOfUnits(amount, reserve.decimals),
      tokens: toWholeTokens(reserve, position.amount),
      value: position.value,
    };
  });
}

const balanceOf = ({ ctokenMint }: CTokenAccount, account: RawAccount | undefined): bigint => {
  if (account === undefined || !tokenAccount.matches(account)) return 0n;
  const { mint, amount } = tokenAccount.view(account);
  return mint === ctokenMint ? amount : 0n;
};
