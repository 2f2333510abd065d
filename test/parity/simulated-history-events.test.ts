import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { farms, klend, spl } from '#core/protocol/index.ts';
import { NEWEST_RULES } from '#core/protocol/releases/index.ts';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import type {
  HistoryEvent,
  LendingHistoryEvent,
  VaultHistoryEvent,
} from '#core/views/transactions/events/history-event.ts';
import { createGenesis } from '#localnet/genesis/genesis.ts';
import {
  createAccountOwnerLookup,
  supplyVaultReserves,
  vaultCollateralReserves,
  viewTransactionRecord,
} from '../support/history/account-owner-index.ts';
import {
  AmountTotals,
  balanceCashFlows,
  balancePoolChanges,
  eventCashFlows,
  eventPoolChanges,
  eventVaultCollateral,
} from '../support/history/event-cash-flows.ts';
import { SIMULATION_END, simulateDays } from '../support/localnet/simulated-genesis.ts';

const SEED = 'events';
const DAYS = 30;

type Accounts = readonly (readonly [Address, RawAccount])[];

const { cluster } = simulateDays(SEED, DAYS);
const end: Accounts = Array.from(cluster.bank.accounts(), ({ address, account }) => {
  return [address, account] as const;
});
const start: Accounts = [
  ...createGenesis({ seed: SEED, until: SIMULATION_END, days: DAYS }, () => NEWEST_RULES).accounts,
];
const owners = createAccountOwnerLookup(end);
const pools = supplyVaultReserves(end);
const vaultCollaterals = vaultCollateralReserves(end);
const eventsByTransaction = cluster.transactions.ledger
  .between(toSlot(0n), SIMULATION_END.slot)
  .map((record) => viewTransactionRecord(record))
  .map((view) => ({ view, events: extractHistoryEvents(view, owners) }));
const all = eventsByTransaction.flatMap(({ events }) => events);

test('a simulation of some days has events of most kinds', () => {
  const kinds = new Set(all.map(({ area, kind }) => `${area} ${kind}`));
  for (const kind of ['lending borrow', 'lending repay', 'vault shareTransferIn', 'farm stake']) {
    expect(kinds).toContain(kind);
  }
});

test('events of each transaction match the token changes of its wallets', () => {
  for (const { view, events } of eventsByTransaction) {
    expect(eventCashFlows(events, owners)).toEqual(balanceCashFlows(view, events, owners));
  }
});

const isFromReserve = (event: HistoryEvent): boolean =>
  event.area === 'vault' && ['withdraw', 'sell'].includes(event.kind);

test('events of each transaction match the changes of pools and of vault cTokens', () => {
  for (const { view, events } of eventsByTransaction) {
    expect(eventVaultCollateral(events)).toEqual(balancePoolChanges(view, vaultCollaterals));
    if (!events.some(isFromReserve))
      expect(eventPoolChanges(events)).toEqual(balancePoolChanges(view, pools));
  }
});

test('event keys are unique and in order', () => {
  const keys = all.map(
    ({ area, signature, path, eventIndex }) => `${area} ${signature} ${path} ${eventIndex}`,
  );
  expect(new Set(keys).size).toBe(keys.length);
  for (const { events } of eventsByTransaction) {
    expect(events.map(({ order }) => order)).toEqual([...events.keys()]);
  }
});

const sharesGained: Partial<Record<VaultHistoryEvent['kind'], bigint>> = {
  deposit: 1n,
  buy: 1n,
  shareTransferIn: 1n,
  withdraw: -1n,
  sell: -1n,
  withdrawFromAvailable: -1n,
  redeemInKind: -1n,
  shareTransferOut: -1n,
  shareBurn: -1n,
};

/** Shares by wallet and vault: in token accounts and in the farm of the vault. */
function sharesHeld(accounts: Accounts, sums: AmountTotals, sign: bigint): void {
  for (const [, account] of accounts) {
    if (spl.accounts.tokenAccount.matches(account)) {
      const { mint, owner, amount } = spl.accounts.tokenAccount.view(account);
      const vault = owners.vaultOfShareMint(mint);
      if (vault !== undefined && !farmAuthorities.has(owner)) {
        sums.add(`${owner} ${vault}`, sign * amount);
      }
    }
    if (farms.accounts.userState.matches(account)) {
      const state = farms.accounts.userState.view(account);
      const vault = owners.vaultOfFarm(state.farmState);
      const { activeStakeScaled, pendingDepositStakeScaled: pending } = state;
      const scaled = activeStakeScaled + pending + state.pendingWithdrawalUnstakeScaled;
      if (vault !== undefined) sums.add(`${state.owner} ${vault}`, (sign * scaled) / 10n ** 18n);
    }
  }
}

