import type { KvaultEvent } from '../../../protocol/kvault/events.ts';
import type { HistoryEventBody, VaultEventKind, VaultHistoryEvent } from './history-event.ts';

type Past = HistoryEventBody<VaultHistoryEvent>;

/** None for an investment that found the reserve where it should be. */
export function extractVaultEvents(event: KvaultEvent, instruction: string | undefined): Past[] {
  const past = emptyVaultEvent(event);
  switch (event.kind) {
    case 'deposit': {
      const { user: wallet, tokenAmount, crankAmount, sharesAmount } = event;
      const kind = instruction?.startsWith('buy') ? 'buy' : 'deposit';
      return [{ ...past, kind, wallet, tokenAmount, crankAmount, sharesAmount }];
    }
    case 'withdraw': {
      const { user: wallet, tokenAmount, sharesAmount, collateralAmount, reserve } = event;
      const kind = withdrawKind(instruction);
      return [{ ...past, kind, wallet, tokenAmount, sharesAmount, collateralAmount, reserve }];
    }
    case 'redeemInKind': {
      const { user: wallet, kind, sharesAmount, collateralAmount, reserve } = event;
      return [{ ...past, kind, wallet, sharesAmount, collateralAmount, reserve }];
    }
    case 'invest': {
      const { direction, payer, reserve, tokenAmount, collateralAmount } = event;
      if (direction === 'none') return [];
      const kind = direction === 'into the reserve' ? 'investIn' : 'investOut';
      const moved = { reserve, tokenAmount, collateralAmount };
      const { roundingLossAmount } = event;
      return [{ ...past, ...moved, kind, wallet: payer, roundingLossAmount }];
    }
  }
}

function withdrawKind(instruction: string | undefined): VaultEventKind {
  if (instruction === 'sell') return 'sell';
  return instruction === 'withdrawFromAvailable' ? 'withdrawFromAvailable' : 'withdraw';
}

/** Of no kind yet, and of nobody. */
export const emptyVaultEvent = ({
  path,
  vault,
}: Pick<Past, 'path' | 'vault'>): Omit<Past, 'kind'> => ({
  area: 'vault',
  path,
  leg: 0,
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
