import { type Address, toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { type AccountMeta, WRITE } from '../../base/solana/instruction.ts';
import { refreshObligation, refreshReserve } from '../../protocol/klend/instructions/refresh.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { referrerTokenStateAddress } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { unreadableError } from '../../views/lending/unavailable-figures.ts';
import type { BuildStep } from '../build-summary.ts';
import { requirePriceableReserve, requireReadableAccount } from '../require-readable.ts';
import { staleStateError } from '../stale-state-error.ts';
import { reserveSymbol } from './lending-action-context.ts';
import type { LendingPosition } from './lending-position.ts';

/** Reserves use this address for "no oracle", in addition to the zero address. */
const NO_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

/** All reserves of the loan except the operation's: deposits, then debts, without duplicates. */
export function refreshOtherSteps(position: LendingPosition, state: ClusterReader): BuildStep[] {
  return loanReserves(position, state)
    .filter(({ address }) => address !== position.reserve.address)
    .map((reserve) => refreshReserveStep(position, reserve));
}

/** Deposits, then debts, without duplicates. Throws if a reserve is unknown or not indexed yet. */
export function loanReserves(
  { loan }: Pick<LendingPosition, 'loan'>,
  state: ClusterReader,
): StoredAccountWithData<ReserveView>[] {
  if (loan === undefined) return [];
  return [...new Set([...loan.deposits, ...loan.borrows])].map((address) => {
    const reserve = state.reserve(address);
    requireReadableAccount(state, address);
    if (reserve === undefined) {
      // the state has every reserve that existed at its slot, unless it cannot be found
      const isAhead = loan.fields.lastUpdate.slot > state.at().slot;
      throw isAhead
        ? staleStateError(loan.fields, state)
        : unreadableError(address, 'no such reserve is known');
    }
    return requirePriceableReserve(state, reserve);
  });
}

export function refreshReserveStep(
  { program, market }: Pick<LendingPosition, 'program' | 'market'>,
  { address, fields }: StoredAccountWithData<ReserveView>,
): BuildStep {
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } =
    fields.config.tokenInfo;
  const switchboard = oracleOf(switchboardConfiguration.priceAggregator);
  const instruction = refreshReserve.build(program, {
    accounts: {
      reserve: address,
      lendingMarket: market.address,
      pythOracle: oracleOf(pythConfiguration.price),
      switchboardPriceOracle: switchboard,
      // Without a price aggregator the program accepts no TWAP aggregator either.
      switchboardTwapOracle: switchboard && oracleOf(switchboardConfiguration.twapAggregator),
      scopePrices: oracleOf(scopeConfiguration.priceFeed),
    },
    args: {},
  });
  return {
    instruction,
    why: `Refresh the interest and price of the ${reserveSymbol(fields)} reserve.`,
  };
}

const oracleOf = (address: Address): Address | undefined =>
  address === ZERO_ADDRESS || address === NO_ORACLE ? undefined : address;

/** Lists the positions before the action. A reserve with a deposit and a debt is listed twice. */
export function refreshLoanStep(
  position: Pick<LendingPosition, 'program' | 'market' | 'obligation' | 'loan' | 'referrer'>,
): BuildStep {
  const { program, market, obligation, loan, referrer } = position;
  const { deposits = [], borrows = [] } = loan ?? {};
  const referrerStates =
    referrer === undefined
      ? []
      : borrows.map((reserve) => referrerTokenStateAddress(referrer, reserve, program));
  const instruction = refreshObligation.build(program, {
    accounts: { lendingMarket: market.address, obligation },
    args: {},
    remaining: [...deposits, ...borrows, ...referrerStates].map(writable),
  });
  return { instruction, why: 'Refresh the loan with the refreshed reserves.' };
}

/** In an elevation group, borrows, repayments and liquidations list every deposit. */
export const groupDeposits = ({ loan }: Pick<LendingPosition, 'loan'>): AccountMeta[] =>
  loan === undefined || loan.fields.elevationGroup === 0 ? [] : loan.deposits.map(writable);

const writable = (address: Address): AccountMeta => ({ address, role: WRITE });
