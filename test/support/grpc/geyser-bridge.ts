import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { NodeState } from '../recorded-mainnet/node-state.ts';
import type { FakeGeyser } from './fake-geyser.ts';
import type { WrittenAccount } from './geyser-updates.ts';

/** Sends each slot of a recorded node over gRPC. */
export function bridgeNode(state: NodeState, geyser: FakeGeyser): void {
  let accounts: WrittenAccount[] = [];
  state.listen({
    onAccount: ({ address, account }: { address: Address; account: ClusterAccount | undefined }) =>
      accounts.push({ address, account }),
    onSlot: () => {
      const { slot } = state;
      geyser.addSlot({ slot, unix: state.unixAt(slot), accounts });
      accounts = [];
    },
    onTransaction: () => undefined,
  });
}
