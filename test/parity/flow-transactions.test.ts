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
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';

const flows = goldenFlows();
/** The vault program of the golden cluster is a model, so its flows have no RPC response. */
const withResponse = flows.filter(({ transactions }) =>
  transactions.every(({ rpc }) => rpc !== null),
);
const succeeded = withResponse.filter(({ err }) => err === null);

const views = new Map(
  withResponse.map(({ name, transactions }) => [
    name,
    transactions.map(({ rpc }) => viewTransaction(rpc)),
  ]),
);
const viewsOf = ({ name }: GoldenFlow): TransactionView[] => views.get(name) ?? [];
const eventsOf = (flow: GoldenFlow): TransactionEvent[] =>
  viewsOf(flow).flatMap(({ events }) => events);
const klendEventsOf = (flow: GoldenFlow): KlendEvent[] =>
  eventsOf(flow).filter((event) => event.program === 'klend');

testPinned('there are 49 flows, 40 with an RPC response and 36 of those successful', () => {
  expect([flows.length, withResponse.length, succeeded.length]).toEqual([
    pinned.flows.all,
    pinned.flows.withResponse,
    pinned.flows.withResponseSucceeded,
  ]);
});

/** Sums of changes by key. */
type Changes = Map<string, bigint>;

function add(changes: Changes, key: string, amount: bigint): void {
  changes.set(key, (changes.get(key) ?? 0n) + amount);
}

/** The change of every value that `read` finds in the accounts of a flow. */
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

/** The liquidity changes of a reserve according to events. */
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
  const fromEvents = liquidityChanges(klendEventsOf(flow));
  expect(withoutZeros(fromEvents)).toEqual(withoutZeros(available));
});

/** The reserve address of each of its token vaults in the flow. */
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
  const fromEvents: Changes = new Map();
  for (const event of klendEventsOf(flow)) {
    if (event.kind === 'deposit' || event.kind === 'depositReserveLiquidity') {
      add(fromEvents, event.reserve, event.collateralAmount);
    }
    if (event.kind === 'withdraw' || event.kind === 'redeemReserveCollateral') {
      add(fromEvents, event.reserve, -event.collateralAmount);
    }
    if (event.kind === 'liquidate') {
      add(fromEvents, event.withdrawReserve, -event.redeemedCollateralAmount);
    }
  }
  const supply = changesOf(flow, (account, address) =>
    reserve.matches(account) ? [[address, reserve.view(account).collateral.mintTotalSupply]] : [],
  );
  expect(withoutZeros(fromEvents)).toEqual(withoutZeros(supply));
});

test.each(succeeded)('events of $name explain every deposit of an obligation', (flow) => {
  const fromEvents: Changes = new Map();
  for (const event of klendEventsOf(flow)) {
    if (event.kind === 'deposit') {
      add(fromEvents, `${event.obligation} ${event.reserve}`, event.collateralAmount);
    }
    if (event.kind === 'withdraw') {
      add(fromEvents, `${event.obligation} ${event.reserve}`, -event.collateralAmount);
    }
    if (event.kind === 'liquidate') {
      add(fromEvents, `${event.obligation} ${event.withdrawReserve}`, -event.collateralAmount);
    }
  }
  const deposited = changesOf(flow, (account, address) =>
    obligation.matches(account)
      ? obligation
          .decode(account)
          .deposits.map((slot) => [`${address} ${slot.depositReserve}`, slot.depositedAmount])
      : [],
  );
  expect(withoutZeros(fromEvents)).toEqual(withoutZeros(deposited));
});

test.each(succeeded)(
  'the last delegated stake event of $name equals the stake in the farm',
  (flow) => {
    const fromEvents = new Map<string, bigint>();
    for (const event of eventsOf(flow)) {
      if (event.kind === 'setStakeDelegated') fromEvents.set(event.userState, event.stakeAmount);
    }
    const changed = changesOf(flow, (account, address) =>
      userState.matches(account) ? [[address, userState.view(account).activeStakeScaled]] : [],
    );
    for (const [address] of withoutZeros(changed))
      expect([...fromEvents.keys()]).toContain(address);
    for (const [address, stake] of fromEvents) {
      const account = flow.after.get(toAddress(address));
      expect(account && userState.view(account).activeStakeScaled).toBe(stake);
    }
  },
);

test("every harvest event equals the gain of the user's token account", () => {
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

test('events of new obligations and groups match the accounts', () => {
  const created = succeeded.flatMap((flow) =>
    klendEventsOf(flow).flatMap((event) =>
      event.kind === 'initObligation' ? [{ flow, event }] : [],
    ),
  );
  expect(created.map(({ flow }) => flow.name.slice(0, 2))).toEqual(['01', '07', '30']);
  for (const { flow, event } of created) {
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
] as const)('the failed flow %s has its error and no events', (...expected) => {
  const [number, program, code, name, instructionIndex] = expected;
  const flow = flows.find((each) => each.name.startsWith(number));
  const [view] = flow ? viewsOf(flow) : [];
  expect(view?.failure).toMatchObject({ program, code, name, instructionIndex });
  expect(view?.events).toEqual([]);
});
