import { waitUntil } from '../waiting/wait-until.ts';
import type { Fault, FaultContext } from './fault.ts';
import { PostLoad } from './post-load.ts';
import type { Member } from './topology.ts';

/** Requests that are answered between two upgrades. */
const ANSWERED_BETWEEN = 10;

/** Api processes first, as the changelog says; then the index process on standby, and the writer last. */
async function orderOfUpgrade({ topology }: FaultContext): Promise<readonly Member[]> {
  const writer = await topology.findWriter();
  const indexes = topology.members.filter(({ command }) => command === 'index');
  return [
    ...topology.apis,
    ...indexes.toSorted((a, b) => Number(a === writer) - Number(b === writer)),
  ];
}

/** A process of an earlier release may close busy connections when it ends. */
async function upgradeMember({ topology }: FaultContext, member: Member): Promise<void> {
  member.running.isEnding = true;
  await topology.drain(member);
  member.isPrevious = false;
  await topology.restart(member);
}

/** Each process ends, and starts with this release, one after the other. */
export const upgrade: Fault = {
  name: 'upgrade',
  async run(context) {
    const load = await PostLoad.start(context);
    try {
      for (const member of await orderOfUpgrade(context)) {
        await upgradeMember(context, member);
        const before = load.answered;
        const hasLoad = () => load.lost.length > 0 || load.answered >= before + ANSWERED_BETWEEN;
        await waitUntil(hasLoad, 'requests are answered between two upgrades');
      }
    } finally {
      await load.stop();
    }
    if (load.lost.length > 0) throw new Error(`lost requests: ${load.lost.join('; ')}`);
    const lost = `${load.lostByPrevious} lost by processes of the previous release`;
    return { detail: `${load.answered} requests with POST, ${lost}` };
  },
};
