import { resolve } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { LocalnetSettings, RunningLocalnet, StartOptions } from '@tidegate/localnet';
import { reservePorts, startLocalnetThread } from '@tidegate/localnet/embedded';
import { hasStoredCluster, lockFolder } from '@tidegate/localnet/storage';
import { configuredRules } from '../../cli/settings/program-releases.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { createSimulationReporter } from '../../cli/terminal/progress-reporter.ts';
import type { StartProgress } from '../../clusters/cluster-status.ts';
import { NOT_STARTED } from '../../clusters/starting-clusters.ts';
import { CodedError, hasCode } from '../../errors.ts';
import type { History } from '../../history/open-history.ts';
import {
  type HistoryConfig,
  openRespondingHistory,
  openServedHistory,
} from '../recording/open-cluster-history.ts';
import { openFreePort, type PortMove } from '../tasks/free-port.ts';
import { canSimulateInProcess, simulateInProcess } from './simulation-process.ts';
import { createSimulationRecorder } from './simulation-recorder.ts';

type OpenOptions = Pick<StartOptions, 'log' | 'signal' | 'recorder'> & {
  readonly onProgress?: StartOptions['onProgress'];
  /** Deletes the stored cluster and simulates it again. */
  readonly isFresh: boolean;
};

/** Starts the embedded cluster of the settings. Simulates its history if no cluster is stored. */
export async function openLocalnet(
  config: Config,
  { isFresh, log, signal, recorder, ...observer }: OpenOptions,
): Promise<RunningLocalnet> {
  const settings = localnetSettings(config, isFresh);
  const report = createSimulationReporter();
  const onProgress: StartOptions['onProgress'] = (progress) => {
    report(progress);
    observer.onProgress?.(progress);
  };
  const options = { log, onProgress, recorder, ...(signal && { signal }) };
  const start = (port: number) => startLocalnetThread({ ...settings, port }, options);
  return openRpcPorts(config, start);
}

/** Opens the RPC port and the one of WebSockets after it, or the next pairs if these are a default. */
export async function openRpcPorts<Opened>(
  { localnetRpcPort, unset }: Config,
  open: (port: number) => Promise<Opened>,
  onMoved: (move: PortMove) => void = announcePorts,
): Promise<Opened> {
  const isDefault = unset.has('localnetRpcPort');
  try {
    return await openFreePort({ port: localnetRpcPort, isDefault, width: 2, onMoved }, open);
  } catch (error) {
    throw toPortError(error, localnetRpcPort);
  }
}

function announcePorts({ taken, used }: PortMove): void {
  const ports = `ports ${used} and ${used + 1} (WebSocket)`;
  process.stderr.write(`Port ${taken} is in use: the embedded cluster uses ${ports}\n`);
}

const localnetSettings = (config: Config, isFresh: boolean): LocalnetSettings => ({
  port: config.localnetRpcPort,
  allowedCallers: { hosts: config.localnetRpcHosts, origins: config.localnetRpcOrigins },
  isFresh,
  speed: config.localnetSpeed,
  programs: config.localnetPrograms,
  dataFolder: resolve(config.dataDir, 'localnet'),
  seed: config.localnetSeed.value,
  days: config.localnetDays.value,
  untilMs: config.localnetUntil.value,
});

/** The error of an occupied port names the setting. */
function toPortError(error: unknown, port: number): unknown {
  if (!hasCode(error, 'ADDRESS_IN_USE')) return error;
  return new CodedError('INVALID_SETTING', {
    name: 'LOCALNET_RPC_PORT',
    value: `${port}`,
    accepts: `a port N where N and N+1 are both free (${error.context.port} is in use), or 0 for any free port`,
  });
}

/** The memory of a shorter simulation is not worth a process, which costs seconds of CPU time. */
const MAX_DAYS_IN_SERVER = 2;

type SimulationObserver = Required<Pick<StartOptions, 'log' | 'signal' | 'onProgress'>>;

/** Simulates the cluster of the settings in a process of its own, and stores it. Its ports are held meanwhile. */
async function simulateApart(config: Config, isFresh: boolean, observer: SimulationObserver) {
  const settings = localnetSettings(config, isFresh);
  const report = createSimulationReporter();
  const { databaseUrl, dataDir, rawRetentionDays } = config;
  // the process would find its own ports in use
  const simulated = { ...settings, port: 0 };
  const task = { settings: simulated, databaseUrl: databaseUrl.value, dataDir, rawRetentionDays };
  const ports = await openRpcPorts(config, reservePorts, () => undefined);
  await simulateInProcess(task, {
    ...observer,
    onProgress: (progress) => {
      report(progress);
      observer.onProgress(progress);
    },
  }).finally(ports.release);
}

type OwnHistoryOptions = {
  /** Whether the start fails without the database. */
  readonly isRequired: boolean;
  readonly log: Logger;
};

/** Throws DATABASE_IN_USE if another process writes: it has the history of another cluster, such as a copy of this one. */
async function openOwnHistory(
  config: Config & HistoryConfig,
  { isRequired, log }: OwnHistoryOptions,
): Promise<History> {
  const open = isRequired ? openRespondingHistory : openServedHistory;
  const history = await open(config, 'localnet', log);
  try {
    await history.role?.requireWriter();
    return history;
  } catch (error) {
    await history.close();
    throw error;
  }
}

/** An embedded cluster that is starting. */
export type EmbeddedLocalnet = {
  readonly started: Promise<RunningLocalnet>;
  /** The caller closes it. */
  readonly history: Promise<History>;
  progress(): StartProgress;
  /** Stops the cluster and closes its history, started or not. */
  cancel(): Promise<void>;
};

/** Starts the embedded cluster and opens its history in the background. */
export function startEmbeddedLocalnet(
  config: Config & HistoryConfig,
  isFresh: boolean,
  log: Logger,
): EmbeddedLocalnet {
  const abort = new AbortController();
  const { signal } = abort;
  let current = NOT_STARTED;
  const onProgress: StartOptions['onProgress'] = ({ minutes, totalMinutes }) => {
    current = { stage: 'simulating', done: minutes, total: totalMinutes };
  };
  const { dataFolder, days } = localnetSettings(config, isFresh);
  // of two starts at once, each could lock one of two folders: the cluster's or the database's
  const lock = lockFolder(dataFolder, 'start.lock');
  const isSimulated = isFresh || !hasStoredCluster(dataFolder);
  const isLong = days === undefined || days > MAX_DAYS_IN_SERVER;
  const isApart = canSimulateInProcess && isSimulated && isLong;
  const isShared = config.databaseUrl.value !== undefined;
  const historyConfig = { ...config, isFresh: isFresh && !isApart };
  const open = () => openOwnHistory(historyConfig, { isRequired: isSimulated, log });
  // the process of the simulation opens an embedded database itself
  const shared = isShared ? open() : undefined;
  const simulate = () => simulateApart(config, isFresh, { log, signal, onProgress });
  const simulated = isApart ? Promise.resolve(shared).then(simulate) : Promise.resolve();
  const history = shared ?? simulated.then(open);
  // the recorder waits for the database before the simulation begins
  const { rawRetentionDays } = config;
  const rulesAt = configuredRules(config, 'localnet');
  const recorder = createSimulationRecorder({ history, isFresh, rawRetentionDays, rulesAt, log });
  const options = { isFresh: isFresh && !isApart, log, signal, recorder, onProgress };
  const started = simulated.then(() => openLocalnet(config, options));
  // the caller handles both rejections later
  started.catch(() => undefined).finally(lock.release);
  history.catch(() => undefined);
  return {
    started,
    history,
    progress: () => current,
    async cancel() {
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
