import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import type { KlendEvent } from '#core/protocol/klend/events/klend-event.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  type TransactionEvent,
  type TransactionView,
  viewTransaction,
} from '#core/views/transactions/transaction-view.ts';
import { type GoldenAccount, type GoldenFlow, goldenFlows } from '../support/golden/golden.ts';

const flows = goldenFlows();
/** The vault program of the golden cluster is a model; of its flows there is no node's answer. */
const answered = flows.filter(({ transactions }) => transactions.every(({ rpc }) => rpc !== null));
const succeeded = answered.filter(({ err }) => err === null);

const views = new Map(
  answered.map(({ name, transactions }) => [
    name,
    transactions.map(({ rpc }) => viewTransaction(rpc)),
  ]),
);
const viewsOf = ({ name }: GoldenFlow): TransactionView[] => views.get(name) ?? [];
const eventsOf = (flow: GoldenFlow): TransactionEvent[] =>
  viewsOf(flow).flatMap(({ events }) => events);
const klendEventsOf = (flow: GoldenFlow): KlendEvent[] =>
  eventsOf(flow).filter((event) => event.program === 'klend');

test('49 flows are there, 40 of them with the answer of a node, 36 of them successful', () => {
  expect([flows.length, answered.length, succeeded.length]).toEqual([49, 40, 36]);
});

/** Sums of changes by what changed. */
type Changes = Map<string, bigint>;

function add(changes: Changes, key: string, amount: bigint): void {
  changes.set(key, (changes.get(key) ?? 0n) + amount);
}

/** What the flow did to every number that `read` finds in its accounts, as their bytes say. */
function changesOf(
  flow: GoldenFlow,
  read: (account: GoldenAccount, address: Address) => Iterable<readonly [string, bigint]>,
): Changes {
  const changes: Changes = new Map();
  for (const [sign, accounts] of [[-1n, flow.before] as const, [1n, flow.after] as const]) {
    for (const [address, account] of accounts) {
      for (const [key, value] of account ? read(account, address) : []) {
        add(changes, key, sign * value);
      }
    }
  }
  return changes;
}

