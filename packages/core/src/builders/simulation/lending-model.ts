import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { hasCode } from '../../base/errors.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import {
  type Reserve,
  type ReserveView,
  reserve as reserveLayout,
} from '../../protocol/klend/layout/reserve.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { initObligation } from '../../protocol/klend/operations/elevation-groups.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '../../protocol/klend/operations/position.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh/refresh-obligation.ts';
import {
  accrueReserveToSlot,
  refreshReserve,
} from '../../protocol/klend/operations/refresh/refresh-reserve.ts';
import { obligationSeeds } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { readScopePrices } from '../../views/lending/reserve-price.ts';
import { laterTime } from '../later-time.ts';
import type { LendingPosition } from '../lending/lending-position.ts';
import { loanReserves } from '../lending/refresh-steps.ts';
import { staleStateError } from '../stale-state-error.ts';

/** A loan and its reserves right before the action, all refreshed. */
export type LendingModel = {
  readonly before: ObligationPosition;
  readonly context: LendingContext;
};

/** A loan, and the reserves of an action, which the loan may not use yet. */
export type ModeledLoan = Pick<
  LendingPosition,
  'market' | 'program' | 'loan' | 'wallet' | 'kind' | 'referrer' | 'reserve'
> & { readonly otherReserves?: readonly StoredAccountWithData<ReserveView>[] };

/** A model of a later time. By default prices stay. */
export type LaterModel = {
  /** How much interest accrues after the state's slot. */
  readonly slots: bigint;
  readonly movePrice?: ((reserve: Address, price: Sf) => Sf) | undefined;
};

const NOW: LaterModel = { slots: 0n };

export function createLendingModel(
  position: ModeledLoan,
  state: ClusterReader,
  { slots, movePrice }: LaterModel = NOW,
): LendingModel {
  const { market, program, reserve, otherReserves = [] } = position;
  const reservesOfAction = [...loanReserves(position, state), ...otherReserves, reserve];
  const stored = new Map(reservesOfAction.map((item) => [item.address, item]));
  const accounts = [...stored.values(), ...(position.loan === undefined ? [] : [position.loan])];
  const updates = accounts.map(({ fields }) => fields.lastUpdate);
  const now = latestTime(state.at(), updates);
  const time = laterTime(now, slots, state);
  const context: LendingContext = {
    market: lendingMarket.decode({ owner: program, data: market.data }),
    time,
    rules: state.rulesAt(time.slot).lending,
  };
  const reserves = new Map<Address, Reserve>();
  for (const [address, item] of stored) {
    const refreshed = refreshStored(item, { ...context, time: now }, state);
    const accrued = slots === 0n ? refreshed : accrueAtPrice(refreshed, context);
    reserves.set(
      address,
      movePrice === undefined
        ? accrued
        : withPrice(accrued, movePrice(address, accrued.liquidity.marketPriceSf)),
    );
  }
  const obligation = obligationOf(position, context);
  return {
    before: refreshLoan(position, { obligation, reserves }, { context, state }),
    context,
  };
}

/** Refreshes the result of an action in the same slot, so that its values are current. */
export function refreshPosition(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
): ObligationPosition {
  const fresh = new Map<Address, Reserve>();
  for (const [address, reserve] of reserves)
    fresh.set(address, accrueReserveToSlot(reserve, context));
  return refreshObligation({ obligation, reserves: fresh }, context);
}

/** Only interest and rewards accrue: the price has the age of now. */
function accrueAtPrice(reserve: Reserve, context: LendingContext): Reserve {
  const { priceStatus } = reserve.lastUpdate;
  const accrued = accrueReserveToSlot(reserve, context);
  return { ...accrued, lastUpdate: { ...accrued.lastUpdate, priceStatus } };
}

const withPrice = (reserve: Reserve, marketPriceSf: Sf): Reserve => ({
  ...reserve,
  liquidity: { ...reserve.liquidity, marketPriceSf },
});

function refreshStored(
  { program, data }: StoredAccountWithData<ReserveView>,
  context: LendingContext,
  state: ClusterReader,
): Reserve {
  const reserve = reserveLayout.decode({ owner: program, data });
  const { tokenInfo } = reserve.config;
  const prices = state.prices(tokenInfo.scopeConfiguration.priceFeed);
  const oracle =
    prices === undefined
      ? { price: undefined, twap: undefined }
      : readScopePrices(tokenInfo, prices, context.rules);
  return refreshReserve(reserve, context, oracle);
}

function obligationOf(
  position: ModeledLoan,
  context: LendingContext,
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
  return initObligation(request, context);
}

/** A debt newer than its indexed reserve is not a program error: the state catches up. */
function refreshLoan(
  { loan }: ModeledLoan,
  before: ObligationPosition,
  { context, state }: { readonly context: LendingContext; readonly state: ClusterReader },
): ObligationPosition {
  try {
    return refreshObligation(before, context);
  } catch (error) {
    const isAhead =
      hasCode(error, 'PROGRAM_REFUSES') && error.context.name === 'NegativeInterestRate';
    throw isAhead && loan !== undefined ? staleStateError(loan.fields, state) : error;
  }
}
