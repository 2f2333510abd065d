import { initObligation } from '../../../protocol/klend/instructions/init-obligation.ts';
import { initObligationFarmsForReserve } from '../../../protocol/klend/instructions/init-obligation-farms-for-reserve.ts';
import { initReferrerTokenState } from '../../../protocol/klend/instructions/init-referrer-token-state.ts';
import { initUserMetadata } from '../../../protocol/klend/instructions/init-user-metadata.ts';
import { refreshObligation } from '../../../protocol/klend/instructions/refresh-obligation.ts';
import { refreshObligationFarmsForReserve } from '../../../protocol/klend/instructions/refresh-obligation-farms-for-reserve.ts';
import { refreshReserve } from '../../../protocol/klend/instructions/refresh-reserve.ts';
import { refreshReservesBatch } from '../../../protocol/klend/instructions/refresh-reserves-batch.ts';
import { requestElevationGroup } from '../../../protocol/klend/instructions/request-elevation-group.ts';
import {
  reserveConfigModes,
  updateReserveConfig,
} from '../../../protocol/klend/instructions/update-reserve-config.ts';
import { type DescribedCodec, withDescription } from './instruction-description.ts';

const OBLIGATION = { notes: ['obligation'] } as const;

/** What prepares a loan in the lending program and brings it up to date, and what its admins do. */
export const lendingSetupDescriptions: readonly DescribedCodec[] = [
  withDescription(initUserMetadata, ({ accounts }, words) => {
    const referrer = accounts.referrerUserMetadata;
    const by = referrer === undefined ? '' : `, referred by the owner of ${words.name(referrer)}`;
    return `Register ${words.name(accounts.owner)} with the lending program${by}`;
  }),
  withDescription(
    initObligation,
    ({ accounts }, words) =>
      `Open a loan of ${words.name(accounts.obligationOwner)} in ${words.name(accounts.lendingMarket)}`,
    OBLIGATION,
  ),
  withDescription(
    initObligationFarmsForReserve,
    ({ accounts }, words) =>
      `Register ${words.name(accounts.obligation)} in ${words.name(accounts.reserveFarmState)}`,
    OBLIGATION,
  ),
  withDescription(
    initReferrerTokenState,
    ({ accounts }, words) =>
      `Make room for the fees that ${words.name(accounts.referrer)} gets from ${words.name(accounts.reserve)} as referrer`,
  ),
  withDescription(
    refreshReserve,
    ({ accounts }, words) => `Update the interest and the price of ${words.name(accounts.reserve)}`,
  ),
  withDescription(refreshReservesBatch, ({ args }) =>
    args.skipPriceUpdates === 0
      ? 'Update the interest and the prices of several reserves'
      : 'Update the interest of several reserves',
  ),
  withDescription(
    refreshObligation,
    ({ accounts }, words) => `Update the debts and values of ${words.name(accounts.obligation)}`,
    OBLIGATION,
  ),
  withDescription(
    refreshObligationFarmsForReserve,
    ({ accounts }, words) =>
      `Update the rewards of ${words.name(accounts.obligation)} in ${words.name(accounts.reserveFarmState)}`,
    OBLIGATION,
  ),
  withDescription(
    requestElevationGroup,
    ({ accounts, args: { elevationGroup } }, words) =>
      elevationGroup === 0
        ? `Take ${words.name(accounts.obligation)} out of its elevation group`
        : `Put ${words.name(accounts.obligation)} into the elevation group ${elevationGroup}`,
    OBLIGATION,
  ),
  withDescription(
    updateReserveConfig,
    ({ accounts, args: { mode } }, words) =>
      `Change a setting of ${words.name(accounts.reserve)}: ${reserveConfigModes[mode] ?? `number ${mode}`}`,
    { listName: 'value' },
  ),
];
