import { describe, expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { usedAllocations } from '#core/protocol/kvault/math/holdings.ts';
import { reserveAddress } from '#localnet/genesis/accounts/market.ts';
import { vaultAddress } from '#localnet/genesis/accounts/vault.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import type { MarketKey } from '#localnet/genesis/specs/market-specs.ts';
import type { TokenSymbol } from '#localnet/genesis/specs/token-specs.ts';
import type { VaultKey } from '#localnet/genesis/specs/vault-specs.ts';
import { createReleaseExecutor } from '#localnet/programs/release-executor.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { AccountIndex } from '../support/invariants/account-index.ts';
import { findViolations } from '../support/invariants/balance-invariants.ts';
import { decodeGenesis } from '../support/localnet/simulated-genesis.ts';

const SEED = 'releases';
const DAYS = 365;
/** Slots took 400, then 350, then 300 ms in this year. */
const UNTIL = chainTimeAt(Date.parse('2026-10-20T00:00:00Z'));
const keys = createSeededKeys(SEED);

/** The year under some releases. */
function simulate(releases: string) {
  const executor = createReleaseExecutor(releases);
  const plan = { seed: SEED, until: UNTIL, days: DAYS };
  const { cluster, metadata } = simulateCluster(plan, { executor, log: silentLog });
  const { bank, transactions } = cluster;
  const accounts = new Map(
    Array.from(bank.accounts(), ({ address, account }) => [address, account]),
  );
  const { reserves, vaults } = decodeGenesis({ accounts, metadata });
  const records = [...transactions.ledger.slots()].flatMap((slot) =>
    transactions.ledger.inSlot(slot),
  );
  return {
    accounts,
    records,
    start: bank.origin,
    reserve: (market: MarketKey, symbol: TokenSymbol) =>
      required(reserves.get(reserveAddress(keys, market, symbol))),
    vault: (key: VaultKey) => required(vaults.get(vaultAddress(keys, key))),
  };
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('missing');
  return value;
}

const OLD = 'klend@1.10,kvault@2.1.1,farms@1.6.5';
const MIDDLE = 'klend@1.23,kvault@2.2.2';
const NEW = 'klend@1.25,kvault@2.3.0';

describe.each([OLD, MIDDLE, NEW])('a year of %s', (releases) => {
  const year = simulate(releases);
  const hasBasis = releases === NEW;

  test('nearly all of more than five thousand transactions succeeded, and all balances agree', () => {
    expect(year.records.length).toBeGreaterThan(5_000);
    expect(year.records.filter(({ error }) => error !== undefined).length).toBeLessThan(100);
    expect(findViolations(new AccountIndex(year.accounts))).toEqual([]);
  });

  test('a debt at 6.5 % has grown by slots or by seconds', () => {
    const { liquidity, lastUpdate, config } = year.reserve('bitcoin', 'wETH');
    const growth = Math.log(Number(liquidity.cumulativeBorrowRateBsf.value) / 2 ** 60);
    const slots = Number(lastUpdate.slot - year.start.slot);
    const seconds = lastUpdate.timestamp - Number(year.start.unix);
    const years = hasBasis ? seconds / 31_536_000 : slots / 63_072_000;
    expect(config.interestRateBasis).toBe(hasBasis ? 1 : 0);
    // the clock starts with the first refresh, within a day
    expect(growth / (0.065 * years)).toBeGreaterThan(1 - 1 / 365);
    expect(growth / (0.065 * years)).toBeLessThan(1 + 1e-4);
  });

  test('a reserve changes its basis if the release has one', () => {
    expect(year.reserve('main', 'PYUSD').config.interestRateBasis).toBe(hasBasis ? 1 : 0);
    expect(year.reserve('main', 'USDC').config.interestRateBasis).toBe(0);
  });

  test('vaults have the limits of the release', () => {
    const isCapped = releases !== OLD;
    const { depositCap, prevAumSf } = year.vault('basin');
    expect(depositCap).toBe(isCapped ? 50_000_000_000n : 0n);
    const held = Number(prevAumSf >> 60n) / 1e6;
    if (isCapped) {
      // deposits end at the cap, and interest exceeds it
      expect(held).toBeGreaterThan(50_000);
      expect(held).toBeLessThan(52_000);
    } else expect(held).toBeGreaterThan(70_000);
    const { permissioningAuthority, sharesIssued } = year.vault('pilot');
    expect(permissioningAuthority === ZERO_ADDRESS).toBe(releases !== NEW);
    expect(sharesIssued).toBeGreaterThan(0n);
  });

  test('the evacuated vault lends nothing and has its tokens', () => {
    const vault = year.vault('ferry');
    const lent = usedAllocations(vault).map(({ ctokenAllocation }) => ctokenAllocation);
    expect(lent).toEqual([0n]);
    expect(Number(vault.tokenAvailable) / 1e6).toBeGreaterThan(20_000);
  });
});
