import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { metadataOfPlan } from '../../../packages/localnet/dist/genesis/genesis.js';
import { createLocalnetRegistry } from '../../../packages/server/dist/composition/localnet/localnet-registry.js';
import { openHistory } from '../../../packages/server/dist/history/open-history.js';
import { SimulationHistoryWriter } from '../../../packages/server/dist/indexer/recording/simulation-history-writer.js';
import { silentLog } from './silent-log.js';

/**
 * A process that records the steps of a simulation, sampled hourly, and prints a line after each
 * batch. Tests kill it. Runs the compiled packages, which start faster than the sources.
 */
const { url, folder, stepsFile, seed, days } = JSON.parse(process.argv[2]);
const until = { slot: 380_000_000n, unix: 1_790_000_000n };
const history = await openHistory({ url, folder, log: silentLog });
const registry = createLocalnetRegistry(metadataOfPlan({ seed, days, until }));
const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });

const withHourlySamples = ({ sample, ...step }) =>
  step.at.unix % 3_600n === 0n ? { ...step, sample } : step;

for (const steps of deserialize(readFileSync(stepsFile))) {
  await writer.write(steps.map(withHourlySamples));
  process.stdout.write('written\n');
}
await writer.end();
await history.close();
process.stdout.write('complete\n');
