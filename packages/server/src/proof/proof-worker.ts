import { parentPort } from 'node:worker_threads';
import { executeRequest } from './execute-replay.ts';
import type { ProofRequest } from './proof-messages.ts';

parentPort?.on('message', (request: ProofRequest) => {
  parentPort?.postMessage(executeRequest(request));
});
