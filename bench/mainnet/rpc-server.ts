import { setTimeout as pause } from 'node:timers/promises';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import {
  type MainnetRates,
  SimulatedMainnet,
} from '../../test/support/simulated-mainnet/simulated-mainnet.ts';
import type { TrafficFigures } from '../../test/support/simulated-mainnet/traffic.ts';

/** What the parent process may ask for. Each has one reply, with the figures at its end. */
export type NodeCommand =
  | { readonly kind: 'figures' }
  | { readonly kind: 'rates'; readonly rates: MainnetRates }
  /** Replies when sockets are accepted again. */
  | { readonly kind: 'drop'; readonly seconds: number };

export type NodeFigures = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The newest confirmed slot. */
  readonly confirmedSlot: number;
  readonly traffic: TrafficFigures;
  /** Actions of wallets that succeeded. */
  readonly transactions: number;
};

export type NodeSizes = {
  readonly loans: number;
  readonly farmUsers: number;
  readonly hasPages: boolean;
};

/**
 * A simulated mainnet in a process of its own, so that its work does not count as that of the server. The sizes are the
 * JSON of its first argument.
 */
const sizes = JSON.parse(process.argv[2] ?? '{}') as NodeSizes;
/** About as many loans change as there are transactions. */
const WRITES_PER_CHANGE = 32;

const mainnet = await SimulatedMainnet.start({
  seed: 'mainnet',
  until: chainTimeAt(Date.now()),
  writesPerChange: WRITES_PER_CHANGE,
  ...sizes,
});
mainnet.startClock();
process.on('message', (command: NodeCommand) => {
  void execute(command).then(() => process.send?.(figures()));
});
process.on('disconnect', () => process.exit());
process.send?.(figures());

async function execute(command: NodeCommand): Promise<void> {
  switch (command.kind) {
    case 'figures':
      return;
    case 'rates':
      mainnet.setRates(command.rates);
      return;
    case 'drop':
      mainnet.dropSockets();
      await pause(command.seconds * 1_000);
      mainnet.acceptSockets();
  }
}

function figures(): NodeFigures {
  const { rpcUrl, wsUrl, traffic, activity } = mainnet;
  return {
    rpcUrl,
    wsUrl,
    confirmedSlot: Number(mainnet.slot) - 1,
    traffic: traffic.figures(),
    transactions: activity.succeeded,
  };
}
