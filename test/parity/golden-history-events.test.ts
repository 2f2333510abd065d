import { expect, test } from 'vitest';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import { viewTransaction } from '#core/views/transactions/transaction-view.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { executeFlow } from '../support/flows/execute-flow.ts';
import { flowSnapshots } from '../support/flows/flow-snapshots.ts';
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';
import {
  createAccountOwnerLookup,
  supplyVaultReserves,
  vaultCollateralReserves,
  viewTransactionRecord,
} from '../support/history/account-owner-index.ts';
import {
  balanceCashFlows,
  balancePoolChanges,
  eventCashFlows,
  eventPoolChanges,
  eventVaultCollateral,
} from '../support/history/event-cash-flows.ts';
import { mainnetTransaction } from '../support/mainnet/mainnet-fixtures.ts';

const model = createModelExecutor(modelPrograms(RECORDED_BUILD_RULES));

const flows = flowSnapshots().map((placed) => {
  const view = viewTransactionRecord(executeFlow(placed, model).record);
  const accounts = [...placed.accounts, ...placed.flow.after];
  const owners = createAccountOwnerLookup(accounts);
  return {
    name: placed.flow.name,
    view,
    accounts,
    facts: owners,
    events: extractHistoryEvents(view, owners),
  };
});
const succeeded = flows.filter(({ view }) => view.failure === undefined);

testPinned('there are 49 flows, 44 of them successful', () => {
  expect([flows.length, succeeded.length]).toEqual([pinned.flows.all, pinned.flows.succeeded]);
});

test.each(succeeded)('events of $name match the token changes of its wallets', (flow) => {
  const { view, facts: owners, events } = flow;
  expect(eventCashFlows(events, owners)).toEqual(balanceCashFlows(view, events, owners));
});

/** Redemptions of a vault for a withdrawal are only reported in cTokens. */
const withPools = succeeded.filter(({ events }) => {
  return !events.some(({ area, kind }) => area === 'vault' && kind === 'withdraw');
});

test.each(withPools)('events of $name match the token changes of the pools', (flow) => {
  expect(eventPoolChanges(flow.events)).toEqual(
    balancePoolChanges(flow.view, supplyVaultReserves(flow.accounts)),
  );
});

test.each(succeeded)('events of $name match the cToken changes of the vaults', (flow) => {
  const moved = balancePoolChanges(flow.view, vaultCollateralReserves(flow.accounts));
  expect(eventVaultCollateral(flow.events)).toEqual(moved);
});

test('a failed flow has no events', () => {
  const failed = flows.filter(({ view }) => view.failure !== undefined);
  expect(failed.flatMap(({ events }) => events)).toEqual([]);
});

const describeEvent = (name: string): string[] =>
  (flows.find((flow) => flow.name.startsWith(name))?.events ?? []).map(
    ({ area, kind, path, eventIndex }) => `${area} ${kind} ${path.join('.')}/${eventIndex}`,
  );

test.each([
  [
    '24',
    ['lending repay 7/0', 'lending withdraw 7/1', 'farm setStake 7.3/0', 'farm setStake 7.4/0'],
  ],
  [
    '29',
    [
      'lending liquidationRepay 9/0',
      'lending liquidationWithdraw 9/1',
      'lending liquidate 9/2',
      'farm setStake 9.5/0',
      'farm setStake 9.6/0',
    ],
  ],
  ['40', ['vault deposit 1/0', 'farm stake 3/0']],
  ['43', ['farm unstake 1/0', 'farm withdrawUnstaked 2/0', 'vault withdrawFromAvailable 4/0']],
  ['45', ['vault withdraw 1/0', 'vault withdraw 2/0']],
])('flow %s has each event once, in order', (name, expected) => {
  expect(describeEvent(name)).toEqual(expected);
});

test('a liquidation is a loss of the owner and a gain of the liquidator', () => {
  const flow = flows.find(({ name }) => name.startsWith('29'));
  const [repaid, withdrawn, gained] = flow?.events ?? [];
  const obligation = repaid?.area === 'lending' ? repaid.obligation : undefined;
  const owner = obligation && flow?.facts.ownerOfObligation(obligation);
  const payer = flow?.view.accounts[0]?.address;
  expect([repaid?.wallet, withdrawn?.wallet, gained?.wallet]).toEqual([owner, owner, payer]);
  expect(owner).not.toBe(payer);
});

const nobody = () => undefined;
const emptyOwnerLookup = {
  ownerOfObligation: nobody,
  ownerOfUserState: nobody,
  vaultOfShareMint: nobody,
  vaultOfFarm: nobody,
  mintOfReserve: nobody,
};

test('an unknown owner stays undefined', () => {
  const [repay] = extractHistoryEvents(flowView('03'), emptyOwnerLookup);
  const [repaid, withdrawn, gained] = extractHistoryEvents(flowView('29'), emptyOwnerLookup);
  expect(repay).toMatchObject({ kind: 'repay', wallet: undefined });
  expect([repaid?.wallet, withdrawn?.wallet]).toEqual([undefined, undefined]);
  expect(gained?.wallet).toBeDefined();
});

test('an owner in the transaction needs no account lookup', () => {
  const view = flowView('24');
  const [repay] = extractHistoryEvents(view, emptyOwnerLookup);
  expect(repay).toMatchObject({ kind: 'repay', wallet: view.accounts[0]?.address });
});

function flowView(name: string) {
  const flow = flows.find((each) => each.name.startsWith(name));
  if (flow === undefined) throw new Error(`no flow ${name}`);
  return flow.view;
}

test('the recorded mainnet repayment matches its balances', () => {
  const view = viewTransaction(mainnetTransaction('repay'));
  const events = extractHistoryEvents(view, emptyOwnerLookup);
  const [repay] = events;
  const payer = view.accounts[0]?.address;
  expect(repay).toMatchObject({ kind: 'repay', wallet: undefined, payer, slot: 361_774_429n });
  expect(repay).toMatchObject({ at: 1_755_872_986n });
  expect(eventCashFlows(events, createAccountOwnerLookup([]))).toEqual(
    balanceCashFlows(view, events, createAccountOwnerLookup([])),
  );
  expect(eventCashFlows(events, createAccountOwnerLookup([]))).toHaveLength(1);
});
