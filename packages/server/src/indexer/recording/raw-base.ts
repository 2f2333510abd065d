import type { Address, ChainTime, UnixSeconds } from '@tidegate/core/base';
import type { ClusterStep } from '@tidegate/localnet';
import { RAW_BASE_CHECKPOINT } from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { writeRawAccounts } from '../../history/raw/raw-accounts.ts';
import type { RawAccountChange } from '../../history/raw/raw-step-codec.ts';
import { moveCheckpoint } from '../../history/writing/move-checkpoint.ts';

const HOUR = 3_600n;

/**
 * The accounts before the first stored step, as pruning leaves them: of older steps only the last version of each
 * account. Ends at a full hour, whose samples are never deleted, so that a replay can start there.
 */
export class RawBase {
  readonly #db: History['db'];
  /** Undefined if all steps are stored. */
  readonly #end: bigint | undefined;
  readonly #accounts = new Map<Address, RawAccountChange['account']>();
  #reached: ChainTime | undefined;
  #isBaselineTaken = false;

  constructor(db: History['db'], since: UnixSeconds | undefined) {
    this.#db = db;
    this.#end = since === undefined ? undefined : since - (since % HOUR);
  }

  /** Whether a step of this time is merged and not stored. */
  contains({ unix }: ChainTime): boolean {
    return this.#end !== undefined && unix < this.#end;
  }

  add({ at, slots }: ClusterStep): void {
    this.#reached = at;
    for (const { accounts } of slots) {
      for (const { address, account } of accounts) this.#accounts.set(address, account);
    }
  }

  /** The accounts before the first stored step, once. */
  takeBaseline(): readonly RawAccountChange[] {
    if (this.#isBaselineTaken) return [];
    this.#isBaselineTaken = true;
    return Array.from(this.#accounts, ([address, account]) => ({ address, account }));
  }

  /** Writes the accounts. Later calls do nothing. */
  async save(): Promise<void> {
    const reached = this.#reached;
    if (reached === undefined) return;
    this.#reached = undefined;
    const { slot, unix: at } = reached;
    await this.#db.transaction().execute(async (transaction) => {
      await writeRawAccounts(transaction, this.#accounts);
      await moveCheckpoint(transaction, {
        name: RAW_BASE_CHECKPOINT,
        direction: 'newer',
        slot,
        at,
      });
    });
    this.#accounts.clear();
  }
}
