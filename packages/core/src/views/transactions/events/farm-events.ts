import type { Address } from '../../../base/encoding/address.ts';
import type { FarmsEvent } from '../../../protocol/farms/events.ts';
import { harvestReward } from '../../../protocol/farms/instructions/harvest-reward.ts';
import { userStateAddress } from '../../../protocol/farms/pda.ts';
import { tokenMovementOf } from '../../../protocol/spl/token-movements.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';
import { type CallContext, toCall } from './call-index.ts';
import type { FarmHistoryEvent, HistoryEventBody, OwnerLookup } from './history-event.ts';

type Past = HistoryEventBody<FarmHistoryEvent>;
type Of<Kind extends FarmsEvent['kind']> = Extract<FarmsEvent, { readonly kind: Kind }>;

/** Where an event of a farm happened. */
export type FarmEventContext = {
  readonly view: TransactionView;
  readonly call: CallContext;
  readonly facts: OwnerLookup;
};

export function extractFarmEvents(event: FarmsEvent, scene: FarmEventContext): Past[] {
  switch (event.kind) {
    case 'stake':
    case 'withdrawUnstaked': {
      const mint = movedMint(scene);
      return [{ ...ofState(event, scene), mint, wallet: event.owner, amount: event.amount }];
    }
    case 'unstake': {
      const { owner: wallet, requestedSharesScaled: amount } = event;
      return [{ ...ofState(event, scene), wallet, amount }];
    }
    case 'harvest':
      return [harvested(event, scene)];
    case 'setStakeDelegated':
      return [stakeSet(event, scene)];
    case 'transferOwnership': {
      const { oldOwner: wallet, newOwner: otherWallet, newUserState: otherUserState } = event;
      const past = ofState({ ...event, userState: event.oldUserState }, scene);
      return [{ ...past, wallet, otherWallet, otherUserState }];
    }
  }
}

/** The program pays a reward only into an account of the state's owner, whoever asks for it. */
function harvested(event: Of<'harvest'>, scene: FarmEventContext): Past {
  const { instruction } = scene.call;
  const { accounts } = harvestReward.decode(instruction.programAddress, instruction);
  const receiver = balanceOf(scene.view, accounts.userRewardTokenAccount)?.owner;
  return {
    ...ofState(event, scene),
    wallet: receiver ?? scene.facts.ownerOfUserState(event.userState),
    mint: event.rewardMint,
    amount: event.netAmount,
    feeAmount: event.feeAmount,
  };
}

function stakeSet(event: Of<'setStakeDelegated'>, scene: FarmEventContext): Past {
  const { facts } = scene;
  const obligation = delegateeIn(scene.call.caller, event);
  const owner = obligation && facts.ownerOfObligation(obligation);
  return {
    ...ofState({ ...event, kind: 'setStake' }, scene),
    obligation,
    wallet: owner ?? facts.ownerOfUserState(event.userState),
    amount: event.stakeAmount,
  };
}

/** The lending program names the obligation among its accounts, and the state is derived from it. */
function delegateeIn(
  caller: InstructionView | undefined,
  { farm, userState, programAddress }: Of<'setStakeDelegated'>,
): Address | undefined {
  if (caller?.program !== 'klend') return undefined;
  return caller.accounts.find(
    (account) => userStateAddress(farm, account, programAddress) === userState,
  );
}

/** Of the token that the call transferred. */
function movedMint({ view, call }: FarmEventContext): Address | undefined {
  for (const child of call.instruction.children) {
    const moved = tokenMovementOf(toCall(child));
    if (moved?.kind !== 'transfer') continue;
    const { source, destination } = moved;
    return (balanceOf(view, source) ?? balanceOf(view, destination))?.mint;
  }
  return undefined;
}

function balanceOf(view: TransactionView, account: Address) {
  const isMeant = (balance: { readonly account: Address }) => balance.account === account;
  return view.postTokenBalances.find(isMeant) ?? view.preTokenBalances.find(isMeant);
}

type Stated = Pick<Past, 'kind' | 'path' | 'farm' | 'userState'>;

const ofState = ({ kind, path, farm, userState }: Stated, { facts }: FarmEventContext): Past => ({
  area: 'farm',
  kind,
  path,
  leg: 0,
  wallet: undefined,
  farm,
  vault: facts.vaultOfFarm(farm),
  obligation: undefined,
  userState,
  otherWallet: undefined,
  otherUserState: undefined,
  mint: undefined,
  amount: undefined,
  feeAmount: undefined,
});
