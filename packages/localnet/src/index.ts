/** `@tidegate/localnet`: a Solana cluster with the lending, vault, farms and oracle programs, in this process. */
export type { ForkedAccount } from './fork/forked-accounts.ts';
export type { ForkOptions } from './fork/origin-accounts.ts';
export type { GenesisPlan } from './genesis/genesis.ts';
export type { LocalnetSettings, RunningLocalnet, StartOptions } from './localnet-settings.ts';
export type { Sandbox, SandboxTime } from './sandbox/sandbox.ts';
export type { SandboxOptions } from './sandbox/sandbox-options.ts';
export type { SentTransaction } from './sandbox/send-transaction.ts';
export type { SandboxWallet } from './sandbox/wallet.ts';
export type { ClusterStep, SlotChanges, StepTransaction } from './simulation/cluster-step.ts';
export type { SimulationProgress } from './simulation/simulate-history.ts';
export { startLocalnet } from './start-localnet.ts';
