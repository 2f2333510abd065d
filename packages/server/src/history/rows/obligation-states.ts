import { inflateRawSync } from 'node:zlib';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { type Obligation, obligation } from '@tidegate/core/protocol/klend/layout';
import type { StateRow } from '../schema/event-tables.ts';

/** The obligation after a change; undefined if it was closed. */
export const decodeObligationState = ({
  deflated,
}: Pick<StateRow<'obligationState'>, 'deflated'>): Obligation | undefined =>
  deflated === null
    ? undefined
    : obligation.decode({ owner: KLEND_PROGRAM, data: inflateRawSync(deflated) });
