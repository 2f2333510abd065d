import {
  type Address,
  addressFromBytes,
  formatError,
  type Logger,
  type RawAccount,
  type Slot,
} from '@tidegate/core/base';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import {
  type ClusterReader,
  listGlobalConfigs,
  listPriceFeeds,
  unknownConfigValues,
} from '@tidegate/core/state';
import { describeUnknownValue } from './unknown-value-reasons.ts';
import type { UnprovenKinds, UnprovenReason } from './unproven-kinds.ts';

type ConfigAccountCheckOptions = {
  readonly reader: ClusterReader;
  readonly unproven: UnprovenKinds;
  readonly getAccounts: (
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ) => Promise<{ readonly slot: Slot; readonly accounts: readonly (RawAccount | undefined)[] }>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
};

/** They change rarely, and the sources of prices have 28 KB each. */
const INTERVAL_MS = 3_600_000;
const MAPPINGS_AT = oraclePrices.offsets.oracleMappings;
const MAPPINGS_END = MAPPINGS_AT + 32;

/** Checks global configs and sources of prices, which the state does not follow, for unknown bytes once an hour. */
export class ConfigAccountCheck {
  readonly #options: ConfigAccountCheckOptions;
  readonly #since = new Map<string, Slot>();
  #checkedAt: number | undefined;

  constructor(options: ConfigAccountCheckOptions) {
    this.#options = options;
  }

  /** Call it often, after the first state is loaded. */
  async refreshIfStale(): Promise<void> {
    const { clock, unproven, log } = this.#options;
    const now = clock();
    if (this.#checkedAt !== undefined && now - this.#checkedAt < INTERVAL_MS) return;
    this.#checkedAt = now;
    try {
      unproven.set('configs', await this.#findReasons());
    } catch (error) {
      log.warn({ reason: formatError(error) }, 'global configs not checked');
    }
  }

  async #findReasons(): Promise<UnprovenReason[]> {
    const { reader, getAccounts } = this.#options;
    const addresses = [...listGlobalConfigs(reader), ...(await this.#listMappings())];
    if (addresses.length === 0) return [];
    const { slot, accounts } = await getAccounts(addresses);
    return addresses.flatMap((address, index) => {
      const account = accounts[index];
      const found = account && unknownConfigValues(account);
      if (found === undefined) return [];
      return found.values.map((value): UnprovenReason => {
        const { kind } = found;
        const detail = describeUnknownValue({ ...value, address });
        const since = this.#since.get(detail) ?? slot;
        this.#since.set(detail, since);
        return { kind, code: value.code, since, detail };
      });
    });
  }

  async #listMappings(): Promise<Address[]> {
    const feeds = listPriceFeeds(this.#options.reader);
    if (feeds.length === 0) return [];
    const { accounts } = await this.#options.getAccounts(feeds, undefined, MAPPINGS_END);
    return [
      ...new Set(
        accounts.flatMap((account) =>
          account === undefined || account.data.length < MAPPINGS_END
            ? []
            : addressFromBytes(account.data.subarray(MAPPINGS_AT, MAPPINGS_END)),
        ),
      ),
    ];
  }
}
