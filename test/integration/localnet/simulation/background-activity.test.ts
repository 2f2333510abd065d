import { expect, test } from 'vitest';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { BackgroundActivity } from '#localnet/simulation/background-activity.ts';
import { silentLog } from '../../../support/fakes/silent-log.ts';
import { AccountIndex } from '../../../support/invariants/account-index.ts';
import { findViolations } from '../../../support/invariants/balance-invariants.ts';
import { SIMULATION_END, simulateDays } from '../../../support/localnet/simulated-genesis.ts';

const SLOTS = 1_800;
const SLOT_MS = 400;

test('wallets follow their strategies, vaults are invested, and demo wallets stay idle', () => {
  const { cluster, metadata } = simulateDays('crowd', 1);
  const { bank, transactions } = cluster;
  let ms = Number(SIMULATION_END.unix) * 1000;
  const backgroundActivity = new BackgroundActivity({ cluster, metadata, log: silentLog });
  const failures: unknown[] = [];
  const fail = (context: object) => failures.push(context);
  const log = { ...silentLog, warn: fail, error: fail };
  const localnet = new Localnet({ cluster, backgroundActivity, now: () => ms, log });
  const before = transactions.ledger.size;
  for (let slot = 0; slot < SLOTS; slot++) {
    ms += SLOT_MS;
    localnet.tick();
  }
  expect(failures).toEqual([]);
  expect(bank.slot - SIMULATION_END.slot).toBe(BigInt(SLOTS));
  const records = transactions.ledger.between(SIMULATION_END.slot, bank.slot);
  expect(transactions.ledger.size - before).toBe(records.length);
  // One action every 75 slots, some of which buy tokens first, plus one round of investments.
  expect(records.length).toBeGreaterThan(SLOTS / 75 / 3);
  expect(records.length).toBeLessThan((SLOTS / 75) * 4);
  expect(records.filter(({ error }) => error !== undefined).length).toBeLessThan(3);
  const demoWallets = new Set([...metadata.wallets.slice(0, 9), metadata.wallets[92]]);
  expect(records.filter(({ accounts: [payer] }) => demoWallets.has(payer?.address))).toEqual([]);
  const accounts = Array.from(
    bank.accounts(),
    ({ address, account }) => [address, account] as const,
  );
  expect(findViolations(new AccountIndex(accounts))).toEqual([]);
});
