/** `@tidegate/localnet`: a Solana cluster with the lending, vault, farms and oracle programs, in this process. */
export { type GenesisPlan, metadataOfPlan } from './genesis/genesis.ts';
export type { LocalnetSettings, RunningLocalnet, StartOptions } from './localnet-settings.ts';
export { reservePorts } from './rpc/server/reserved-ports.ts';
export type { ClusterStep, SlotChanges, StepTransaction } from './simulation/cluster-step.ts';
export type { SimulationProgress } from './simulation/simulate-history.ts';
export { simulateLocalnet, startLocalnet } from './start-localnet.ts';
export { signWithWalletKey } from './storage/wallet-key-files.ts';
