import { type Address, toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { type AccountMeta, WRITE } from '../../base/solana/instruction.ts';
import { refreshObligation } from '../../protocol/klend/instructions/refresh-obligation.ts';
import { refreshReserve } from '../../protocol/klend/instructions/refresh-reserve.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { referrerTokenStateAddress } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildStep } from '../plan.ts';
import { staleStateError } from '../stale-state-error.ts';
import { reserveSymbol } from './lending-action-context.ts';
import type { LendingPosition } from './lending-position.ts';

/** A second word of the reserves for "no oracle", beside the zero address. */
const NO_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

/** Every reserve of the loan but the one that is acted on: deposits, then debts, each once. */
export function refreshOtherSteps(position: LendingPosition, state: ClusterReader): BuildStep[] {
  return loanReserves(position, state)
    .filter(({ address }) => address !== position.reserve.address)
    .map((reserve) => refreshReserveStep(position, reserve));
}

/** Deposits, then debts, each once. A reserve that is not known here yet is refused: it will be. */
export function loanReserves(
  { loan }: LendingPosition,
  state: ClusterReader,
): StoredAccountWithData<ReserveView>[] {
  if (loan === undefined) return [];
  return [...new Set([...loan.deposits, ...loan.borrows])].map((address) => {
    const reserve = state.reserve(address);
    if (reserve === undefined) throw staleStateError(loan.fields, state);
    return reserve;
  });
}

export function refreshReserveStep(
  { program, market }: LendingPosition,
  { address, fields }: StoredAccountWithData<ReserveView>,
): BuildStep {
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } =
    fields.config.tokenInfo;
  const instruction = refreshReserve.build(program, {
    accounts: {
      reserve: address,
      lendingMarket: market.address,
      pythOracle: oracleOf(pythConfiguration.price),
      switchboardPriceOracle: oracleOf(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: oracleOf(switchboardConfiguration.twapAggregator),
      scopePrices: oracleOf(scopeConfiguration.priceFeed),
    },
    args: {},
  });
  return {
    instruction,
    why: `Bring interest and price of the ${reserveSymbol(fields)} reserve up to date.`,
  };
}

const oracleOf = (address: Address): Address | undefined =>
  address === ZERO_ADDRESS || address === NO_ORACLE ? undefined : address;

/** As the loan is before the action. A reserve on both sides is named twice. */
export function refreshLoanStep(position: LendingPosition): BuildStep {
  const { program, market, obligation, loan, referrer } = position;
  const { deposits = [], borrows = [] } = loan ?? {};
  const shares =
    referrer === undefined
      ? []
      : borrows.map((reserve) => referrerTokenStateAddress(referrer, reserve, program));
  const instruction = refreshObligation.build(program, {
    accounts: { lendingMarket: market.address, obligation },
    args: {},
    remaining: [...deposits, ...borrows, ...shares].map(written),
  });
  return { instruction, why: 'Count the loan anew with what was brought up to date.' };
}

/** In a group, loans and repayments also count against every deposit. */
export const groupDeposits = ({ loan }: LendingPosition): AccountMeta[] =>
  loan === undefined || loan.fields.elevationGroup === 0 ? [] : loan.deposits.map(written);

const written = (address: Address): AccountMeta => ({ address, role: WRITE });
