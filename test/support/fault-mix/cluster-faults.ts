import type { Fault } from './fault.ts';
import { happens } from './fault.ts';

/** As many slots pass at once as after a pause of a busy machine. */
const JUMP_SLOTS = 50;
/** Updates of accounts of one slot. */
const BURST_ACCOUNTS = 100;

/** The other cluster goes on with this one. */
function passOne(advanceSlots: (slots: number) => void): undefined {
  advanceSlots(1);
}

/** Faults of the cluster, and of which cluster it is. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'clock jumps',
    change: 'passes 50 slots at once, now and then',
    begin: ({ random }) => ({
      beforeSlot: () => (happens(random, 3) ? JUMP_SLOTS : undefined),
    }),
  },
  {
    name: 'slots rolled back',
    change: 'rolls back up to 6 slots, confirmed ones too, and sends other ones',
    begin: ({ random, cluster: { localnet } }) => ({
      beforeSlot: async () => {
        if (happens(random, 4)) await localnet.rollBack(random.between(1n, 6n));
        return undefined;
      },
    }),
  },
  {
    name: 'burst',
    change: 'changes 100 accounts in each slot',
    begin: ({ cluster: { cluster } }) => {
      let next = 0;
      const { bank } = cluster;
      const loans = [...bank.accounts()].filter(({ account }) => account.data.length > 1_000);
      return {
        beforeSlot: () => {
          for (let i = 0; i < BURST_ACCOUNTS; i++) {
            const address = loans[next++ % loans.length]?.address;
            const account = address && bank.account(address);
            // one lamport more, as a transfer to the account
            if (address && account)
              bank.setAccount(address, { ...account, lamports: account.lamports + 1n });
          }
          return undefined;
        },
      };
    },
  },
  {
    name: 'other cluster over HTTP',
    change: 'answers over HTTP from another cluster',
    begin: async ({ other }) => {
      const { rpcUrl, advanceSlots } = await other();
      return { rpcUrl, beforeSlot: () => passOne(advanceSlots) };
    },
  },
  {
    name: 'other cluster over WebSocket',
    change: 'connects WebSockets to another cluster, and drops those that are open',
    begin: async ({ other }) => {
      const { wsUrl, advanceSlots } = await other();
      let isDropped = false;
      const closesSockets = () => {
        const isFirst = !isDropped;
        isDropped = true;
        return isFirst;
      };
      return { wsUrl, beforeSlot: () => passOne(advanceSlots), closesSockets };
    },
  },
];
