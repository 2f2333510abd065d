import type { Address } from '../../base/encoding/address.ts';

/** An event of a loan, in the order of execution. */
export type CollateralEvent = {
  /** Equal for the events of one transaction. */
  readonly transaction: string;
  /** `open`: the account is created. `seize`: a liquidation, which may leave a debt without collateral. */
  readonly kind: 'open' | 'deposit' | 'withdraw' | 'seize' | 'other';
  readonly reserve: Address | undefined;
  /** In cTokens of the reserve; undefined if it is not recorded. */
  readonly collateral: bigint | undefined;
};

/**
 * Indexes of the events after which the loan had neither deposits nor debts: its account was created again afterwards,
 * or a transaction withdrew the last collateral, which the program allows only without a debt. `events` begin with the
 * loan.
 */
export function findEmptyingEvents(events: readonly CollateralEvent[]): ReadonlySet<number> {
  const emptying = new Set<number>();
  let deposits: Deposits = NO_DEPOSITS;
  for (const [index, event] of events.entries()) {
    if (event.kind === 'open') emptying.add(index - 1);
    deposits = afterEvent(deposits, event);
    const isLast = events[index + 1]?.transaction !== event.transaction;
    if (isLast && isEmptied(deposits)) emptying.add(index);
  }
  return emptying;
}

type Deposits = {
  /** Undefined after an event whose effect is not known. */
  readonly byReserve: ReadonlyMap<Address, bigint> | undefined;
  readonly last: CollateralEvent['kind'] | undefined;
};

const NO_DEPOSITS: Deposits = { byReserve: new Map(), last: undefined };

function afterEvent({ byReserve, last }: Deposits, event: CollateralEvent): Deposits {
  const { kind, reserve, collateral } = event;
  if (kind === 'open') return NO_DEPOSITS;
  if (kind === 'other') return { byReserve, last };
  if (byReserve === undefined || reserve === undefined || collateral === undefined) {
    return { byReserve: undefined, last: kind };
  }
  const before = byReserve.get(reserve) ?? 0n;
  const after = kind === 'deposit' ? before + collateral : before - collateral;
  const known = after < 0n ? undefined : new Map(byReserve).set(reserve, after);
  return { byReserve: known, last: kind };
}

const isEmptied = ({ byReserve, last }: Deposits): boolean =>
  last === 'withdraw' &&
  byReserve !== undefined &&
  [...byReserve.values()].every((amount) => amount === 0n);
