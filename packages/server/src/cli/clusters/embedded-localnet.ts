import { once } from 'node:events';
import { resolve } from 'node:path';
import { CodedError, hasCode, type Logger } from '@tidegate/core/base';
import {
  type LocalnetSettings,
  type RunningLocalnet,
  type StartOptions,
  startLocalnet,
} from '@tidegate/localnet';
import type { History } from '../../history/open-history.ts';
import { openClusterHistory } from '../clusters/open-cluster-history.ts';
import { createSimulationRecorder } from '../clusters/simulation-recorder.ts';
import { createServerLog } from '../logging/server-log.ts';
import type { Config } from '../settings/settings.ts';
import { createSimulationProgressBar } from '../terminal/progress-bar.ts';

/** What only a command line says of it. */
export type LocalnetFlags = { readonly fresh: boolean; readonly port?: number };

/** Runs the embedded cluster alone until a signal. */
export async function runLocalnetCommand(config: Config, flags: LocalnetFlags): Promise<void> {
  const { log, close } = createServerLog(config);
  process.once('exit', close);
  const localnet = await openLocalnet(localnetSettings(config, flags), { log });
  process.stderr.write(describe(localnet));
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await localnet.stop();
}

const localnetSettings = (
  config: Config,
  { fresh, port = config.localnetRpcPort }: LocalnetFlags,
): LocalnetSettings => ({
  ...{ port, fresh, speed: config.localnetSpeed, programs: config.localnetPrograms },
  folder: resolve(config.dataDir, 'localnet'),
  seed: config.localnetSeed.given,
  days: config.localnetDays.given,
  untilMs: config.localnetUntil.given,
});

async function openLocalnet(
  settings: LocalnetSettings,
  { log, signal, diarist }: Pick<StartOptions, 'log' | 'signal' | 'diarist'>,
): Promise<RunningLocalnet> {
  try {
    const onPlayed = createSimulationProgressBar();
    return await startLocalnet(settings, { log, onPlayed, diarist, ...(signal && { signal }) });
  } catch (error) {
    if (!hasCode(error, 'ADDRESS_IN_USE')) throw error;
    throw new CodedError('INVALID_SETTING', {
      name: 'LOCALNET_RPC_PORT',
      value: `${settings.port}`,
      accepts: `a port that is free, as must be the one after it (${error.context.port} is in use), or 0 for any`,
    });
  }
}

/** A cluster that has begun to start. */
export type EmbeddedLocalnet = {
  readonly started: Promise<RunningLocalnet>;
  /** Its past, which whoever serves it closes. */
  readonly history: Promise<History>;
  /** Where nobody will want it, started or not. */
  abandon(): Promise<void>;
};

/** For a server that has no other cluster: it starts while the server is still loaded. */
export function startEmbeddedLocalnet(
  config: Config,
  flags: LocalnetFlags,
  log: Logger,
): EmbeddedLocalnet {
  const abort = new AbortController();
  const { signal } = abort;
  const history = openClusterHistory(config, 'localnet', log);
  const { fresh } = flags;
  const diarist = createSimulationRecorder({ history, fresh, log });
  const settings = localnetSettings(config, flags);
  // both at once; nothing is played before the diarist has begun, who waits for the database
  const started = openLocalnet(settings, { log, signal, diarist });
  // whoever awaits them is told
  started.catch(() => undefined);
  history.catch(() => undefined);
  return {
    started,
    history,
    async abandon() {
      abort.abort();
      await started.then(
        (localnet) => localnet.stop(),
        () => undefined,
      );
      await history.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

function describe({ rpcUrl, wsUrl, facts, keys }: RunningLocalnet): string {
  const { demo } = facts;
  const markets = facts.markets.map(({ address, name }) => `  market      ${address}  ${name}\n`);
  const vaults = facts.vaults.map(({ address, name }) => `  vault       ${address}  ${name}\n`);
  return `Localnet is at ${rpcUrl} (WebSocket: ${wsUrl})

A wallet to look at, with loans and shares of a vault:
  wallet      ${demo.wallet}
  obligation  ${demo.obligation}
  vault       ${demo.vault}
  its key     ${keys}/wallet-0.json (the others’ beside it; play money only)

All of it:
${markets.join('')}${vaults.join('')}
Try it:
  curl ${rpcUrl} -H 'content-type: application/json' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["${demo.obligation}",{"encoding":"base64"}]}'

Serve it: RPC_URL=${rpcUrl} WS_URL=${wsUrl} CLUSTER=localnet tidegate serve
`;
}
