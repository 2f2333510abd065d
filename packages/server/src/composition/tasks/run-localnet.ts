import { once } from 'node:events';
import type { RunningLocalnet, Sandbox } from '@tidegate/localnet';
import { runSandbox } from '@tidegate/localnet/embedded';
import { createServerLog } from '../../cli/logging/server-log.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { openLocalnet, openRpcPorts } from '../localnet/embedded-localnet.ts';

/** Runs the embedded cluster without the API server until a signal. */
export async function runLocalnetUntilSignal(config: Config, isFresh: boolean): Promise<void> {
  const { log, close } = createServerLog(config);
  process.once('exit', close);
  const localnet = await openLocalnet(config, { isFresh, log });
  process.stderr.write(describe(localnet));
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await localnet.stop();
}

type Fork = { readonly url: string; readonly slot: bigint | undefined };

/** Runs a fork of another cluster until a signal. */
export async function runForkUntilSignal(config: Config, { url, slot }: Fork): Promise<void> {
  const { log, close } = createServerLog(config);
  process.once('exit', close);
  const options = {
    fork: { url, ...(slot !== undefined && { slot }) },
    programs: config.localnetPrograms,
    speed: config.localnetSpeed,
    seed: config.localnetSeed.value ?? 'tidegate',
    log,
  };
  const sandbox = await openRpcPorts(config, (port) => runSandbox({ ...options, port }));
  process.stderr.write(describeFork(sandbox, url));
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await sandbox.stop();
}

/** Names the host only: URLs of providers contain keys. */
const describeFork = ({ rpcUrl, wsUrl, now }: Sandbox, url: string): string =>
  `Localnet is at ${rpcUrl} (WebSocket: ${wsUrl})

It is a fork of ${new URL(url).host} at slot ${now.slot}. An account is read when it is first needed, and stays as it was then.

List the accounts that were read, and the slot of each:
  curl ${rpcUrl} -H 'content-type: application/json' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"tidegate_getForkedAccounts","params":[]}'
`;

function describe({ rpcUrl, wsUrl, metadata, keysFolder }: RunningLocalnet): string {
  const { demo } = metadata;
  const markets = metadata.markets.map(
    ({ address, name }) => `  market      ${address}  ${name}\n`,
  );
  const vaults = metadata.vaults.map(({ address, name }) => `  vault       ${address}  ${name}\n`);
  return `Localnet is at ${rpcUrl} (WebSocket: ${wsUrl})

Example wallet with loans and vault shares:
  wallet      ${demo.wallet}
  obligation  ${demo.obligation}
  vault       ${demo.vault}
  key file    ${keysFolder}/wallet-0.json (the folder has the keys of all wallets; test funds only)

Markets and vaults:
${markets.join('')}${vaults.join('')}
Read an account:
  curl ${rpcUrl} -H 'content-type: application/json' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["${demo.obligation}",{"encoding":"base64"}]}'

Start the API server for this cluster:
  RPC_URL=${rpcUrl} WS_URL=${wsUrl} CLUSTER=localnet tidegate serve
`;
}
