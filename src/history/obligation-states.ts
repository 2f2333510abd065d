import { inflateRawSync } from 'node:zlib';
import { type Obligation, obligation } from '../protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '../protocol/klend/program.ts';
import type { StateRow } from './event-tables.ts';

/** The loan as it was after a change; undefined where it was closed. */
export const obligationOfState = ({
  deflated,
}: Pick<StateRow<'obligationState'>, 'deflated'>): Obligation | undefined =>
  deflated === null
    ? undefined
    : obligation.decode({ owner: KLEND_PROGRAM, data: inflateRawSync(deflated) });
