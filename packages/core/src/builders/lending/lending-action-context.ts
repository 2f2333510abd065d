import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { untrustedSymbol } from '../../base/encoding/foreign-text.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { COLLATERAL_FARM, DEBT_FARM } from '../../protocol/klend/instructions/obligations.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import {
  lendingMarketAuthority,
  type ObligationKind,
  userMetadataAddress,
} from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { isWrappedSol, type WalletToken } from '../wallet/token-accounts.ts';
import {
  type LendingActionKind,
  type LendingRequest,
  requireMarket,
  requireMarketReserve,
  resolveObligation,
} from './lending-request.ts';

/** The market, reserve and loan of a request, resolved before any wallet account is read. */
export type LendingActionContext = {
  readonly action: LendingActionKind;
  readonly wallet: Address;
  /** The lending program that owns the market. */
  readonly program: Address;
  readonly market: StoredAccountWithData<LendingMarketView>;
  readonly authority: Address;
  /** The reserve of the operation. */
  readonly reserve: StoredAccountWithData<ReserveView>;
  readonly symbol: string;
  readonly decimals: number;
  readonly token: WalletToken;
  readonly userMetadata: Address;
  readonly obligation: Address;
  readonly kind: ObligationKind;
  readonly id: number;
  readonly farm: ReserveFarm | undefined;
};

/** The reserve's farm for the operation, and the loan's account in it. */
type ReserveFarm = {
  readonly mode: typeof COLLATERAL_FARM | typeof DEBT_FARM;
  readonly state: Address;
  readonly user: Address;
};

export function createLendingActionContext(
  action: LendingActionKind,
  request: LendingRequest,
  state: ClusterReader,
): LendingActionContext {
  const { wallet } = request;
  const market = requireMarket(state, request.market);
  const reserve = requireMarketReserve(state, market.address, request.reserve);
  const { program } = market;
  const { liquidity } = reserve.fields;
  const symbol = reserveSymbol(reserve.fields);
  const mint = liquidity.mintPubkey;
  const label = isWrappedSol({ mint }) ? 'wrapped SOL' : symbol;
  const owner = { owner: wallet, lendingMarket: market.address, program };
  const { obligation, kind, id } = resolveObligation(request.obligation, owner);
  return {
    action,
    wallet,
    program,
    market,
    authority: lendingMarketAuthority(market.address, program),
    reserve,
    symbol,
    decimals: Number(liquidity.mintDecimals),
    token: { wallet, mint, tokenProgram: liquidity.tokenProgram, label },
    userMetadata: userMetadataAddress(wallet, program),
    obligation,
    kind,
    id,
    farm: farmOf(action, reserve.fields, obligation),
  };
}

/** The symbol from the reserve config; the mint if it has none. */
export const reserveSymbol = ({ config, liquidity }: ReserveView): string =>
  untrustedSymbol(bytesToText(config.tokenInfo.name)) || liquidity.mintPubkey;

export function farmOf(
  action: LendingActionKind,
  { farmCollateral, farmDebt }: ReserveView,
  obligation: Address,
): ReserveFarm | undefined {
  const isDebt = action === 'borrow' || action === 'repay';
  const state = isDebt ? farmDebt : farmCollateral;
  if (state === ZERO_ADDRESS) return undefined;
  const mode = isDebt ? DEBT_FARM : COLLATERAL_FARM;
  return { mode, state, user: userStateAddress(state, obligation) };
}
