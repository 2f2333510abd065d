import { once } from 'node:events';
import type { Logger } from '@tidegate/core/base';
import { namesReleases } from '@tidegate/core/protocol/releases';
import { simulateLocalnet } from '@tidegate/localnet/embedded';
import { rulesOfCluster } from '../../clusters/cluster-rules.ts';
import { toProcessFailure } from '../../workers/process-failure.ts';
import { openClusterHistory } from '../recording/open-cluster-history.ts';
import { keepNextTickFast } from '../tasks/next-tick.ts';
import type {
  SimulationCommand,
  SimulationMessage,
  SimulationTask,
} from './simulation-messages.ts';
import { createSimulationRecorder } from './simulation-recorder.ts';

/** Entry of the simulation process: simulates the embedded cluster, stores it with its history, and exits. */
keepNextTickFast();
const send = (message: SimulationMessage): void => void process.send?.(message);

const sendLog =
  (level: Extract<SimulationMessage, { kind: 'log' }>['level']): Logger['warn'] =>
  (context, message) =>
    send({ kind: 'log', level, context, message });
const log: Logger = {
  debug: sendLog('debug'),
  info: sendLog('info'),
  warn: sendLog('warn'),
  error: sendLog('error'),
};

const abort = new AbortController();
// a terminal sends SIGINT to the parent process too, which then sends `stop`
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.once('disconnect', () => abort.abort());
process.on('message', (command: SimulationCommand) => {
  if (command.kind === 'stop') abort.abort();
});

async function simulate(task: SimulationTask): Promise<void> {
  const { settings, databaseUrl, dataDir, rawRetentionDays } = task;
  const { isFresh, programs } = settings;
  const rulesAt = rulesOfCluster('localnet', namesReleases(programs) ? programs : '');
  const history = openClusterHistory(
    { databaseUrl: { value: databaseUrl }, dataDir, isFresh },
    'localnet',
    log,
  );
  // the simulation reports its rejection
  history.catch(() => undefined);
  const recorder = createSimulationRecorder({ history, isFresh, rawRetentionDays, rulesAt, log });
  try {
    await simulateLocalnet(settings, {
      log,
      recorder,
      signal: abort.signal,
      onProgress: (progress) => send({ kind: 'progress', progress }),
    });
  } finally {
    await history.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

const [command]: SimulationCommand[] = await once(process, 'message');
try {
  if (command?.kind === 'simulate') await simulate(command.task);
  send({ kind: 'stored' });
} catch (error) {
  send({ kind: 'failed', failure: toProcessFailure(error) });
} finally {
  if (process.connected) process.disconnect();
}
