import { addressFromBytes } from '../src/base/address.ts';
import { Localnet } from '../src/localnet/localnet.ts';
import { obligation } from '../src/protocol/klend/layout/obligation.ts';
import { goldenCluster } from '../test/support/golden.ts';
import { silentLog } from '../test/support/silent-log.ts';
import { makeObligations } from './made-obligations.ts';

/** The golden cluster with as many obligations as asked for, over RPC; its slots do not pass. */
const count = Number(process.argv[2]);
const { at, accounts } = goldenCluster();
const originals = [...accounts.values()].filter(
  (raw) => obligation.matches(raw) && obligation.view(raw).depositedValueSf > 0n,
);
const random = mixed(1);
for (const raw of makeObligations(originals, count)) {
  raw.data.set(random(32), obligation.offsets.owner);
  accounts.set(addressFromBytes(random(32)), { ...raw, lamports: 1n });
}
const localnet = new Localnet({ accounts, at, seed: 'bench', now: () => 0, log: silentLog });
const { rpcUrl } = await localnet.addNode(0);
process.send?.(rpcUrl);

/** Bytes that are all different, the same in every run. */
function mixed(seed: number): (size: number) => Uint8Array {
  let state = seed;
  return (size) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state >>> 24;
    });
}
