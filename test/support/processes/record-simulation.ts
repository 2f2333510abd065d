import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type RecordedSimulationPlan, recordSimulation } from '../history/recorded-simulation.ts';

type Task = {
  readonly url?: string;
  readonly folder: string;
  readonly plan: RecordedSimulationPlan;
};

/** Plays and writes down what its argument tells, in a process of its own that may be killed, with a word after each part. */
const { url, folder, plan }: Task = JSON.parse(process.argv[2] ?? '');
const history = await openHistory({ url, folder, log: silentLog });
await recordSimulation({ ...plan, onWritten: () => process.stdout.write('written\n') }, history);
await history.close();
process.stdout.write('whole\n');
