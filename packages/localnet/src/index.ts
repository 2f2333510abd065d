/** `@tidegate/localnet`: a Solana cluster with the lending, vault, farms and oracle programs, in this process. */
export type { LocalnetSettings, LocalnetStarter, RunningLocalnet } from './localnet-settings.ts';
export type { PlacedTransaction, SlotChanges, Step } from './simulation/cluster-step.ts';
export type { Played } from './simulation/simulate-history.ts';
export { startLocalnet } from './start-localnet.ts';
