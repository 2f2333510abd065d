import { Address } from '../../components/address.tsx';
import type { BuildFields } from '../../routing/build-fields.ts';
import { actions } from './actions.ts';

/** The loan that the reader came from, with the way back. */
export const BuildTarget = ({ action, obligation }: BuildFields) =>
  obligation === '' || actions[action].target !== 'reserve' ? null : (
    <p class="weak small">
      For the loan <Address address={obligation} page="loan" what="loan address" />
    </p>
  );