const farmAuthorities = new Set(
  end.flatMap(([, account]) =>
    farms.accounts.farmState.matches(account)
      ? [farms.accounts.farmState.view(account).farmVaultsAuthority]
      : [],
  ),
);

test('events of a wallet in a vault add up to its held and staked shares', () => {
  const expected = new AmountTotals();
  sharesHeld(end, expected, 1n);
  sharesHeld(start, expected, -1n);
  const sums = new AmountTotals();
  for (const event of all) {
    if (event.area !== 'vault') continue;
    const sign = sharesGained[event.kind] ?? 0n;
    sums.add(`${event.wallet} ${event.vault}`, sign * (event.sharesAmount ?? 0n));
  }
  expect(expected.entries().length).toBeGreaterThan(10);
  expect(sums.entries()).toEqual(expected.entries());
});

test('stake events of a wallet add up to its stake in the farm', () => {
  const expected = new AmountTotals();
  for (const [, account] of end) {
    if (!farms.accounts.userState.matches(account)) continue;
    const state = farms.accounts.userState.view(account);
    const vault = owners.vaultOfFarm(state.farmState);
    if (vault !== undefined) {
      expected.add(`${state.owner} ${vault}`, state.activeStakeScaled / 10n ** 18n);
    }
  }
  const sums = new AmountTotals();
  for (const event of all) {
    if (event.area !== 'farm' || event.vault === undefined) continue;
    const { kind, wallet, vault, amount = 0n } = event;
    if (kind === 'stake') sums.add(`${wallet} ${vault}`, amount);
    if (kind === 'withdrawUnstaked') sums.add(`${wallet} ${vault}`, -amount);
  }
  expect(expected.entries().length).toBeGreaterThan(1);
  expect(sums.entries()).toEqual(expected.entries());
});

const collateralGained: Partial<Record<LendingHistoryEvent['kind'], bigint>> = {
  deposit: 1n,
  depositObligationCollateral: 1n,
  withdraw: -1n,
  withdrawObligationCollateral: -1n,
  liquidationWithdraw: -1n,
};

test('events of an obligation add up to its cTokens, by reserve and owner', () => {
  const expected = new AmountTotals();
  for (const [address, account] of end) {
    if (!klend.accounts.obligation.matches(account)) continue;
    const { owner, deposits } = klend.accounts.obligation.decode(account);
    for (const { depositReserve, depositedAmount } of deposits) {
      expected.add(`${owner} ${address} ${depositReserve}`, depositedAmount);
    }
  }
  const sums = new AmountTotals();
  for (const event of all) {
    if (event.area !== 'lending') continue;
    const sign = collateralGained[event.kind] ?? 0n;
    const { wallet, obligation, reserve, collateralAmount } = event;
    sums.add(`${wallet} ${obligation} ${reserve}`, sign * (collateralAmount ?? 0n));
  }
  expect(expected.entries().length).toBeGreaterThan(50);
  expect(sums.entries()).toEqual(expected.entries());
});

test('the last delegated stake event equals the stake in the farm', () => {
  const stakes = new Map<Address, HistoryEvent>();
  for (const event of all) {
    if (event.area !== 'farm' || event.kind !== 'setStake') continue;
    if (event.userState !== undefined) stakes.set(event.userState, event);
  }
  expect(stakes.size).toBeGreaterThan(20);
  for (const [address, account] of end) {
    if (!stakes.has(address) || !farms.accounts.userState.matches(account)) continue;
    const { activeStakeScaled, delegatee, owner } = farms.accounts.userState.view(account);
    const expected = { amount: activeStakeScaled, obligation: delegatee, wallet: owner };
    expect(stakes.get(address)).toMatchObject(expected);
  }
});
