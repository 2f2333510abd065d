import type { Address } from '../../../base/encoding/address.ts';
import type { FarmsEvent } from '../../../protocol/farms/events.ts';
import { harvestReward } from '../../../protocol/farms/instructions/rewards.ts';
import { userStateAddress } from '../../../protocol/farms/pda.ts';
import { tokenMovementOf } from '../../../protocol/spl/token-movements.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';
import { type CallContext, toCall } from './call-index.ts';
import type { FarmHistoryEvent, HistoryEventBody, OwnerLookup } from './history-event.ts';

type EventBody = HistoryEventBody<FarmHistoryEvent>;
type EventOf<Kind extends FarmsEvent['kind']> = Extract<FarmsEvent, { readonly kind: Kind }>;

/** The transaction and call of a farm event. */
export type FarmEventContext = {
  readonly view: TransactionView;
  readonly call: CallContext;
  readonly lookup: OwnerLookup;
};

export function extractFarmEvents(event: FarmsEvent, context: FarmEventContext): EventBody[] {
  switch (event.kind) {
    case 'stake':
    case 'withdrawUnstaked': {
      const mint = movedMint(context);
      return [{ ...eventOfState(event, context), mint, wallet: event.owner, amount: event.amount }];
    }
    case 'unstake': {
      const { owner: wallet, requestedSharesScaled: amount } = event;
      return [{ ...eventOfState(event, context), wallet, amount }];
    }
    case 'harvest':
      return [harvestEvent(event, context)];
    case 'setStakeDelegated':
      return [setStakeEvent(event, context)];
    case 'transferOwnership': {
      const { oldOwner: wallet, newOwner: otherWallet, newUserState: otherUserState } = event;
      const body = eventOfState({ ...event, userState: event.oldUserState }, context);
      return [{ ...body, wallet, otherWallet, otherUserState }];
    }
    case 'manage':
      return [managementEvent(event, context)];
  }
}

/** The wallet is undefined: the event belongs to the farm, not to the stake of a wallet. */
function managementEvent(event: EventOf<'manage'>, context: FarmEventContext): EventBody {
  const { path, farm, instruction: kind, amount } = event;
  const { signer, account, rewardIndex, configMode, configData } = event;
  return {
    ...eventOfState({ kind, path, farm, userState: undefined }, context),
    mint: heldMint(context),
    amount,
    management: { signer, account, rewardIndex, configMode, configData },
  };
}

/** The mint of the first token account of the call. */
function heldMint({ view, call }: FarmEventContext): Address | undefined {
  for (const account of call.instruction.accounts) {
    const balance = balanceOf(view, account);
    if (balance !== undefined) return balance.mint;
  }
  return undefined;
}

/** The program pays a reward only into an account of the state's owner. */
function harvestEvent(event: EventOf<'harvest'>, context: FarmEventContext): EventBody {
  const { instruction } = context.call;
  const { accounts } = harvestReward.decode(instruction.programAddress, instruction);
  const receiver = balanceOf(context.view, accounts.userRewardTokenAccount)?.owner;
  return {
    ...eventOfState(event, context),
    wallet: receiver ?? context.lookup.ownerOfUserState(event.userState),
    mint: event.rewardMint,
    amount: event.netAmount,
    feeAmount: event.feeAmount,
  };
}

function setStakeEvent(event: EventOf<'setStakeDelegated'>, context: FarmEventContext): EventBody {
  const { lookup } = context;
  const obligation = delegateeIn(context.call.caller, event);
  const owner = obligation && lookup.ownerOfObligation(obligation);
  return {
    ...eventOfState({ ...event, kind: 'setStake' }, context),
    obligation,
    wallet: owner ?? lookup.ownerOfUserState(event.userState),
    amount: event.stakeAmount,
  };
}

/** The lending program lists the obligation, from which the user state is derived. */
function delegateeIn(
  caller: InstructionView | undefined,
  { farm, userState, programAddress }: EventOf<'setStakeDelegated'>,
): Address | undefined {
  if (caller?.program !== 'klend') return undefined;
  return caller.accounts.find(
    (account) => userStateAddress(farm, account, programAddress) === userState,
  );
}

/** The mint of the token that the call transferred. */
function movedMint({ view, call }: FarmEventContext): Address | undefined {
  for (const child of call.instruction.children) {
    const movement = tokenMovementOf(toCall(child));
    if (movement?.kind !== 'transfer') continue;
    const { source, destination } = movement;
    return (balanceOf(view, source) ?? balanceOf(view, destination))?.mint;
  }
  return undefined;
}

function balanceOf(view: TransactionView, account: Address) {
  const isOfAccount = (balance: { readonly account: Address }) => balance.account === account;
  return view.postTokenBalances.find(isOfAccount) ?? view.preTokenBalances.find(isOfAccount);
}

type StateEvent = Pick<EventBody, 'kind' | 'path' | 'farm' | 'userState'>;

const eventOfState = (
  { kind, path, farm, userState }: StateEvent,
  { lookup }: FarmEventContext,
): EventBody => ({
  area: 'farm',
  kind,
  path,
  eventIndex: 0,
  wallet: undefined,
  farm,
  vault: lookup.vaultOfFarm(farm),
  obligation: undefined,
  userState,
  otherWallet: undefined,
  otherUserState: undefined,
  mint: undefined,
  amount: undefined,
  feeAmount: undefined,
  management: undefined,
});