const withoutZeros = (changes: Changes): [string, bigint][] =>
  [...changes].filter(([, change]) => change !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What events say of a reserve's liquidity, by the place that it moved to or from. */
function liquidityChanges(events: readonly KlendEvent[]): Changes {
  const changes: Changes = new Map();
  for (const event of events) {
    switch (event.kind) {
      case 'deposit':
      case 'repay':
      case 'depositReserveLiquidity':
      case 'flashRepay':
        add(changes, event.reserve, event.liquidityAmount);
        break;
      case 'withdraw':
      case 'redeemReserveCollateral':
      case 'flashBorrow':
        add(changes, event.reserve, -event.liquidityAmount);
        break;
      case 'borrow':
        add(changes, event.reserve, -event.liquidityAmount - event.feeAmount);
        break;
      case 'liquidate':
        add(changes, event.repayReserve, event.repaidAmount);
        add(changes, event.withdrawReserve, -event.liquidityAmount);
        break;
      default:
    }
  }
  return changes;
}

test.each(succeeded)('events of $name explain every change of liquidity', (flow) => {
  const available = changesOf(flow, (account, address) =>
    reserve.matches(account)
      ? [[address, reserve.view(account).liquidity.totalAvailableAmount]]
      : [],
  );
  const told = liquidityChanges(klendEventsOf(flow));
  expect(withoutZeros(told)).toEqual(withoutZeros(available));
});

/** The key of a reserve's account, for each of its vaults that the flow names. */
function vaultsOf(flow: GoldenFlow, vault: 'supplyVault' | 'feeVault'): Map<string, string> {
  const vaults = new Map<string, string>();
  for (const [address, account] of flow.before) {
    if (account && reserve.matches(account)) {
      vaults.set(reserve.view(account).liquidity[vault], address);
    }
  }
  return vaults;
}

function vaultChanges(flow: GoldenFlow, vault: 'supplyVault' | 'feeVault'): Changes {
  const vaults = vaultsOf(flow, vault);
  return changesOf(flow, (account, address) => {
    const key = vaults.get(address);
    return key === undefined ? [] : [[key, tokenAccount.view(account).amount]];
  });
}

test.each(succeeded)('events of $name explain every token of the vaults', (flow) => {
  const events = klendEventsOf(flow);
  const fees: Changes = new Map();
  for (const event of events) {
    if (event.kind === 'borrow' || event.kind === 'flashRepay') {
      add(fees, event.reserve, event.feeAmount);
    }
    if (event.kind === 'liquidate') add(fees, event.withdrawReserve, event.feeAmount);
  }
  expect(withoutZeros(liquidityChanges(events))).toEqual(
    withoutZeros(vaultChanges(flow, 'supplyVault')),
  );
  expect(withoutZeros(fees)).toEqual(withoutZeros(vaultChanges(flow, 'feeVault')));
});

test.each(succeeded)('events of $name explain every cToken minted and burned', (flow) => {
  const told: Changes = new Map();
  for (const event of klendEventsOf(flow)) {
    if (event.kind === 'deposit' || event.kind === 'depositReserveLiquidity') {
      add(told, event.reserve, event.collateralAmount);
    }
    if (event.kind === 'withdraw' || event.kind === 'redeemReserveCollateral') {
      add(told, event.reserve, -event.collateralAmount);
    }
    if (event.kind === 'liquidate') {
      add(told, event.withdrawReserve, -event.redeemedCollateralAmount);
    }
  }
  const supply = changesOf(flow, (account, address) =>
    reserve.matches(account) ? [[address, reserve.view(account).collateral.mintTotalSupply]] : [],
  );
  expect(withoutZeros(told)).toEqual(withoutZeros(supply));
});

test.each(succeeded)('events of $name explain every deposit of an obligation', (flow) => {
  const told: Changes = new Map();
  for (const event of klendEventsOf(flow)) {
    if (event.kind === 'deposit') {
      add(told, `${event.obligation} ${event.reserve}`, event.collateralAmount);
    }
    if (event.kind === 'withdraw') {
      add(told, `${event.obligation} ${event.reserve}`, -event.collateralAmount);
    }
    if (event.kind === 'liquidate') {
      add(told, `${event.obligation} ${event.withdrawReserve}`, -event.collateralAmount);
    }
  }
  const deposited = changesOf(flow, (account, address) =>
    obligation.matches(account)
      ? obligation
          .decode(account)
          .deposits.map((slot) => [`${address} ${slot.depositReserve}`, slot.depositedAmount])
      : [],
  );
  expect(withoutZeros(told)).toEqual(withoutZeros(deposited));
});

test.each(succeeded)('the last delegated stake of $name is the one that the farm keeps', (flow) => {
  const told = new Map<string, bigint>();
  for (const event of eventsOf(flow)) {
    if (event.kind === 'setStakeDelegated') told.set(event.userState, event.stakeAmount);
  }
  const changed = changesOf(flow, (account, address) =>
    userState.matches(account) ? [[address, userState.view(account).activeStakeScaled]] : [],
  );
  for (const [address] of withoutZeros(changed)) expect([...told.keys()]).toContain(address);
  for (const [address, stake] of told) {
    const account = flow.after.get(toAddress(address));
    expect(account && userState.view(account).activeStakeScaled).toBe(stake);
  }
});

test('every harvest is what the user’s token account gained', () => {
  const harvests = succeeded.flatMap((flow) =>
    eventsOf(flow).flatMap((event) => (event.kind === 'harvest' ? [{ flow, event }] : [])),
  );
  expect(harvests).toHaveLength(3);
  for (const { flow, event } of harvests) {
    const gained = changesOf(flow, (account) => {
      if (!tokenAccount.matches(account)) return [];
      const { mint, owner, amount } = tokenAccount.view(account);
      return mint === event.rewardMint && owner === event.payer ? [['user', amount]] : [];
    });
    expect(gained.get('user')).toBe(event.netAmount);
    expect(event.feeAmount).toBe(0n);
  }
});

test('new obligations and groups are those that the accounts show', () => {
  const made = succeeded.flatMap((flow) =>
    klendEventsOf(flow).flatMap((event) =>
      event.kind === 'initObligation' ? [{ flow, event }] : [],
    ),
  );
  expect(made.map(({ flow }) => flow.name.slice(0, 2))).toEqual(['01', '07', '30']);
  for (const { flow, event } of made) {
    const account = flow.after.get(event.obligation);
    const value = account && obligation.view(account);
    expect(flow.before.get(event.obligation)).toBeUndefined();
    expect(value).toMatchObject({ owner: event.owner, lendingMarket: event.lendingMarket });
    expect(value?.tag).toBe(BigInt(event.tag));
  }
  const grouped = succeeded.flatMap((flow) =>
    klendEventsOf(flow).flatMap((event) => {
      if (event.kind !== 'requestElevationGroup') return [];
      const account = flow.after.get(event.obligation);
      expect(account && obligation.view(account).elevationGroup).toBe(event.elevationGroup);
      return [event.elevationGroup];
    }),
  );
  expect(grouped.length).toBeGreaterThan(0);
});

test.each([
  ['90', 'klend', 6013, 'BorrowTooLarge', 5],
  ['91', 'klend', 6011, 'WithdrawTooLarge', 6],
  ['92', 'token', 1, 'InsufficientFunds', 5],
  ['93', 'klend', 6089, 'BorrowLimitExceeded', 5],
] as const)('refused flow %s names its failure and has no events', (...expected) => {
  const [number, program, code, name, instructionIndex] = expected;
  const flow = flows.find((each) => each.name.startsWith(number));
  const [view] = flow ? viewsOf(flow) : [];
  expect(view?.failure).toMatchObject({ program, code, name, instructionIndex });
  expect(view?.events).toEqual([]);
});
