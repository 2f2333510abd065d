import type { Address, ChainTime } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ConfigAccountCheck } from '../../clusters/config-account-check.ts';
import type { SlotAge } from '../../clusters/slot-age.ts';
import type { TokenFigures } from '../../clusters/token-figures.ts';
import type { StatePublisher } from '../../feed/state-publisher.ts';
import type { IndexerOptions } from '../../indexer/follow/indexer-options.ts';
import type { RolledBackSlots } from '../../indexer/follow/rolled-back-slots.ts';
import type { LiveProof } from '../../proof/live-proof.ts';
import type { ClusterRecording } from './open-recording.ts';

/** What follows the state of a cluster. */
export type ClusterObservers = {
  readonly recording: ClusterRecording | undefined;
  readonly proof: LiveProof | undefined;
  readonly publisher: StatePublisher | undefined;
  readonly tokenFigures: TokenFigures | undefined;
  readonly configs: ConfigAccountCheck;
  readonly age: SlotAge;
};

type StateOptions = ConstructorParameters<typeof ClusterState>[0];

/** Passes changes of state on; `parts` exist before the first of them. */
export const observeState = (
  parts: () => ClusterObservers,
): Required<Pick<StateOptions, 'onChange' | 'onForget'>> => ({
  onChange(address, account, change) {
    const { proof, recording, publisher } = parts();
    proof?.onChange(address, change);
    recording?.onAccount(address, account, change.isVisible);
    publisher?.onChange(address, change);
  },
  onForget: (address: Address) => parts().publisher?.onForget(address),
});

/** Passes on what the indexer reports. */
export const observeIndexer = (
  parts: () => ClusterObservers,
): Pick<IndexerOptions, 'onSlot' | 'onRollBack' | 'onUpdate' | 'onGap'> => ({
  onSlot(at: ChainTime) {
    const { proof, recording, publisher, tokenFigures, configs, age } = parts();
    age.note(at.slot);
    recording?.onSlot(at);
    proof?.onSlot(at);
    publisher?.onSlot(at);
    void Promise.all([tokenFigures?.refreshIfStale(), configs.refreshIfStale()]);
  },
  onRollBack(slots: RolledBackSlots) {
    const { proof, recording } = parts();
    proof?.onRollBack();
    recording?.onRollBack(slots);
  },
  onUpdate: (update) => parts().proof?.onUpdate(update),
  onGap: () => parts().proof?.onGap(),
});
