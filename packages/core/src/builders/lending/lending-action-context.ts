import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
} from '../../protocol/klend/instructions/init-obligation-farms-for-reserve.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import {
  lendingMarketAuthority,
  type ObligationKind,
  obligationAddress,
  userMetadataAddress,
} from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { isWrappedSol, type WalletToken } from '../wallet/token-accounts.ts';
import {
  type LendingActionKind,
  type LendingRequest,
  requireMarket,
  requireMarketReserve,
} from './lending-request.ts';

/** Where a request acts: what can be told of it before any account of the wallet is read. */
export type LendingActionContext = {
  readonly intent: LendingActionKind;
  readonly wallet: Address;
  /** The lending program that keeps the market. */
  readonly program: Address;
  readonly market: StoredAccountWithData<LendingMarketView>;
  readonly authority: Address;
  /** The one that is acted on. */
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

/** The farm that rewards what is acted on, and the loan's own state in it. */
type ReserveFarm = {
  readonly mode: typeof COLLATERAL_FARM | typeof DEBT_FARM;
  readonly state: Address;
  readonly user: Address;
};

export function createLendingActionContext(
  intent: LendingActionKind,
  request: LendingRequest,
  state: ClusterReader,
): LendingActionContext {
  const { wallet, obligation: { id = 0, ...kind } = { kind: 'vanilla' } } = request;
  const market = requireMarket(state, request.market);
  const reserve = requireMarketReserve(state, market.address, request.reserve);
  const { program } = market;
  const { liquidity } = reserve.fields;
  const symbol = reserveSymbol(reserve.fields);
  const mint = liquidity.mintPubkey;
  const label = isWrappedSol({ mint }) ? 'wrapped SOL' : symbol;
  const place = { ...kind, owner: wallet, lendingMarket: market.address, id };
  const obligation = obligationAddress(place, program);
  return {
    intent,
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
    farm: farmOf(intent, reserve.fields, obligation),
  };
}

/** What the market calls the token; its mint where it has no name. */
export const reserveSymbol = ({ config, liquidity }: ReserveView): string =>
  bytesToText(config.tokenInfo.name) || liquidity.mintPubkey;

function farmOf(
  intent: LendingActionKind,
  { farmCollateral, farmDebt }: ReserveView,
  obligation: Address,
): ReserveFarm | undefined {
  const ofDebt = intent === 'borrow' || intent === 'repay';
  const state = ofDebt ? farmDebt : farmCollateral;
  if (state === ZERO_ADDRESS) return undefined;
  const mode = ofDebt ? DEBT_FARM : COLLATERAL_FARM;
  return { mode, state, user: userStateAddress(state, obligation) };
}
