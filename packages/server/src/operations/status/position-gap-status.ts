import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, IsoInstant, NullableString } from '../../http/schemas/primitives.ts';

const OpenGapStatus = Type.Object({
  kind: Type.Unsafe<'loan' | 'shares' | 'stake'>({
    type: 'string',
    enum: ['loan', 'shares', 'stake'],
    description: 'Kind of position',
  }),
  position: Type.String({
    description: 'Address of the loan or of the stake; those of wallet and vault for shares',
  }),
  wallet: describe(AddressString, 'Its owner'),
  slot: Type.String({ description: 'Newest slot that its events explain' }),
  since: describe(IsoInstant, 'Time of that slot, UTC: later transactions are missing'),
  foundAt: describe(IsoInstant, 'When it was found, UTC'),
  difference: Type.String({ description: 'What the recorded events do not explain' }),
});

export const PositionGapStatus = Type.Object(
  {
    isRunning: Type.Boolean({
      description: 'Whether positions are compared with their recorded events',
    }),
    checkedSlot: describe(NullableString, 'Slot up to which all positions are compared'),
    found: Type.Integer({ description: 'Gaps that were found since the start' }),
    closed: Type.Integer({ description: 'Gaps that were closed since the start' }),
    open: Type.Integer({
      description:
        'Positions with missing transactions: their figures return HISTORY_INCOMPLETE, and their lists have x-gaps',
    }),
    oldest: Type.Array(OpenGapStatus, { description: 'The first 20 of them' }),
  },
  { description: 'Positions whose recorded events do not explain their current state' },
);

export function positionGapStatusJson({
  recording,
}: Pick<Cluster, 'recording'>): Static<typeof PositionGapStatus> {
  const report = recording?.positionGaps.report();
  if (report === undefined) {
    return { isRunning: false, checkedSlot: null, found: 0, closed: 0, open: 0, oldest: [] };
  }
  const { checkedSlot, found, closed, open, oldest } = report;
  return {
    isRunning: true,
    ...{ checkedSlot, found, closed },
    open: open.loan + open.shares + open.stake,
    oldest: oldest.map(({ since, foundAt, ...gap }) => ({
      ...gap,
      since: new Date(Number(since) * 1_000).toISOString(),
      foundAt: new Date(foundAt).toISOString(),
    })),
  };
}
