/** `@tidegate/localnet/embedded`: a stored cluster in a thread of its own, as the server embeds it; for bundlers. */
export { simulateLocalnet, startLocalnetThread } from '../localnet-thread.ts';
export { reservePorts } from '../rpc/server/reserved-ports.ts';
export { runSandbox } from '../run-sandbox.ts';
export { signWithWalletKey } from '../storage/wallet-key-files.ts';
