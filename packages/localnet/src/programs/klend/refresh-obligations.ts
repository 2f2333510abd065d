import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRefuses, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  requestElevationGroup,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type Position,
  type RefreshedPosition,
  refreshObligation as refreshed,
  requestElevationGroup as regrouped,
  type Terms,
} from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { farmKind, tellFarm } from './farm-stake.ts';
import {
  type Lending,
  openMarket,
  readObligation,
  readReserve,
  requireAddresses,
  requireAuthority,
  requirePrograms,
} from './lending-constraints.ts';
import { readPositionList, writePosition } from './position-accounts.ts';
import { logPosition } from './position-log.ts';
import { creditRefreshed } from './referrers.ts';

const UNITS_OF_EACH_POSITION = 13_000;

export const refreshObligationHandlers = (rules: LendingRules): Handler[] => [
  handles(refreshObligation, 4_300, ({ accounts, remaining }, call) => {
    call.consume(UNITS_OF_EACH_POSITION * remaining.length);
    changeAll({ call, rules }, { ...accounts, remaining }, refreshed);
  }),
  handles(requestElevationGroup, 4_300, ({ accounts, args, remaining }, call) => {
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
  handles(refreshObligationFarmsForReserve, 13_600, ({ accounts, args, remaining }, call) => {
    const { lendingMarket, lendingMarketAuthority, reserve } = accounts;
    openMarket({ call, rules }, lendingMarket);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM, systemProgram: SYSTEM_PROGRAM });
    requireAddresses(call, accounts, { rent: RENT_SYSVAR });
    requireAuthority(call, lendingMarket, lendingMarketAuthority);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRefuses('InvalidAccountInput', 'accounts are left over');
    tellFarm(call, accounts, { ...accounts, kind: farmKind(args.mode) });
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
  lending: Lending,
  { lendingMarket, obligation: address, owner, remaining }: Changed,
  operation: (position: Position, terms: Terms) => RefreshedPosition,
): Position {
  const { call, rules } = lending;
  const terms = openMarket(lending, lendingMarket);
  const whose = owner === undefined ? {} : { owner };
  const obligation = readObligation(call, address, { market: lendingMarket, ...whose });
  const { reserves, referrerTokenStates } = readPositionList(call, obligation, remaining);
  const position = { obligation, reserves };
  const after = operation(position, terms);
  logPosition(call, after, rules);
  const fees = after.referrerFees;
  creditRefreshed(call, { position, terms, states: referrerTokenStates, fees });
  writePosition(call, address, { before: position, after });
  return position;
}
