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

const UNITS_OF_EACH_POSITION = 13_000;

export const refreshObligationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshObligation, 4_300, ({ accounts, remaining }, call) => {
    call.consume(UNITS_OF_EACH_POSITION * remaining.length);
    changeAll({ call, rules }, { ...accounts, remaining }, refreshed);
  }),
  anchorHandler(requestElevationGroup, 4_300, ({ accounts, args, remaining }, call) => {
    call.consume(UNITS_OF_EACH_POSITION * remaining.length);
    const asked = args.elevationGroup;
    const { obligation } = changeAll(
      { call, rules },
      { ...accounts, remaining },
      (position, terms) => regrouped(position, terms, asked),
    );
    const previous = `Previous elevation group: ${obligation.elevationGroup} .`;
    call.log(`${previous} Requested elevation group for: ${asked}`);
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

type Changed = {
  readonly lendingMarket: Address;
  readonly obligation: Address;
  /** Where only the owner may do it. */
  readonly owner?: Address;
  readonly remaining: readonly Address[];
};

/** An operation on all positions of an obligation, whose reserves stand behind the named accounts. Gives them as they were. */
function changeAll(
  lending: LendingCall,
  { lendingMarket, obligation: address, owner, remaining }: Changed,
  operation: (position: ObligationPosition, terms: LendingContext) => RefreshedPosition,
): ObligationPosition {
  const { call, rules } = lending;
  const terms = loadMarketContext(lending, lendingMarket);
  const whose = owner === undefined ? {} : { owner };
  const obligation = readObligation(call, address, { market: lendingMarket, ...whose });
  const { reserves, referrerTokenStates } = readObligationReserves(call, obligation, remaining);
  const position = { obligation, reserves };
  const after = operation(position, terms);
  logPosition(call, after, rules);
  const fees = after.referrerFees;
  creditReferralInterest(call, { position, terms, states: referrerTokenStates, fees });
  writeLendingPosition(call, address, { before: position, after });
  return position;
}
