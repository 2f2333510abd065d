import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  requestElevationGroup,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type LendingContext,
  type ObligationPosition,
  type RefreshedPosition,
  refreshObligation as refreshed,
  requestElevationGroup as regrouped,
} from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { farmKindOfMode, setFarmStake } from './farm-stake.ts';
import {
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requirePrograms,
} from './lending-constraints.ts';
import { readObligationReserves, writeLendingPosition } from './position-accounts.ts';
import { logPosition } from './position-log.ts';
import { creditReferralInterest } from './referrers.ts';

const UNITS_PER_POSITION = 13_000;

export const refreshObligationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshObligation, 4_300, ({ accounts, remaining }, call) => {
    call.consumeUnits(UNITS_PER_POSITION * remaining.length);
    changePosition({ call, rules }, { ...accounts, remaining }, refreshed);
  }),
  anchorHandler(requestElevationGroup, 4_300, ({ accounts, args, remaining }, call) => {
    call.consumeUnits(UNITS_PER_POSITION * remaining.length);
    const requested = args.elevationGroup;
    const { obligation } = changePosition(
      { call, rules },
      { ...accounts, remaining },
      (position, context) => regrouped(position, context, requested),
    );
    const previous = `Previous elevation group: ${obligation.elevationGroup} .`;
    call.log(`${previous} Requested elevation group for: ${requested}`);
  }),
  anchorHandler(refreshObligationFarmsForReserve, 13_600, ({ accounts, args, remaining }, call) => {
    const { lendingMarket, lendingMarketAuthority, reserve } = accounts;
    loadMarketContext({ call, rules }, lendingMarket);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM, systemProgram: SYSTEM_PROGRAM });
    requireAddresses(call, accounts, { rent: RENT_SYSVAR });
    requireMarketAuthority(call, lendingMarket, lendingMarketAuthority);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    setFarmStake(call, accounts, { ...accounts, kind: farmKindOfMode(args.mode) });
  }),
];

type PositionChange = {
  readonly lendingMarket: Address;
  readonly obligation: Address;
  /** Set if only the owner may do it. */
  readonly owner?: Address;
  readonly remaining: readonly Address[];
};

/**
 * Runs an operation on all positions of an obligation, whose reserves are the remaining accounts.
 * Returns the position before it.
 */
function changePosition(
  lending: LendingCall,
  { lendingMarket, obligation: address, owner, remaining }: PositionChange,
  operation: (position: ObligationPosition, context: LendingContext) => RefreshedPosition,
): ObligationPosition {
  const { call, rules } = lending;
  const context = loadMarketContext(lending, lendingMarket);
  const ownerConstraint = owner === undefined ? {} : { owner };
  const obligation = readObligation(call, address, { market: lendingMarket, ...ownerConstraint });
  const { reserves, referrerTokenStates } = readObligationReserves(call, obligation, remaining);
  const position = { obligation, reserves };
  const after = operation(position, context);
  logPosition(call, after, rules);
  const fees = after.referrerFees;
  creditReferralInterest(call, { position, context, states: referrerTokenStates, fees });
  writeLendingPosition(call, address, { before: position, after });
  return position;
}
