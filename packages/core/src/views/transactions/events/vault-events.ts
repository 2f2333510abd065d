import type { KvaultEvent } from '../../../protocol/kvault/events.ts';
import type { HistoryEventBody, VaultEventKind, VaultHistoryEvent } from './history-event.ts';

type EventBody = HistoryEventBody<VaultHistoryEvent>;

/** Empty for an investment that moved nothing, and for an administrator's instruction. */
export function extractVaultEvents(
  event: KvaultEvent,
  instruction: string | undefined,
): EventBody[] {
  switch (event.kind) {
    case 'manage':
      return [];
    case 'deposit': {
      const { user: wallet, tokenAmount, crankAmount, sharesAmount } = event;
      const kind = instruction?.startsWith('buy') ? 'buy' : 'deposit';
      return [{ ...emptyVaultEvent(event), kind, wallet, tokenAmount, crankAmount, sharesAmount }];
    }
    case 'withdraw': {
      const { user: wallet, tokenAmount, sharesAmount, collateralAmount, reserve } = event;
      const kind = withdrawKind(instruction);
      return [
        {
          ...emptyVaultEvent(event),
          kind,
          wallet,
          tokenAmount,
          sharesAmount,
          collateralAmount,
          reserve,
        },
      ];
    }
    case 'redeemInKind': {
      const { user: wallet, kind, sharesAmount, collateralAmount, reserve } = event;
      return [{ ...emptyVaultEvent(event), kind, wallet, sharesAmount, collateralAmount, reserve }];
    }
    case 'invest': {
      const { direction, payer, reserve, tokenAmount, collateralAmount } = event;
      if (direction === 'none') return [];
      const kind = direction === 'into the reserve' ? 'investIn' : 'investOut';
      const moved = { reserve, tokenAmount, collateralAmount };
      const { roundingLossAmount } = event;
      return [{ ...emptyVaultEvent(event), ...moved, kind, wallet: payer, roundingLossAmount }];
    }
  }
}

function withdrawKind(instruction: string | undefined): VaultEventKind {
  if (instruction === 'sell') return 'sell';
  return instruction === 'withdrawFromAvailable' ? 'withdrawFromAvailable' : 'withdraw';
}

/** Without kind and wallet. */
export const emptyVaultEvent = ({
  path,
  vault,
}: Pick<EventBody, 'path' | 'vault'>): Omit<EventBody, 'kind'> => ({
  area: 'vault',
  path,
  eventIndex: 0,
  wallet: undefined,
  vault,
  reserve: undefined,
  tokenAmount: undefined,
  sharesAmount: undefined,
  collateralAmount: undefined,
  crankAmount: undefined,
  roundingLossAmount: undefined,
  otherWallet: undefined,
});
