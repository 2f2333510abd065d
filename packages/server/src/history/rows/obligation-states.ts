import { inflateRawSync } from 'node:zlib';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { type Obligation, obligation } from '@tidegate/core/protocol/klend/layout';
import type { StateRow } from '../schema/event-tables.ts';

/** The loan as it was after a change; undefined where it was closed. */
export const decodeObligationState = ({
  deflated,
}: Pick<StateRow<'obligationState'>, 'deflated'>): Obligation | undefined =>
  deflated === null
    ? undefined
    : obligation.decode({ owner: KLEND_PROGRAM, data: inflateRawSync(deflated) });
