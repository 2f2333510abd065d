import { localnetTest } from '@tidegate/localnet/vitest';
import { describe, expect, test as plainTest } from 'vitest';
import { newWallet } from '../../../support/localnet/kit-transfers.ts';

const test = localnetTest({ seed: 'fixture' });
const SOL = 1_000_000_000n;

const wallet = await newWallet();
const urls = new Set<string>();
const slots = new Set<bigint>();

describe('tests of a file share a cluster and do not see each other', () => {
  for (const name of ['first', 'second', 'third']) {
    test(`the ${name} test finds an empty wallet at the same slot`, async ({ net }) => {
      expect(await net.account(wallet)).toBeUndefined();
      slots.add(net.now.slot);
      urls.add(net.rpcUrl);
      await net.airdrop(wallet, SOL);
      await net.warp({ seconds: 60n });
      expect((await net.account(wallet))?.lamports).toBe(SOL);
    });
  }

  plainTest('one cluster served all of them', () => {
    expect(urls.size).toBe(1);
    expect(slots.size).toBe(1);
  });
});
