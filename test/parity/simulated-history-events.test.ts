import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { farms, klend, spl } from '#core/protocol/index.ts';
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
  ...createGenesis({ seed: SEED, until: SIMULATION_END, days: DAYS }).accounts,
];
const facts = createAccountOwnerLookup(end);
const pools = supplyVaultReserves(end);
const vaultCollaterals = vaultCollateralReserves(end);
const told = cluster.transactions.ledger
  .between(toSlot(0n), SIMULATION_END.slot)
  .map((record) => viewTransactionRecord(record))
  .map((view) => ({ view, events: extractHistoryEvents(view, facts) }));
const all = told.flatMap(({ events }) => events);

test('days of people have events of most kinds', () => {
  const kinds = new Set(all.map(({ area, kind }) => `${area} ${kind}`));
  for (const kind of ['lending borrow', 'lending repay', 'vault shareTransferIn', 'farm stake']) {
    expect(kinds).toContain(kind);
  }
});

test('each transaction tells what its wallets paid and got', () => {
  for (const { view, events } of told) {
    expect(eventCashFlows(events, facts)).toEqual(balanceCashFlows(view, events, facts));
  }
});

const isFromReserve = (event: HistoryEvent): boolean =>
  event.area === 'vault' && ['withdraw', 'sell'].includes(event.kind);

test('each transaction tells what pools got and paid, and what cTokens vaults have', () => {
  for (const { view, events } of told) {
    expect(eventVaultCollateral(events)).toEqual(balancePoolChanges(view, vaultCollaterals));
    if (!events.some(isFromReserve))
      expect(eventPoolChanges(events)).toEqual(balancePoolChanges(view, pools));
  }
});

test('no two events have the same key, and they are counted in their order', () => {
  const keys = all.map(({ area, signature, path, eventIndex }) => `${area} ${signature} ${path} ${eventIndex}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { events } of told) {
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

/** By wallet and vault: in token accounts, and in the farm of the vault. */
function sharesHeld(accounts: Accounts, sums: AmountTotals, sign: bigint): void {
  for (const [, account] of accounts) {
    if (spl.accounts.tokenAccount.matches(account)) {
      const { mint, owner, amount } = spl.accounts.tokenAccount.view(account);
      const vault = facts.vaultOfShareMint(mint);
      if (vault !== undefined && !farmAuthorities.has(owner)) {
        sums.add(`${owner} ${vault}`, sign * amount);
      }
    }
    if (farms.accounts.userState.matches(account)) {
      const state = farms.accounts.userState.view(account);
      const vault = facts.vaultOfFarm(state.farmState);
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

test('all events of a wallet in a vault add up to the shares it holds and has staked', () => {
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

test('all stakes in the farm of a vault add up to what the farm holds for the wallet', () => {
  const expected = new AmountTotals();
  for (const [, account] of end) {
    if (!farms.accounts.userState.matches(account)) continue;
    const state = farms.accounts.userState.view(account);
    const vault = facts.vaultOfFarm(state.farmState);
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

test('all events of an obligation add up to the cTokens it has, by reserve and for its owner', () => {
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

test('the last stake that the lending program set is the one that the farm keeps', () => {
  const stakes = new Map<Address, HistoryEvent>();
  for (const event of all) {
    if (event.area === 'farm' && event.kind === 'setStake') stakes.set(event.userState, event);
  }
  expect(stakes.size).toBeGreaterThan(20);
  for (const [address, account] of end) {
    if (!stakes.has(address) || !farms.accounts.userState.matches(account)) continue;
    const { activeStakeScaled, delegatee, owner } = farms.accounts.userState.view(account);
    const expected = { amount: activeStakeScaled, obligation: delegatee, wallet: owner };
    expect(stakes.get(address)).toMatchObject(expected);
  }
});
