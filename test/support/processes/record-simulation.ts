import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type RecordedSimulationPlan, recordSimulation } from '../history/recorded-simulation.ts';

type RecordingTask = {
  readonly url?: string;
  readonly folder: string;
  readonly plan: RecordedSimulationPlan;
};

/** A process that records the simulation of its argument and prints a line after each write. Tests kill it. */
const { url, folder, plan }: RecordingTask = JSON.parse(process.argv[2] ?? '');
const history = await openHistory({ url, folder, log: silentLog });
await recordSimulation({ ...plan, onWritten: () => process.stdout.write('written\n') }, history);
await history.close();
process.stdout.write('whole\n');
