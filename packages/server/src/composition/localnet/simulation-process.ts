import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '@tidegate/core/base';
import type { SimulationProgress } from '@tidegate/localnet';
import { fromProcessFailure } from '../../workers/process-failure.ts';
import type {
  SimulationCommand,
  SimulationMessage,
  SimulationTask,
} from './simulation-messages.ts';

type SimulationOptions = {
  readonly log: Logger;
  readonly onProgress: (progress: SimulationProgress) => void;
  readonly signal: AbortSignal;
};

/** The recorder allocates many short-lived objects too. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

/** A process does not inherit a TypeScript loader: from source, everything runs in one process. */
export const canSimulateInProcess = import.meta.url.endsWith('.js');

/**
 * Simulates the embedded cluster in a process of its own and stores it with its history. The memory of a simulation is
 * several times that of a server, and only the end of a process returns all of it.
 */
export async function simulateInProcess(
  task: SimulationTask,
  { log, onProgress, signal }: SimulationOptions,
): Promise<void> {
  const child = fork(new URL('./simulation-main.js', import.meta.url), {
    execArgv: [...process.execArgv, ...NODE_FLAGS],
    serialization: 'advanced',
  });
  const stop = (): void => sendCommand(child, { kind: 'stop' });
  signal.addEventListener('abort', stop);
  const result = waitForResult(child, { log, onProgress });
  sendCommand(child, { kind: 'simulate', task });
  // another part of the start may have failed before
  if (signal.aborted) stop();
  try {
    await result;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function sendCommand(child: ChildProcess, command: SimulationCommand): void {
  // a process that has ended is reported by its exit
  if (child.connected) child.send(command, () => undefined);
}

/** Settles when the process has ended, so that its folders are free. */
async function waitForResult(
  child: ChildProcess,
  { log, onProgress }: Pick<SimulationOptions, 'log' | 'onProgress'>,
): Promise<void> {
  let isStored = false;
  let failure: Error | undefined;
  child.on('message', (message: SimulationMessage) => {
    switch (message.kind) {
      case 'progress':
        return onProgress(message.progress);
      case 'log':
        return log[message.level](message.context, message.message);
      case 'stored':
        isStored = true;
        return;
      case 'failed':
        failure = fromProcessFailure(message.failure);
    }
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (isStored) return resolve();
      const reason = signal === null ? `exit code ${code}` : `signal ${signal}`;
      return reject(failure ?? new Error(`The simulation process ended with ${reason}.`));
    });
  });
}
