import { test } from 'vitest';
import { isBuiltInGolden } from './golden.ts';

/** For tests that compare with figures of the built-in golden data. Skipped on another data set. */
export const testPinned = test.skipIf(!isBuiltInGolden);

/** Figures of the built-in golden data that tests compare with. */
export const pinned = {
  flows: {
    all: 49,
    succeeded: 44,
    withLookupTable: 5,
    /** Flows whose instructions the guard of the builders allows. */
    allowed: 37,
    requested: 27,
    withResponse: 40,
    withResponseSucceeded: 36,
    lending: 37,
    vaults: 9,
    vaultsSucceeded: 8,
    farms: 21,
  },
  /** The transaction of flow 01. */
  deposit: {
    signature:
      '4QgzGZXgJfz3SRHG43c1WXVAXgBUFT9hbqzC5drrJTn3ai6zHmB5vMDzZEj91sYLSkbNfHwiiJAnGJAeVsdVeRAU',
    slot: 373_737_304n,
    blockTime: 1_760_694_921n,
    fee: 5000n,
    computeUnits: 187_090n,
    accounts: 24,
    writableAccounts: 11,
    wallet: '743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6',
    tokenAccount: '4MAKR9R5epDEghkoVHqopP3vDp6SKesMXotH3ZMmr5D4',
    amountBefore: 100_000_000_000n,
    amountAfter: 80_000_000_000n,
    farmUser: 'BK6VUvrc47d3T9FevBwgWBzFPiUNwfBMbb2zRNTW15Qj',
  },
} as const;
