import { waitUntil } from '../waiting/wait-until.ts';
import type { Fault } from './fault.ts';
import { PostLoad } from './post-load.ts';
import type { Topology } from './topology.ts';

/** Requests that are answered between two restarts. */
const ANSWERED_BETWEEN = 10;

async function drainAndRestart(topology: Topology, load: PostLoad): Promise<void> {
  for (const member of topology.members) {
    await topology.drain(member);
    await topology.restart(member);
    const before = load.answered;
    const hasLoad = () => load.lost.length > 0 || load.answered >= before + ANSWERED_BETWEEN;
    await waitUntil(hasLoad, 'requests are answered between two restarts');
  }
}

export const rollingRestart: Fault = {
  name: 'rolling restart',
  async run(context) {
    const load = await PostLoad.start(context);
    try {
      await drainAndRestart(context.topology, load);
    } finally {
      await load.stop();
    }
    if (load.lost.length > 0) throw new Error(`lost requests: ${load.lost.join('; ')}`);
    return { detail: `${load.answered} requests with POST, none lost` };
  },
};
