import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { hasCode } from '../../base/errors.ts';
import type { ChainTime } from '../../base/time.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import {
  type Reserve,
  type ReserveView,
  reserve as reserveLayout,
} from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { initObligation } from '../../protocol/klend/operations/init-obligation.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '../../protocol/klend/operations/position.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh-obligation.ts';
import {
  accrueReserveToSlot,
  refreshReserve,
} from '../../protocol/klend/operations/refresh-reserve.ts';
import { obligationSeeds } from '../../protocol/klend/pda.ts';
import { chainPrice } from '../../protocol/scope/math/price-chain.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { LendingPosition } from '../lending/lending-position.ts';
import { loanReserves } from '../lending/refresh-steps.ts';
import { staleStateError } from '../stale-state-error.ts';

/** A loan and its reserves as the program has them right before the action: all refreshed. */
export type LendingModel = { readonly before: ObligationPosition; readonly terms: LendingContext };

export function createLendingModel(position: LendingPosition, state: ClusterReader): LendingModel {
  const { market, program, reserve } = position;
  const held = new Map(loanReserves(position, state).map((item) => [item.address, item]));
  held.set(reserve.address, reserve);
  const terms: LendingContext = {
    market: lendingMarket.decode({ owner: program, data: market.data }),
    time: timeOf(position, [...held.values()], state),
    rules: CURRENT_RULES,
  };
  const reserves = new Map<Address, Reserve>();
  for (const [address, item] of held) reserves.set(address, refreshed(item, terms, state));
  const obligation = obligationOf(position, terms);
  return { before: refreshLoan(position, { obligation, reserves }, { terms, state }), terms };
}

/** What an action left, refreshed in the same slot, so that its values are of now. */
export function refreshPosition(
  { obligation, reserves }: ObligationPosition,
  terms: LendingContext,
): ObligationPosition {
  const fresh = new Map<Address, Reserve>();
  for (const [address, reserve] of reserves)
    fresh.set(address, accrueReserveToSlot(reserve, terms));
  return refreshObligation({ obligation, reserves: fresh }, terms);
}

/** The newest that anything of it is known for: time does not run back. */
function timeOf(
  { loan }: LendingPosition,
  reserves: readonly StoredAccountWithData<ReserveView>[],
  state: ClusterReader,
): ChainTime {
  const { slot, unix } = state.at();
  const updates = reserves.map(({ fields }) => fields.lastUpdate.slot);
  const all = [...updates, loan?.fields.lastUpdate.slot ?? slot];
  return { slot: all.reduce((newest, at) => (at > newest ? at : newest), slot), unix };
}

function refreshed(
  { program, data }: StoredAccountWithData<ReserveView>,
  terms: LendingContext,
  state: ClusterReader,
): Reserve {
  const reserve = reserveLayout.decode({ owner: program, data });
  const { priceFeed, priceChain, twapChain } = reserve.config.tokenInfo.scopeConfiguration;
  const prices = state.prices(priceFeed);
  return refreshReserve(reserve, terms, {
    price: prices === undefined ? undefined : chainPrice(prices, priceChain),
    twap: prices === undefined ? undefined : chainPrice(prices, twapChain),
  });
}

function obligationOf(
  position: LendingPosition,
  terms: LendingContext,
): ObligationPosition['obligation'] {
  const { loan, wallet, market, kind, referrer } = position;
  if (loan !== undefined) return obligationLayout.decode(loan.account);
  const { tag } = obligationSeeds(kind);
  const request = {
    owner: wallet,
    market: market.address,
    tag,
    referrer: referrer ?? ZERO_ADDRESS,
  };
  return initObligation(request, terms);
}

/** A debt that is ahead of its reserve here is no refusal of the program: both come in the end. */
function refreshLoan(
  { loan }: LendingPosition,
  before: ObligationPosition,
  { terms, state }: { readonly terms: LendingContext; readonly state: ClusterReader },
): ObligationPosition {
  try {
    return refreshObligation(before, terms);
  } catch (error) {
    const isAhead =
      hasCode(error, 'PROGRAM_REFUSES') && error.context.name === 'NegativeInterestRate';
    throw isAhead && loan !== undefined ? staleStateError(loan.fields, state) : error;
  }
}
