import { expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { AccountIndex } from '../../../../test/support/invariants/account-index.ts';
import { findViolations } from '../../../../test/support/invariants/balance-invariants.ts';
import {
  SIMULATION_END,
  simulateDays,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { Localnet } from '../cluster/localnet.ts';
import { BackgroundActivity } from './background-activity.ts';

const SLOTS = 1_800;
const SLOT_MS = 400;

const slow = { timeout: 60_000 };

test(
  'some go on with their habits, vaults invest, and those that newcomers are shown stay as they are',
  slow,
  () => {
    const { cluster, facts } = simulateDays('crowd', 1);
    const { bank, transactions } = cluster;
    let ms = Number(SIMULATION_END.unix) * 1000;
    const crowd = new BackgroundActivity({ cluster, facts, log: silentLog });
    const failures: unknown[] = [];
    const fail = (context: object) => failures.push(context);
    const log = { ...silentLog, warn: fail, error: fail };
    const localnet = new Localnet({ cluster, crowd, now: () => ms, log });
    const before = transactions.ledger.size;
    for (let slot = 0; slot < SLOTS; slot++) {
      ms += SLOT_MS;
      localnet.tick();
    }
    expect(failures).toEqual([]);
    expect(bank.slot - SIMULATION_END.slot).toBe(BigInt(SLOTS));
    const records = transactions.ledger.between(SIMULATION_END.slot, bank.slot);
    expect(transactions.ledger.size - before).toBe(records.length);
    // one in 75 slots, some of which need a purchase first, and one round of investments
    expect(records.length).toBeGreaterThan(SLOTS / 75 / 3);
    expect(records.length).toBeLessThan((SLOTS / 75) * 4);
    expect(records.filter(({ error }) => error !== undefined).length).toBeLessThan(3);
    const shown = new Set([...facts.wallets.slice(0, 9), facts.wallets[92]]);
    expect(records.filter(({ accounts: [payer] }) => shown.has(payer?.address))).toEqual([]);
    const accounts = Array.from(
      bank.accounts(),
      ({ address, account }) => [address, account] as const,
    );
    expect(findViolations(new AccountIndex(accounts))).toEqual([]);
  },
);
